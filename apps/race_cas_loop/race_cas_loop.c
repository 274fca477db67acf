/* SPDX-License-Identifier: MIT */
/* Bug: the new value of a compare-and-swap loop is computed before the loop. When the exchange fails, because another
 * thread came between, it is tried again with a value made from the old one.
 * Bites: "9 left of 10 deposits", status 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define DEPOSITS 5

static atomic_int balance;

static void deposit(void)
{
	int seen = atomic_load(&balance), wanted = seen + 1;
	while (!atomic_compare_exchange_weak(&balance, &seen, wanted)) {
		if (FIXED)
			wanted = seen + 1;
	}
}

static void *save(void *unused)
{
	for (int i = 0; i < DEPOSITS; i++)
		deposit();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, save, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (balance == 2 * DEPOSITS)
		return 0;
	printf("%d left of %d deposits\n", (int)balance, 2 * DEPOSITS);
	return 1;
}
