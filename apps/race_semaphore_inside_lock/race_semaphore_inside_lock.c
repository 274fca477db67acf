/* SPDX-License-Identifier: MIT */
/* Bug: semaphore misuse. The consumer waits for an item while it holds the lock which the producer needs to put one
 * there.
 * Bites: deadlock, status 120 (natively it hangs). */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ITEMS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t available;
static int queue[ITEMS], first, last, sum;

static void *produce(void *unused)
{
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&lock);
		queue[last++] = i;
		pthread_mutex_unlock(&lock);
		sem_post(&available);
	}
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		if (FIXED)
			sem_wait(&available);
		pthread_mutex_lock(&lock);
		if (!FIXED)
			sem_wait(&available);
		sum += queue[first++];
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&available, 0, 0);
	pthread_create(&threads[0], NULL, produce, NULL);
	pthread_create(&threads[1], NULL, consume, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return sum == 3 ? 0 : 1;
}
