/* SPDX-License-Identifier: MIT */
/* A use after free that has no other effect: a worker reads the configuration that another thread replaces and frees.
 * The old contents are still there, and nobody looks at them twice, so only AddressSanitizer notices. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct config {
	int users; /* of those that have taken it */
	char name[40];
};

static struct config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *take(void)
{
#ifndef FIXED
	struct config *taken = config; /* without the lock */
#endif
	pthread_mutex_lock(&lock);
#ifdef FIXED
	struct config *taken = config;
#endif
	taken->users++;
	pthread_mutex_unlock(&lock);
	return taken;
}

static void give(struct config *given)
{
	pthread_mutex_lock(&lock);
	const int left = --given->users;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(given);
}

static void *work(void *length)
{
	for (int i = 0; i < 3; i++) {
		struct config *mine = take();
		*(size_t *)length += strlen(mine->name);
		give(mine);
	}
	return NULL;
}

static void replace(const char *name)
{
	struct config *next = calloc(1, sizeof(*next));
	next->users = 1;
	strcpy(next->name, name);
	pthread_mutex_lock(&lock);
	struct config *old = config;
	config = next;
	pthread_mutex_unlock(&lock);
	if (old)
		give(old);
}

int main(void)
{
	pthread_t threads[2];
	size_t lengths[2] = {0};
	replace("first");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, &lengths[i]);
	replace("second");
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
