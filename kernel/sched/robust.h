/* SPDX-License-Identifier: MIT */
/* Robust futexes (get_robust_list(2)): when a thread ends, the locks that it holds are marked and one waiter of each is
 * woken. */
#ifndef KERNEL_SCHED_ROBUST_H
#define KERNEL_SCHED_ROBUST_H

#include "kernel/sched/thread.h"

#define ROBUST_HEAD_BYTES 24

/** A thread ends: walks its list, which is in the program's memory, as far as it can be read. */
void robust_exit(const struct thread *thread);

#endif
