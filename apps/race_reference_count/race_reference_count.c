/* SPDX-License-Identifier: MIT */
/* Bug: a reference is given up by an atomic decrement, and whether it was the last one is asked by a second access. Two
 * threads that both give up theirs first both find none left, and both destroy the object.
 * Bites: "destroyed twice", status 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

static atomic_int references = 2;
static atomic_int destroyed;

static void put(void)
{
	int left = atomic_fetch_sub(&references, 1) - 1;
	if (!FIXED)
		left = atomic_load(&references);
	if (left == 0)
		atomic_fetch_add(&destroyed, 1);
}

static void *use(void *unused)
{
	put();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, use, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (destroyed == 1)
		return 0;
	printf("destroyed %s\n", destroyed == 2 ? "twice" : "never");
	return 1;
}
