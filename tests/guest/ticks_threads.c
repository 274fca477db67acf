/* SPDX-License-Identifier: MIT */
/* Threads that compute, and never call anything, get on together: each waits for the other by spinning.
 * eremite-options: --sched rr:quantum=10us */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 3 /* each of them a slice of 100 ms under fifo */

static volatile int turn;

static void *take_turns(void *argument)
{
	int mine = (int)(long)argument;
	for (int i = 0; i < ROUNDS; i++) {
		while (turn != mine)
			;
		turn = !mine;
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d turns taken\n", 2 * ROUNDS);
	return 0;
}
