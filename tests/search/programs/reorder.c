/* SPDX-License-Identifier: MIT */
/* Bug: SETTERS threads (10, or the argument) set a, then b; a checker takes for granted that both are set or none is.
 * It must run after the first store to a and before the first one to b.
 * Bites: "half is set", status 1. Fixed by a lock. After the program reorder of SCTBench (Thomson et al., 2014). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

#define SETTERS_MAX 1000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int a, b;
static int half;

static void *set(void *unused)
{
	if (FIXED)
		pthread_mutex_lock(&lock);
	a = 1;
	b = -1;
	if (FIXED)
		pthread_mutex_unlock(&lock);
	return unused;
}

static void *check(void *unused)
{
	if (FIXED)
		pthread_mutex_lock(&lock);
	half = !((a == 0 && b == 0) || (a == 1 && b == -1));
	if (FIXED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(int argc, char **argv)
{
	static pthread_t threads[SETTERS_MAX + 1];
	const int setters = argc > 1 ? atoi(argv[1]) : 10;
	if (setters < 1 || setters > SETTERS_MAX)
		return 2;
	for (int i = 0; i < setters; i++)
		pthread_create(&threads[i], NULL, set, NULL);
	pthread_create(&threads[setters], NULL, check, NULL);
	for (int i = 0; i <= setters; i++)
		pthread_join(threads[i], NULL);
	if (half)
		puts("half is set");
	return half;
}
