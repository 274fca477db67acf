/* SPDX-License-Identifier: MIT */
/* A thread that waits in a loop for a lock, by xchg without `pause`, while who has it has given way. It counts
 * meanwhile, so that it is never where it was before (kernel/linux/spin.c). */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static int lock = 1;

static void *take(void *unused)
{
	for (unsigned long rounds = 0; __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE); rounds++)
		__asm__ volatile("" : : "r"(rounds));
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
