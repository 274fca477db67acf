/* SPDX-License-Identifier: MIT */
/* The countdown of decision points: how many were passed since it was set up, and since the last record.
 *
 * points_left + 1 decision points from now the policy is asked. What was passed is points_armed - (points_left + 1),
 * so that passing one costs a decrement and nothing else; settling puts it into the accounts. */
#ifndef KERNEL_SCHED_ARM_H
#define KERNEL_SCHED_ARM_H

#include <stdint.h>

/** Decision points passed since the last settling. */
uint64_t sched_points_passed(void);

/** Adds them to the accounts, sched_shared()->points_since and ->decision. When the policy is asked is not changed. */
void sched_points_settle(void);

#endif
