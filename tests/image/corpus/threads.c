/* SPDX-License-Identifier: MIT */
/* Threads with a lock, a condition and thread-local memory: what they print depends on the order in which they run. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#define THREADS 4
#define ROUNDS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static unsigned turn, order[THREADS * ROUNDS], ordered;
static __thread unsigned own;

static void *work(void *argument)
{
	const unsigned number = (unsigned)(unsigned long)argument;
	for (unsigned round = 0; round < ROUNDS; round++) {
		sched_yield();
		pthread_mutex_lock(&lock);
		order[ordered++] = number;
		own += ordered;
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	while (turn != number)
		pthread_cond_wait(&turned, &lock);
	printf("thread %u: %u\n", number, own);
	turn++;
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (unsigned long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			return 1;
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < ordered; i++)
		printf("%u%c", order[i], i + 1 < ordered ? ' ' : '\n');
	return 0;
}
