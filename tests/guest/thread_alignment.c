/* SPDX-License-Identifier: MIT */
/* The alignment check (AC in rflags) is a thread's own: who sets it finds it set when it runs again, others do not. The
 * threads have the same floating-point environment here, or not. */
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define AC 0x40000UL
#define RED_ZONE "128"

enum { ROUNDS = 6 };

static atomic_int turn;
static unsigned seen[2][ROUNDS];

/* Sets AC, or clears it; in assembly around a call that nothing in C may come between. */
static void set_ac(uint64_t wanted)
{
	uint64_t flags;
	__asm__ volatile("sub $" RED_ZONE ", %%rsp\n\t"
	                 "pushfq\n\t"
	                 "pop %0\n\t"
	                 "and %2, %0\n\t"
	                 "or %1, %0\n\t"
	                 "push %0\n\t"
	                 "popfq\n\t"
	                 "add $" RED_ZONE ", %%rsp"
	                 : "=&r"(flags)
	                 : "r"(wanted), "r"(~AC)
	                 : "memory", "cc");
}

static unsigned has_ac(void)
{
	uint64_t flags;
	__asm__ volatile("sub $" RED_ZONE ", %%rsp\n\tpushfq\n\tpop %0\n\tadd $" RED_ZONE ", %%rsp"
	                 : "=r"(flags)
	                 :
	                 : "memory", "cc");
	return (flags & AC) != 0;
}

/* Gives its turn to the other one, and waits until it is back. Thread 0 does so with AC set in every other round. */
static void *take_turns(void *number)
{
	int self = (int)(intptr_t)number;
	if (self)
		feraiseexcept(FE_INEXACT);
	for (int round = 0; round < ROUNDS; round++) {
		if (self && round == ROUNDS / 2)
			feclearexcept(FE_ALL_EXCEPT);
		set_ac(self == 0 && round % 2 == 0 ? AC : 0);
		do
			sched_yield();
		while (atomic_load(&turn) != self);
		seen[self][round] = has_ac();
		set_ac(0);
		atomic_store(&turn, !self);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	sched_yield(); /* the dynamic linker must not find it while AC is set */
	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++)
		for (int round = 0; round < ROUNDS; round++)
			printf("%u%c", seen[i][round], round == ROUNDS - 1 ? '\n' : ' ');
	return 0;
}
