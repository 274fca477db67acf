/* SPDX-License-Identifier: MIT */
/* Virtual clock: counts the cost of the work done, in ticks of a quarter of a nanosecond (abi/ticks.h). It reads no
 * hardware.
 *
 * It is one countdown. Kernel calls subtract their cost from it, and so does code compiled with ticks. When it is used
 * up, something is due: a timer, a timeout, or a question to the policy. Its start value depends on the policy.
 * Therefore neither the countdown nor the time it counts to may get into memory or stay in a register. */
#ifndef KERNEL_TIME_VCLOCK_H
#define KERNEL_TIME_VCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched_shared.h"
#include "abi/ticks.h"
#include "kernel/arch/direct_map.h"

/** The countdown: what is left until something is due (abi/ticks.h). It is at a low address, so that code reaches it
 * cheaply. */
extern long __eremite_ticks_left;

/** Whether code of a Linux program has places that count time (--clock work). */
extern bool vclock_counts_work;

/** What the running loop has counted in a register and not yet charged (libc-port/ticks/check.h); 0 outside of such a
 * loop. */
extern long __eremite_ticks_owed;

/** While a check handles a used-up countdown: the address at which it continues (kernel/sched/ask.S). There are many
 * checks, so one short instruction sets it, and no register is needed to read it: 8 bytes, of which
 * the instruction sets 4. */
extern uint64_t __eremite_ticks_back;

/** Starts the clock at 0 with CLOCK_REALTIME at epoch_ns (nanoseconds since 1970-01-01T00:00:00Z), uptime_ns after the
 * boot. */
void vclock_init(int64_t epoch_ns, uint64_t uptime_ns);

/** Ticks since the start. */
uint64_t vclock_ticks(void);

/** vclock_ticks inline, for the path of each thread switch, where six calls took a tenth of the time. It is assembly
 * because no register, and no flag, may show the limit for longer than this. */
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

/** Nanoseconds since the start of the run. The kernel's deadlines count from there. */
uint64_t vclock_now(void);

/** Nanoseconds since the boot, which lies before the start: CLOCK_MONOTONIC and CLOCK_BOOTTIME, as programs see them.
 */
uint64_t vclock_monotonic(void);

/** A moment by vclock_now, as programs see it. */
uint64_t vclock_since_boot(uint64_t moment_ns);

/** Nanoseconds since 1970: CLOCK_REALTIME. */
int64_t vclock_realtime(void);

/** Nanoseconds of work done, without jumps: CLOCK_PROCESS_CPUTIME_ID. */
uint64_t vclock_cpu(void);

struct process;

/** personality.process_cpu_due where there is one process: when, by vclock_now, vclock_cpu is cpu_ns, if no more
 * jumps come before. */
uint64_t vclock_cpu_due(const struct process *process, uint64_t cpu_ns);

/** The last time, by vclock_now, to which the clock may jump; later times never come. It is 145 years after the start,
 * or March 2262 by CLOCK_REALTIME if that is earlier: the numbers overflow soon after. */
uint64_t vclock_end(void);

/** Advances the clock by ns, as work done. */
void vclock_advance(uint64_t ns);

/** Charges what the running loop owes, because the loop is interrupted. Returns the amount, in the countdown's unit,
 * for vclock_owe. */
long vclock_pay(void);

/** Takes the charge back: the loop continues, with what it owes in its register. */
void vclock_owe(long owed);

/** Jumps to a later time, at most vclock_end, because no thread can run before it. Earlier times change nothing. */
void vclock_jump(uint64_t now_ns);

/** Sets the time, in ticks, at which something is due. Only on the policies' stack. */
void vclock_arm(uint64_t due_ticks);

/** Whether something is due. */
static inline __attribute__((always_inline)) bool vclock_is_due(void)
{
	bool due;
	__asm__ volatile("cmpq $0, %[left]" : "=@ccle"(due) : [left] "m"(__eremite_ticks_left));
	return due;
}

/** At the end of a run: closes the account. In memory, the countdown is then 0, whatever its start value was, and so is
 * the address at which the last check continued. */
void vclock_close(void);

#endif
