/* SPDX-License-Identifier: MIT */
/* Processes: what threads have together. A native image is one process; Linux programs may have more
 * (kernel/linux/process/linux_process.h). The first thread of a process has its number. */
#ifndef KERNEL_SCHED_PROCESS_H
#define KERNEL_SCHED_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/sched/thread.h"
#include "kernel/signal/thread_signals.h"

/** The first process. */
#define PROCESS_ID 1

/** An interval timer; the numbers are those of enum timer_kind. */
struct process_timer {
	uint64_t deadline_ns; /**< on the timer's own clock; 0: disarmed */
	uint64_t interval_ns;
};

#define PROCESS_TIMERS 4

struct linux_process;

struct process {
	struct process *next; /**< of all processes, the oldest first */
	uint32_t id;
	unsigned threads; /**< that live */
	struct signal_state signals;
	struct process_timer timers[PROCESS_TIMERS];
	struct linux_process *more; /**< of Linux programs: kernel/linux/process/linux_process.h */
};

/** The process of the running thread, or the one that is being looked at (process_enter). */
extern struct process *process_current;

/** The first process. */
extern struct process process_first;

/** What is done from now on about signals and threads is about this process; its predecessor is returned. */
static inline struct process *process_enter(struct process *process)
{
	struct process *before = process_current;
	process_current = process;
	return before;
}

/** Of the process's living threads the one with the lowest number that is above that of `thread`; NULL: of all. */
struct thread *process_thread_after(const struct thread *thread);

#endif
