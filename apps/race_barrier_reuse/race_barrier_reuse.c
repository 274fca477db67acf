/* SPDX-License-Identifier: MIT */
/* Bug: a barrier used again too soon. Its count tells waiting threads that all have come, until a fast one comes to the
 * next phase and changes it: a slow one then goes on waiting for a phase that nobody is in.
 * Bites: deadlock, status 120 (natively it hangs). Fixed by counting phases. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

#define THREADS 2
#define PHASES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_came = PTHREAD_COND_INITIALIZER;
static int count;
static int phase;
static sem_t arrived, work; /* main hands out work for a phase when all have come */

static void barrier_wait(void)
{
	pthread_mutex_lock(&lock);
	int mine = phase;
	if (++count == THREADS) {
		count = 0;
		phase++;
		pthread_cond_broadcast(&all_came);
		sem_post(&arrived);
	} else {
		while (FIXED ? phase == mine : count != 0)
			pthread_cond_wait(&all_came, &lock);
	}
	pthread_mutex_unlock(&lock);
}

static void *walk(void *unused)
{
	for (int i = 0; i < PHASES; i++) {
		barrier_wait();
		sem_wait(&work);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	sem_init(&arrived, 0, 0);
	sem_init(&work, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, walk, NULL);
	for (int i = 0; i < PHASES; i++) {
		sem_wait(&arrived);
		for (int j = 0; j < THREADS; j++)
			sem_post(&work);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
