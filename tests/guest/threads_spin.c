/* SPDX-License-Identifier: MIT */
/* Threads that wait for others in a loop without a kernel call: the policy's slice ends, and the others go on. */
#include "waiter.h"

#define THREADS 3
#define ROUNDS 1

static atomic_int started, lock, turn;
static int counter;

static void acquire(void)
{
	while (atomic_exchange(&lock, 1))
		;
}

static void release(void)
{
	atomic_store(&lock, 0);
}

/* The section gives way, so that others come to the lock while it is taken. */
static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		acquire();
		int seen = counter;
		sched_yield();
		counter = seen + 1;
		release();
	}
	return unused;
}

static void *wait_for_main(void *unused)
{
	while (!atomic_load(&started))
		;
	return unused;
}

/* Each in its turn, which is handed on in a plain loop. */
static void *take_turns(void *number)
{
	int mine = (int)(long)number;
	for (int i = 0; i < ROUNDS; i++) {
		while (atomic_load(&turn) != mine)
			;
		atomic_store(&turn, (mine + 1) % THREADS);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_create(&threads[0], NULL, wait_for_main, NULL);
	sched_yield();
	atomic_store(&started, 1);
	pthread_join(threads[0], NULL);
	printf("started\n");
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("counted %d\n", counter);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("turns %d\n", (int)turn);
	return 0;
}
