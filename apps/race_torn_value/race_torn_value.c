/* SPDX-License-Identifier: MIT */
/* Bug: a value of two words is written and read without a lock. A reader may see the half of one and the half of
 * another. Bites: "seen: 1, -2", status 1. */
#include <pthread.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROUNDS 4

struct point {
	volatile long x, y; /* y is always -x */
};

static struct point shared = {1, -1}, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
	if (FIXED)
		pthread_mutex_lock(&lock);
}

static void leave(void)
{
	if (FIXED)
		pthread_mutex_unlock(&lock);
}

static void *move(void *unused)
{
	for (long i = 2; i < 2 + ROUNDS; i++) {
		enter();
		shared.x = i;
		shared.y = -i;
		leave();
	}
	return unused;
}

static void *look(void *unused)
{
	for (int i = 0; i < ROUNDS && seen.y == -seen.x; i++) {
		enter();
		seen.x = shared.x;
		seen.y = shared.y;
		leave();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, move, NULL);
	pthread_create(&threads[1], NULL, look, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (seen.y == -seen.x)
		return 0;
	printf("seen: %ld, %ld\n", seen.x, seen.y);
	return 1;
}
