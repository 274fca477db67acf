/* SPDX-License-Identifier: MIT */
/* Processes: the state that threads share. A native image is one process; Linux programs may have more
 * (kernel/linux/process/linux_process.h). The number of a process is that of its first thread. */
#ifndef KERNEL_SCHED_PROCESS_H
#define KERNEL_SCHED_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#include "abi/linux_mman.h"
#include "kernel/rand/entropy.h"
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
struct vfs_process;

struct process {
	struct process *next; /**< list of all processes, oldest first */
	uint32_t id;
	unsigned threads; /**< number of living threads */
	struct signal_state signals;
	struct process_timer timers[PROCESS_TIMERS];
	struct linux_rlimit limits[LINUX_RLIMITS]; /**< by LINUX_RLIMIT_* (kernel/sys/limits.h) */
	struct entropy_process entropy;            /**< the streams of its random numbers */
	struct vfs_process *files;  /**< directories, umask and descriptors (kernel/vfs/vfs.h); NULL after its end */
	struct linux_process *more; /**< Linux programs: kernel/linux/process/linux_process.h */
};

/** The process of the running thread, or the one that process_enter has selected. */
extern struct process *process_current;

/** The first process. */
extern struct process process_first;

/** Selects the process for operations on signals, timers and threads; returns the one selected before. Nothing in
 * between may open or close files: those of the running process come back only with it. space_current does not change.
 */
static inline struct process *process_enter(struct process *process)
{
	struct process *before = process_current;
	process_current = process;
	return before;
}

/** The living thread of the process with the lowest number above that of `thread`; NULL: the lowest of all. */
struct thread *process_thread_after(const struct thread *thread);

#endif
