/* SPDX-License-Identifier: MIT */
/* The number of processors that programs see (--cpus), and the affinity of threads: sched_setaffinity(2). */
#ifndef KERNEL_SYS_SCHEDULING_H
#define KERNEL_SYS_SCHEDULING_H

#include "kernel/sched/thread.h"

/** The number of processors, 1 to 64; set before programs run. Threads run one at a time whatever it is. */
extern uint32_t scheduling_processors;

/** A mask of all processors. */
uint64_t scheduling_all(void);

/** The affinity mask that a thread sees. */
uint64_t scheduling_affinity(const struct thread *thread);

/** The scheduling policies of Linux (sched(7)), SCHED_*. */
enum {
	LINUX_SCHED_OTHER = 0,
	LINUX_SCHED_FIFO = 1,
	LINUX_SCHED_RR = 2,
	LINUX_SCHED_BATCH = 3,
	LINUX_SCHED_IDLE = 5,
	LINUX_SCHED_DEADLINE = 6,
	LINUX_SCHED_RESET_ON_FORK = 0x40000000,
};

/** Sets a thread's policy and priority. Returns 0 or -EINVAL. */
long scheduling_set(struct thread *thread, int policy, int priority);

#endif
