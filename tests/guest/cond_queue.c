/* SPDX-License-Identifier: MIT */
/* Producers and consumers over a bounded buffer: nothing is lost, nothing comes twice. */
#include <pthread.h>

#include "sync.h"

#define PRODUCERS 4
#define CONSUMERS 3
#define EACH 300
#define PLACES 5

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[PLACES], first, used, producing = PRODUCERS;
static int seen[PRODUCERS * EACH];

static void *produce(void *number)
{
	for (int i = 0; i < EACH; i++) {
		pthread_mutex_lock(&mutex);
		while (used == PLACES)
			MUST(pthread_cond_wait(&not_full, &mutex) == 0);
		buffer[(first + used++) % PLACES] = (int)(long)number * EACH + i;
		MUST(used <= PLACES);
		MUST(pthread_cond_signal(&not_empty) == 0);
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	if (--producing == 0)
		MUST(pthread_cond_broadcast(&not_empty) == 0);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *consume(void *unused)
{
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (!used && producing)
			MUST(pthread_cond_wait(&not_empty, &mutex) == 0);
		if (!used)
			break;
		seen[buffer[first]]++;
		first = (first + 1) % PLACES;
		used--;
		pthread_mutex_unlock(&mutex);
		MUST(pthread_cond_signal(&not_full) == 0); /* without the mutex */
		pthread_mutex_lock(&mutex);
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *work(void *number)
{
	long i = (long)number;
	return i < PRODUCERS ? produce(number) : consume(NULL);
}

int main(void)
{
	int once = 0;
	in_threads(PRODUCERS + CONSUMERS, work);
	for (int i = 0; i < PRODUCERS * EACH; i++)
		once += seen[i] == 1;
	printf("%d of %d came once\n", once, PRODUCERS * EACH);
	SAY_ERROR(pthread_cond_destroy(&not_full));
	SAY_ERROR(pthread_cond_destroy(&not_empty));
	return 0;
}
