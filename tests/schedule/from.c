/* SPDX-License-Identifier: MIT */
/* Three threads take turns, then three others, with the marker "middle" between; a seventh waits from before the marker
 * until after it. Prints the turns of each phase on a line: which thread had each turn. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#ifdef __EREMITE__
#include <eremite.h>
#else
#include "libc-port/include/eremite.h"
#endif

#define THREADS 3
#define TURNS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static char turns[64];
static int open;

static void *take_turns(void *name)
{
	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&lock);
		strncat(turns, name, 1);
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return NULL;
}

static void *wait_until_open(void *name)
{
	pthread_mutex_lock(&lock);
	while (!open)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
	return take_turns(name);
}

static void phase(char *names)
{
	pthread_t threads[THREADS];
	turns[0] = 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take_turns, names + i);
	pthread_mutex_lock(&lock);
	open = *names == 'd';
	pthread_cond_broadcast(&change);
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	puts(turns);
}

int main(void)
{
	static char first[] = "abc", second[] = "def", waiter[] = "w";
	pthread_t waiting;
	pthread_create(&waiting, NULL, wait_until_open, waiter);
	phase(first);
	eremite_marker("begin");
	eremite_marker("middle");
	phase(second);
	pthread_join(waiting, NULL);
	return 0;
}
