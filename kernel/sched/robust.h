/* SPDX-License-Identifier: MIT */
/* Robust futexes (get_robust_list(2)): the locks that a thread held at its end are marked, and one waiter is woken. */
#ifndef KERNEL_SCHED_ROBUST_H
#define KERNEL_SCHED_ROBUST_H

#include "kernel/sched/thread.h"

#define ROBUST_HEAD_BYTES 24

/** A thread ends: goes through its list, which is the program's memory, as far as it can be read. */
void robust_exit(const struct thread *thread);

#endif
