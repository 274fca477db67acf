/* SPDX-License-Identifier: MIT */
/* Dining philosophers, who take the fork of the lower number first: nobody starves, and no fork is used by two. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define SEATS 7
#define MEALS 60

static pthread_mutex_t forks[SEATS];
static int users[SEATS], meals[SEATS];

static void take(int fork)
{
	MUST(pthread_mutex_lock(&forks[fork]) == 0);
	MUST(++users[fork] == 1);
}

static void put(int fork)
{
	MUST(--users[fork] == 0);
	MUST(pthread_mutex_unlock(&forks[fork]) == 0);
}

static void *dine(void *number)
{
	int left = (int)(long)number, right = (left + 1) % SEATS;
	int low = left < right ? left : right, high = left < right ? right : left;
	for (int i = 0; i < MEALS; i++) {
		take(low);
		if (i % 3 == 0)
			sched_yield();
		take(high);
		meals[left]++;
		if (i % 4 == 0)
			sched_yield();
		put(low);
		put(high);
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < SEATS; i++)
		pthread_mutex_init(&forks[i], NULL);
	in_threads(SEATS, dine);
	for (int i = 0; i < SEATS; i++)
		printf("%d ate %d times\n", i, meals[i]);
	for (int i = 0; i < SEATS; i++)
		MUST(pthread_mutex_destroy(&forks[i]) == 0);
	return 0;
}
