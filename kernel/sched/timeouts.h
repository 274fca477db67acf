/* SPDX-License-Identifier: MIT */
/* Waits that end at a moment: a heap of waiting threads, the one with the nearest deadline at the top. */
#ifndef KERNEL_SCHED_TIMEOUTS_H
#define KERNEL_SCHED_TIMEOUTS_H

#include "kernel/sched/thread.h"

/** Has room for so many threads. 0 or -ENOMEM. */
int timeouts_reserve(unsigned threads);

/** Adds a thread with its deadline_ns, and takes it out again; it need not be there for that. */
void timeouts_add(struct thread *thread);
void timeouts_remove(struct thread *thread);

/** The nearest deadline; UINT64_MAX: nobody waits for one. */
uint64_t timeouts_next_ns(void);

/** The thread whose deadline it is: of several the one that has waited for longest. NULL: nobody waits. */
struct thread *timeouts_first(void);

#endif
