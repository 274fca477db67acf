/* SPDX-License-Identifier: MIT */
/* Notes the system calls, signals and ends of Linux programs for eremite run --strace (abi/strace.h).
 *
 * A run that is observed must leave the same memory behind as one that is not. So the code runs on a stack in the
 * observer's area, changes no register and no variable, and is entered by jumps: a call would write a return address to
 * the thread's stack. */
#ifndef KERNEL_LINUX_STRACE_STRACE_H
#define KERNEL_LINUX_STRACE_STRACE_H

#include "abi/boot.h"
#include "abi/strace.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/trap.h"

struct sched_question;
struct thread;

/** Notes a record of kind STRACE_PAD (only that the kernel can note), STRACE_AGAIN, STRACE_SIGNAL (`info` leads to its
 * struct linux_siginfo; NULL: it has no handler), STRACE_END or STRACE_NAMED (`value` is the address of the struct
 * thread, `info` its name), if the run is observed. No register changes; the arguments are in
 * registers in either case. */
static inline __attribute__((always_inline)) void strace_note(enum strace_kind kind, uint64_t value, const void *info)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	__asm__ volatile("testl %[flag], %[flags]\n\t"
	                 "jz 1f\n\t"
	                 "movabs %%rax, %P[saved]\n\t"
	                 "lea 2f(%%rip), %%rax\n\t"
	                 "jmp strace_enter_note\n"
	                 "2:\n\t"
	                 "movabs %P[saved], %%rax\n"
	                 "1:"
	                 :
	                 : "D"(kind), "S"(value), "d"(info), [flag] "i"(BOOT_FLAG_STRACE), [flags] "m"(boot->flags),
	                   [saved] "i"(LAYOUT_DIRECT_MAP + STRACE_SAVED)
	                 : "memory", "cc");
}

/** A system call begins; it ends with its result in frame->rax. Only strace_enter.S calls these, on the observer's
 * stack. */
void strace_begins(const struct trap_frame *frame);
void strace_ends(const struct trap_frame *frame);

/** personality.decided */
void strace_decided(const struct sched_question *question, const struct thread *next);

/** The countdown of ticks has run out at a place that counts time. On the policies' stack. */
void strace_ticks(const struct trap_frame *frame);

/** A page fault of the program begins. On the trap stack, which is cleared at its end. */
void strace_faults(const struct trap_frame *frame);

/** Does the work of strace_note there. */
void strace_take_note(enum strace_kind kind, uint64_t value, const void *info);

#endif
