/* SPDX-License-Identifier: MIT */
/* Bug: check, then act. Each access to the balance is locked, but not the withdrawal as a whole: two threads may both
 * find that there is enough, and both take it.
 * Bites: "balance -50", status 1. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static bool has(int amount)
{
	pthread_mutex_lock(&lock);
	bool enough = balance >= amount;
	pthread_mutex_unlock(&lock);
	return enough;
}

static void take(int amount)
{
	pthread_mutex_lock(&lock);
	balance -= amount;
	pthread_mutex_unlock(&lock);
}

static void take_if_enough(int amount)
{
	pthread_mutex_lock(&lock);
	if (balance >= amount)
		balance -= amount;
	pthread_mutex_unlock(&lock);
}

static void *withdraw(void *unused)
{
	if (FIXED)
		take_if_enough(75);
	else if (has(75))
		take(75);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, withdraw, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (balance >= 0)
		return 0;
	printf("balance %d\n", balance);
	return 1;
}
