/* SPDX-License-Identifier: MIT */
/* One thread uses what it has found under a lock after it has given the lock back. Another thread takes it away under
 * the lock, and frees it. The lock itself is used correctly. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int users, open;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static void *use(void *unused)
{
	pthread_mutex_lock(&lock);
	struct session *found = current;
	pthread_mutex_unlock(&lock);
	if (found && found->open != 1) /* use */
		abort();
	return unused;
}

static void *end(void *unused)
{
	pthread_mutex_lock(&lock);
	struct session *found = current;
	current = NULL;
	pthread_mutex_unlock(&lock);
	free(found); /* free */
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	current = calloc(1, sizeof(*current));
	current->open = 1;
	pthread_create(&threads[0], NULL, use, NULL);
	pthread_create(&threads[1], NULL, end, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
