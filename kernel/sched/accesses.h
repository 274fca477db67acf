/* SPDX-License-Identifier: MIT */
/* The profile of a run, for `eremite search`: which thread passed how many decision points on which object. */
#ifndef KERNEL_SCHED_ACCESSES_H
#define KERNEL_SCHED_ACCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched_area.h"
#include "kernel/sched/policy.h"

/** Whether this run counts accesses. Every decision point then calls the kernel; arm_point_is_early() keeps those from
 * the policy that it did not ask for. */
static inline bool accesses_are_counted(void)
{
	return sched_boot()->flags & SCHED_FLAG_ACCESSES;
}

/** The policy starts: the profile is about what follows. On the policies' stack. */
static inline void accesses_begin(void)
{
	if (accesses_are_counted())
		sched_area()->profile.start = sched_shared()->decision;
}

/** Counts a point of the running thread before `op` on an object (NULL: none), unless it is the only thread. Runs on
 * the policies' stack. */
void accesses_note(uint64_t op, const void *object);

#endif
