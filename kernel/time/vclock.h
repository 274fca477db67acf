/* SPDX-License-Identifier: MIT */
/* Virtual clock: what the work done costs, in ticks of a quarter of a nanosecond (abi/sched.h); reads no hardware.
 *
 * It is one countdown. Kernel calls subtract their cost from it, and so does code that was compiled with ticks; when it
 * is used up, something is due: a timer, a timeout, or the policy's wish to be asked. How far it is set up depends
 * on the policy, so that neither it nor the moment it counts to may get into memory or into a register that stays. */
#ifndef KERNEL_TIME_VCLOCK_H
#define KERNEL_TIME_VCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched.h"
#include "abi/ticks.h"
#include "kernel/arch/direct_map.h"

/** The countdown: what is left until something is due (abi/ticks.h). At a low address, so that code reaches it cheaply.
 */
extern long __eremite_ticks_left;

/** What the loop that runs has counted in a register and not yet charged (libc-port/ticks/check.h); 0 outside of one.
 */
extern long __eremite_ticks_owed;

/**
 * Where a check goes on that found the countdown used up, for as long as it takes (kernel/sched/ask.S). Checks are
 * many, so that it is to be set by one short instruction, and to be reached by no register.
 */
extern unsigned __eremite_ticks_back;

/** Starts the clock at 0 with CLOCK_REALTIME at epoch_ns (nanoseconds since 1970-01-01T00:00:00Z). */
void vclock_init(int64_t epoch_ns);

/** Ticks since the start. */
uint64_t vclock_ticks(void);

/** The same in line, for what each switch of threads goes through: six calls were a tenth of it. In assembly because
 * no register, and no flag, may tell of the limit longer than for this. */
static inline __attribute__((always_inline)) uint64_t vclock_ticks_inline(void)
{
	const struct sched_shared *shared = phys_to_virt(LAYOUT_SCHED);
	uint64_t now;
	__asm__ volatile("mov %[left], %[now]\n\t"
	                 "sar %[shift], %[now]\n\t"
	                 "neg %[now]\n\t"
	                 "add %[limit], %[now]\n\t"
	                 "cmp $0, %[now]"
	                 : [now] "=&r"(now)
	                 : [limit] "m"(shared->limit), [left] "m"(__eremite_ticks_left), [shift] "i"(TICKS_LEFT_SHIFT)
	                 : "cc");
	return now;
}

/** Nanoseconds since the start: CLOCK_MONOTONIC. */
uint64_t vclock_now(void);

/** Nanoseconds since 1970: CLOCK_REALTIME. */
int64_t vclock_realtime(void);

/** Nanoseconds of work done, jumps left out: CLOCK_PROCESS_CPUTIME_ID. */
uint64_t vclock_cpu(void);

struct process;

/** The same of the current process; and when, by vclock_now, that of a process shows so much: in the past if it does,
 * UINT64_MAX as long as another process runs. Native images have one process; those of Linux programs are in
 * kernel/linux/time/cpu_timer.c. */
uint64_t vclock_process_cpu(void);
uint64_t vclock_cpu_due(const struct process *process, uint64_t cpu_ns);

/**
 * The last moment, by vclock_now, to which the clock may jump; what is later never comes. 145 years after the start, or
 * March 2262 by CLOCK_REALTIME if that is sooner: the numbers end soon after.
 */
uint64_t vclock_end(void);

/** Lets ns pass, as work done. */
void vclock_advance(uint64_t ns);

/** Charges what the loop that runs owes, for it is left. Returns it, for vclock_owe, in the countdown's unit. */
long vclock_pay(void);

/** Takes the charge back: the loop goes on, with what it owes in its register. */
void vclock_owe(long owed);

/** Jumps to a later moment, vclock_end at most, because nothing can run before it; earlier ones change nothing. */
void vclock_jump(uint64_t now_ns);

/** Sets the moment, in ticks, from which something is due. Only on the policies' stack. */
void vclock_arm(uint64_t due_ticks);

/** Whether something is due. */
static inline __attribute__((always_inline)) bool vclock_is_due(void)
{
	bool due;
	__asm__ volatile("cmpq $0, %[left]" : "=@ccle"(due) : [left] "m"(__eremite_ticks_left));
	return due;
}

/**
 * At the end of a run: the account is closed, and in memory the countdown is 0, whatever it was set up for, and so is
 * the place of the last check that found it used up.
 */
void vclock_close(void);

#endif
