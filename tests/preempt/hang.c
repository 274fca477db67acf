/* SPDX-License-Identifier: MIT */
/* A thread that waits in a loop for a lock, by xchg without `pause`, while who has it has given way. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int lock = 1;

static void *take(void *unused)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, take, NULL);
	sched_yield();
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
