/* SPDX-License-Identifier: MIT */
/* Bug: main waits until all items are done, then returns while the workers still run. A worker that writes its last
 * line to the journal after a handler of exit has released it uses memory that is gone.
 * Bites: SIGSEGV. Fixed: main joins the workers. */
#include <pthread.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

#define WORKERS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int done;
static int *volatile journal;

static void close_journal(void)
{
	free(journal);
	journal = NULL;
}

static void *work(void *arg)
{
	pthread_mutex_lock(&lock);
	if (++done == WORKERS)
		pthread_cond_signal(&all_done);
	pthread_mutex_unlock(&lock);
	journal[(long)arg] = 1;
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS];
	journal = calloc(WORKERS, sizeof(*journal));
	atexit(close_journal);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, (void *)i);
	pthread_mutex_lock(&lock);
	while (done < WORKERS)
		pthread_cond_wait(&all_done, &lock);
	pthread_mutex_unlock(&lock);
	for (int i = 0; FIXED && i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	return 0;
}
