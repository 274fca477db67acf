/* SPDX-License-Identifier: MIT */
/* Priorities of threads for processor and disk. They are stored and read back, but do not affect the schedule. */
#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/sys/sys.h"

#define PRIO_PROCESS 0
#define PRIO_PGRP 1
#define PRIO_USER 2
#define NICE_MIN (-20)
#define NICE_MAX 19

#define IOPRIO_CLASS_NONE 0
#define IOPRIO_CLASS_RT 1
#define IOPRIO_CLASS_BE 2
#define IOPRIO_CLASS_IDLE 3
#define IOPRIO_CLASS_SHIFT 13
#define IOPRIO_LEVELS 8

/* Whether a process has the group, or the user, that the arguments select. */
static bool is_process_meant(const struct linux_process *process, int which, int who)
{
	const struct linux_process *self = process_self();
	if (which == PRIO_PGRP)
		return process->group == (who ? (uint32_t)who : self->group);
	return process->credentials.user.real == (who ? (uint32_t)who : self->credentials.user.real);
}

/* Whether the arguments select a thread. */
static bool has_priority_of(const struct thread *thread, int which, int who)
{
	if (which == PRIO_PROCESS)
		return who ? thread->tid == (uint32_t)who : thread == thread_current;
	return is_process_meant(thread->process->more, which, who);
}

/* The next selected process that has ended and was not waited for: it has a priority, but no thread. NULL: none. */
static struct linux_process *next_ended(const struct linux_process *after, int which, int who)
{
	struct process *process = after ? after->base->next : &process_first;
	for (; process; process = process->next)
		if (process->more->ended && (which == PRIO_PROCESS ? process->id == (uint32_t)who
		                                                   : is_process_meant(process->more, which, who)))
			return process->more;
	return NULL;
}

/* The next selected thread (NULL: the first). A process whose first thread has ended is represented by a remaining
 * one. */
static struct thread *next_meant(const struct thread *after, int which, int who)
{
	struct linux_process *process = which == PRIO_PROCESS && who ? process_find((uint32_t)who) : NULL;
	struct thread *thread = after ? after->after : thread_first();
	if (process && !process->ended && !thread_find((uint32_t)who)) {
		struct process *current = process_enter(process->base);
		thread = process_thread_after(after);
		process_enter(current);
		return after ? NULL : thread;
	}
	while (thread && !has_priority_of(thread, which, who))
		thread = thread->after;
	return thread;
}

/* Returns the highest priority of the selected threads, that is the lowest nice value, as 1 (nice 19) to 40 (nice -20).
 * So the result is never taken for an error. */
long sys_getpriority(int which, int who)
{
	long found = -ESRCH;
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	for (struct thread *thread = NULL; (thread = next_meant(thread, which, who));)
		if (20 - thread->nice > found)
			found = 20 - thread->nice;
	for (struct linux_process *process = NULL; (process = next_ended(process, which, who));)
		if (20 - process->nice > found)
			found = 20 - process->nice;
	return found;
}

long sys_setpriority(int which, int who, int nice)
{
	long result = -ESRCH;
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	nice = nice < NICE_MIN ? NICE_MIN : nice > NICE_MAX ? NICE_MAX : nice;
	for (struct thread *thread = NULL; (thread = next_meant(thread, which, who));) {
		thread->nice = nice;
		result = 0;
	}
	for (struct linux_process *process = NULL; (process = next_ended(process, which, who));) {
		process->nice = nice;
		result = 0;
	}
	return result;
}

/* ioprio_set(2) counts from 1, and setpriority(2) from 0. */
static bool has_which(int which)
{
	return which > PRIO_PROCESS && which <= PRIO_USER + 1;
}

long sys_ioprio_set(int which, int who, int priority)
{
	int class = priority >> IOPRIO_CLASS_SHIFT, level = priority & ((1 << IOPRIO_CLASS_SHIFT) - 1);
	bool is_valid = class == IOPRIO_CLASS_NONE                             ? level == 0
	                : class == IOPRIO_CLASS_RT || class == IOPRIO_CLASS_BE ? level < IOPRIO_LEVELS
	                                                                       : class == IOPRIO_CLASS_IDLE;
	long result = -ESRCH;
	if (!is_valid || !has_which(which))
		return -EINVAL;
	for (struct thread *thread = NULL; (thread = next_meant(thread, which - 1, who));) {
		thread->io_priority = priority;
		result = 0;
	}
	return result;
}

long sys_ioprio_get(int which, int who)
{
	if (!has_which(which))
		return -EINVAL;
	const struct thread *thread = next_meant(NULL, which - 1, who);
	return thread ? thread->io_priority : -ESRCH;
}
