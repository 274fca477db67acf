/* SPDX-License-Identifier: MIT */
/* Two threads, one of which computes for ever if the other is first; with an argument, if it is first itself, and it
 * fails if the other is. */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static volatile int first;

static void *be_first(void *unused)
{
	sched_yield();
	if (!first)
		first = 2;
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other;
	volatile uint64_t steps = 0;
	const int endless = argc > 1 ? 1 : 2;
	(void)argv;
	pthread_create(&other, NULL, be_first, NULL);
	sched_yield();
	if (!first)
		first = 1;
	while (first == endless)
		steps++;
	pthread_join(other, NULL);
	return argc > 1;
}
