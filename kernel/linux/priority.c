/* SPDX-License-Identifier: MIT */
/* Priorities of processes for the processor and for disks. They are kept, and told, but change no schedule. */
#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/process.h"
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

/* Whether a process is one of those that the arguments say. */
static bool is_meant(const struct linux_process *process, int which, int who)
{
	const struct linux_process *self = process_self();
	if (process->ended)
		return false;
	switch (which) {
	case PRIO_PROCESS:
		return who ? process->base->id == (uint32_t)who : process == self;
	case PRIO_PGRP:
		return process->group == (who ? (uint32_t)who : self->group);
	default:
		return process->credentials.user.real == (who ? (uint32_t)who : self->credentials.user.real);
	}
}

/* The highest, which is the lowest number; told as 1 (19) to 40 (-20), so that no error is mistaken for it. */
long sys_getpriority(int which, int who)
{
	long found = -ESRCH;
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	for (struct process *process = &process_first; process; process = process->next)
		if (is_meant(process->more, which, who) && 20 - process->more->nice > found)
			found = 20 - process->more->nice;
	return found;
}

long sys_setpriority(int which, int who, int nice)
{
	long result = -ESRCH;
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	nice = nice < NICE_MIN ? NICE_MIN : nice > NICE_MAX ? NICE_MAX : nice;
	for (struct process *process = &process_first; process; process = process->next)
		if (is_meant(process->more, which, who)) {
			process->more->nice = nice;
			result = 0;
		}
	return result;
}

/* ioprio_set(2) counts from 1 what setpriority(2) counts from 0. */
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
	for (struct process *process = &process_first; process; process = process->next)
		if (is_meant(process->more, which - 1, who)) {
			process->more->io_priority = priority;
			result = 0;
		}
	return result;
}

long sys_ioprio_get(int which, int who)
{
	if (!has_which(which))
		return -EINVAL;
	for (struct process *process = &process_first; process; process = process->next)
		if (is_meant(process->more, which - 1, who))
			return process->more->io_priority;
	return -ESRCH;
}
