/* SPDX-License-Identifier: MIT */
/* Bug: lost update. x++ loads, adds and stores; what another thread stores between the two is overwritten.
 * Bites: "19 of 20 counted", status 1. */
#include <pthread.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROUNDS 10

static volatile int counter; /* so that gcc adds in each round */

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (FIXED)
			__atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
		else
			counter++;
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (counter == 2 * ROUNDS)
		return 0;
	printf("%d of %d counted\n", counter, 2 * ROUNDS);
	return 1;
}
