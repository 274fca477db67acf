/* SPDX-License-Identifier: MIT */
/* Asking whether another thread takes over, and doing it: what a place at which threads are replaced is made of (ask.S;
 * of Linux programs kernel/linux/entry/linux_point.c).
 *
 * Who asks is on the policies' stack and leaves no trace; who acts is on the thread's. */
#ifndef KERNEL_SCHED_ASK_H
#define KERNEL_SCHED_ASK_H

#include <stdint.h>

#include "kernel/sched/thread.h"

/** At a decision point, before `op`, a system call's number or an enum sched_op, on an object (NULL: none): the thread
 * that takes over, or 0. */
uint64_t sched_point_asked(uint64_t op, const void *object);

/** Has it take over, and delivers signals; returns when this thread runs again. */
void sched_point_act(struct thread *next);

/** The same before a kernel call, without signals: what begins to wait in the call must not miss one that comes before.
 */
void sched_call_act(struct thread *next);

/** When the countdown of ticks has run out: what there is to do for sched_ticks_act, or 0. */
uint64_t sched_ticks_asked(void);

/** Does that: timers and timeouts that are due, another thread, signals. */
void sched_ticks_act(uint64_t what);

#endif
