/* SPDX-License-Identifier: MIT */
/* Bug: Dekker's mutual exclusion with two lines in the wrong order. A thread has to say that it wants to enter, then
 * look at the other; here it looks first, so both can find the way free.
 * Bites: "2 threads were inside", status 1. Fixed: the order is right. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

static _Atomic int wants[2], turn, inside, most;

static void wait_for(int other)
{
	const int self = 1 - other;
	while (wants[other])
		if (turn == other) {
			wants[self] = 0;
			while (turn == other)
				sched_yield();
			wants[self] = FIXED;
		} else {
			sched_yield();
		}
}

static void *enter(void *arg)
{
	const int self = arg != NULL, other = 1 - self;
	if (FIXED) {
		wants[self] = 1;
		wait_for(other);
	} else {
		wait_for(other);
		wants[self] = 1;
	}
	const int now = ++inside;
	if (now > most)
		most = now;
	inside--;
	turn = other;
	wants[self] = 0;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, enter, NULL);
	pthread_create(&threads[1], NULL, enter, &turn);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (most == 1)
		return 0;
	printf("%d threads were inside\n", most);
	return 1;
}
