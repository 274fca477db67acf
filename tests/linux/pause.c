/* SPDX-License-Identifier: MIT */
/* Threads that wait in loops with `pause`: each makes way for the others. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS 50

static atomic_int turn;
static double sums[THREADS];

static void *take_turns(void *argument)
{
	long self = (long)argument;
	double sum = 1.0 / (double)(self + 3); /* in a register that a switch must keep */
	for (int round = 0; round < ROUNDS; round++) {
		while (atomic_load(&turn) % THREADS != self)
			__builtin_ia32_pause();
		sum = sum * 1.5 + round;
		atomic_fetch_add(&turn, 1);
	}
	sums[self] = sum;
	return NULL;
}

static void *sleep_then_take_turn(void *argument)
{
	usleep(300);
	atomic_store(&turn, -1);
	return argument;
}

/* Nothing else can run, but time passes. */
static void wait_for_sleeper(void)
{
	pthread_t sleeper;
	pthread_create(&sleeper, NULL, sleep_then_take_turn, NULL);
	while (atomic_load(&turn) >= 0)
		__builtin_ia32_pause();
	pthread_join(sleeper, NULL);
	puts("woken");
}

int main(void)
{
	pthread_t threads[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%.17g\n", sums[i]);
	printf("%d turns\n", atomic_load(&turn));
	wait_for_sleeper();
	return 0;
}
