/* SPDX-License-Identifier: MIT */
/* A thread that waits in a loop for a lock, without `pause`, while who has it has given way. It counts in the lock
 * itself, so that it is never where it was before (kernel/linux/entry/spin.c), and by what it does, it might well end
 * the loop itself (hypervisor/monitor/code/code_waits.h). */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static long lock = 1;

static void *take(void *unused)
{
	while (__atomic_fetch_add(&lock, 1, __ATOMIC_ACQUIRE))
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
