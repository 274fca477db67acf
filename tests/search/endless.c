/* SPDX-License-Identifier: MIT */
/* Two threads, one of which computes for ever if the other is first. */
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

int main(void)
{
	pthread_t other;
	volatile uint64_t steps = 0;
	pthread_create(&other, NULL, be_first, NULL);
	sched_yield();
	if (!first)
		first = 1;
	while (first == 2)
		steps++;
	pthread_join(other, NULL);
	return 0;
}
