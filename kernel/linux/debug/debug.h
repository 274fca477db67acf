/* SPDX-License-Identifier: MIT */
/* Serves a debugger of the first process (eremite debug, abi/debug.h): stops its threads, and performs the monitor's
 * requests while one stands.
 *
 * A run under a debugger must leave the same memory behind as one without. A stop is no decision, advances no clock,
 * and touches no page. Where the program was in a trap, the code runs on the trap stack, which is cleared at the end.
 * Where it was in a system call, the code runs on a stack in the area of the debugger, and is entered by jumps. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_H
#define KERNEL_LINUX_DEBUG_DEBUG_H

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/debug.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/trap.h"
#include "kernel/signal/signal_frame.h"

/** Whether the run is debugged. */
static inline __attribute__((always_inline)) bool debug_is_on(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->flags & BOOT_FLAG_DEBUG;
}

/** Whether the debugger wants that the signal of the last stop is not delivered. True once for each signal. */
static inline bool debug_drops_signal(void)
{
	struct debug_area *area = phys_to_virt(LAYOUT_DEBUG);
	if (!debug_is_on() || !(area->request.tid & DEBUG_GO_DROPS))
		return false;
	area->request.tid = 0;
	return true;
}

/** Stops the running thread in a system call, if the run is debugged: at the start of the program (DEBUG_AT_START),
 * before a signal is delivered (DEBUG_AT_SIGNAL; `info` leads to its struct linux_siginfo; NULL: it ends the process),
 * or in a deadlock. With DEBUG_AT_PLACE, it stops where it continues, at address
 * `sig`, if a wanted place is reached. No register changes; the arguments are in registers in either case. */
static inline __attribute__((always_inline)) void debug_note(enum debug_reason reason, uint64_t sig, const void *info)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	__asm__ volatile("testl %[flag], %[flags]\n\t"
	                 "jz 1f\n\t"
	                 "movabs %%rax, %P[saved]\n\t"
	                 "lea 2f(%%rip), %%rax\n\t"
	                 "jmp debug_enter_note\n"
	                 "2:\n\t"
	                 "movabs %P[saved], %%rax\n"
	                 "1:"
	                 :
	                 : "D"(reason), "S"(sig), "d"(info), [flag] "i"(BOOT_FLAG_DEBUG), [flags] "m"(boot->flags),
	                   [saved] "i"(LAYOUT_DIRECT_MAP + DEBUG_SAVED)
	                 : "memory", "cc");
}

/** A system call begins and ends. Only debug_enter.S calls these, and debug_stop_in_call for debug_note. */
void debug_call_begins(const struct trap_frame *frame);
void debug_call_ends(const struct trap_frame *frame);
void debug_stop_in_call(enum debug_reason reason, uint64_t sig, const void *info);

/** personality.trap_begins: takes the debugger's own exceptions, and removes the breakpoints while another is handled.
 */
bool debug_trap_begins(struct trap_frame *frame);

/** personality.trap_ends */
void debug_trap_ends(struct trap_frame *frame);

/** personality.deadlocked: stops the thread that waits last. */
void debug_deadlocked(void);

/** personality.signal_frame_push and signal_die_at: a fault stops the program first. */
int debug_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                     uint64_t mask, uint64_t return_address);
_Noreturn void debug_die_at(const struct trap_frame *frame, int sig, const char *what);

#endif
