/* SPDX-License-Identifier: MIT */
/* Barriers: everybody comes to the end of a round before anybody begins the next; one of them is the serial thread. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define THREADS 7
#define ROUNDS 60

static pthread_barrier_t barrier;
static int arrived[ROUNDS], serial[ROUNDS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *go_round(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		arrived[i]++;
		pthread_mutex_unlock(&mutex);
		if ((i + (long)number) % 3 == 0)
			sched_yield();
		int result = pthread_barrier_wait(&barrier);
		MUST(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
		MUST(arrived[i] == THREADS);
		if (result) {
			pthread_mutex_lock(&mutex);
			serial[i]++;
			pthread_mutex_unlock(&mutex);
		}
	}
	return NULL;
}

/* Whoever is told that it is the serial thread may destroy the barrier at once. */
static void *meet_and_destroy(void *barrier_of_two)
{
	if (pthread_barrier_wait(barrier_of_two)) {
		MUST(pthread_barrier_destroy(barrier_of_two) == 0);
		free(barrier_of_two);
	}
	return NULL;
}

static void check_destroy(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t one, other;
		pthread_barrier_t *two = malloc(sizeof(*two));
		MUST(pthread_barrier_init(two, NULL, 2) == 0);
		start(&one, meet_and_destroy, two);
		start(&other, meet_and_destroy, two);
		pthread_join(one, NULL);
		pthread_join(other, NULL);
	}
}

int main(void)
{
	pthread_barrierattr_t attributes;
	int shared, once = 0;
	SAY_ERROR(pthread_barrier_init(&barrier, NULL, 0));
	SAY_ERROR(pthread_barrier_init(&barrier, NULL, 0x80000000U));
	SAY_ERROR(pthread_barrier_init(&barrier, NULL, 0x7fffffffU));
	SAY_ERROR(pthread_barrier_init(&barrier, NULL, 0x7ffffffeU));
	SAY_ERROR(pthread_barrierattr_init(&attributes));
	SAY_ERROR(pthread_barrierattr_getpshared(&attributes, &shared));
	printf("shared %d\n", shared);
	SAY_ERROR(pthread_barrierattr_setpshared(&attributes, 2));
	SAY_ERROR(pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
	SAY_ERROR(pthread_barrierattr_getpshared(&attributes, &shared));
	printf("shared %d\n", shared);
	SAY_ERROR(pthread_barrier_init(&barrier, &attributes, 1));
	SAY_ERROR(pthread_barrierattr_destroy(&attributes));
	SAY_TRUE(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	SAY_TRUE(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
	SAY_ERROR(pthread_barrier_destroy(&barrier));
	SAY_ERROR(pthread_barrier_init(&barrier, NULL, THREADS));
	in_threads(THREADS, go_round);
	for (int i = 0; i < ROUNDS; i++)
		once += serial[i] == 1;
	printf("%d of %d rounds had one serial thread\n", once, ROUNDS);
	SAY_ERROR(pthread_barrier_destroy(&barrier));
	check_destroy();
	return 0;
}
