/* SPDX-License-Identifier: MIT */
/* How a place where threads can be replaced asks whether another thread takes over, and switches to it (ask.S; for
 * Linux programs kernel/linux/entry/linux_point.c).
 *
 * Functions that ask run on the policies' stack and leave no trace; functions that act run on the thread's stack. */
#ifndef KERNEL_SCHED_ASK_H
#define KERNEL_SCHED_ASK_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** Asks at a decision point before `what` (a system call number or an enum sched_op, perhaps with SCHED_LOOK_LOADED) on
 * an object (NULL: none); `place` is the address of the code that accesses it. Returns what sched_point_act or
 * sched_call_act has to do, or 0. */
uint64_t sched_point_asked(uint64_t what, const void *object, uint64_t place);

/** Lets time jump or another thread run, as sched_point_asked returned, and delivers signals. Returns when this thread
 * runs again. */
void sched_point_act(uint64_t what);

/** As sched_point_act, before a kernel call, without delivering signals: a call that starts to wait must not miss a
 * signal that comes before it. */
void sched_call_act(uint64_t what);

/** Called when the countdown of ticks has run out. Returns what sched_ticks_act has to do, or 0. */
uint64_t sched_ticks_asked(void);

/** Does what sched_ticks_asked returned: due timers and timeouts, another thread, signals. */
void sched_ticks_act(uint64_t what);

/** For kernel code that ends, on the thread's stack: does what is due, which may let another thread run. Without a
 * call, and without changing a register, for the reason given in ask.S. */
static inline __attribute__((always_inline)) void sched_ticks_take(void)
{
	__asm__ volatile("movl $1f, __eremite_ticks_back\n\t"
	                 "jmp ask_ticks_taken\n"
	                 "1:"
	                 :
	                 :
	                 : "cc", "memory");
}

#endif
