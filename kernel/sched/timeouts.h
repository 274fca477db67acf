/* SPDX-License-Identifier: MIT */
/* Waits with a deadline: a heap of waiting threads, the nearest deadline at the top. */
#ifndef KERNEL_SCHED_TIMEOUTS_H
#define KERNEL_SCHED_TIMEOUTS_H

#include "kernel/sched/thread.h"

/** Reserves room for this many threads. Returns 0 or -ENOMEM. */
int timeouts_reserve(unsigned threads);

/** Adds a thread with its deadline_ns; removes it. Removing a thread that is not in the heap does nothing. */
void timeouts_add(struct thread *thread);
void timeouts_remove(struct thread *thread);

/** The nearest deadline; UINT64_MAX: none. */
uint64_t timeouts_next_ns(void);

/** The thread with the nearest deadline; of several, the one that has waited longest. NULL: none. */
struct thread *timeouts_first(void);

#endif
