/* SPDX-License-Identifier: MIT */
/* The processors that programs are told of (--cpus), and those that a thread has asked for: sched_setaffinity(2). */
#ifndef KERNEL_SYS_SCHEDULING_H
#define KERNEL_SYS_SCHEDULING_H

#include "kernel/sched/thread.h"

/** Their number, 1 to 64; set before programs run. Threads run one at a time whatever it is. */
extern uint32_t scheduling_processors;

/** All of them, as a mask. */
uint64_t scheduling_all(void);

/** Those on which a thread may run, as it is told. */
uint64_t scheduling_affinity(const struct thread *thread);

/** The policies (sched(7)), SCHED_*. */
enum {
	LINUX_SCHED_OTHER = 0,
	LINUX_SCHED_FIFO = 1,
	LINUX_SCHED_RR = 2,
	LINUX_SCHED_BATCH = 3,
	LINUX_SCHED_IDLE = 5,
	LINUX_SCHED_DEADLINE = 6,
	LINUX_SCHED_RESET_ON_FORK = 0x40000000,
};

/** Gives a thread a policy and the priority that belongs to it. 0 or -EINVAL. */
long scheduling_set(struct thread *thread, int policy, int priority);

/** The running thread has asked for other processors: told to Linux programs alone. */
__attribute__((weak)) void scheduling_moved(void);

#endif
