/* SPDX-License-Identifier: MIT */
/* The countdown of decision points: how many were passed since it was armed, and since the last record.
 *
 * The policy is asked when points_left + 1 more decision points have passed. The number passed since arming is
 * points_armed - (points_left + 1). Therefore passing a point costs one decrement; settling adds the number to the
 * accounts. */
#ifndef KERNEL_SCHED_ARM_H
#define KERNEL_SCHED_ARM_H

#include <stdbool.h>
#include <stdint.h>

/** Decision points passed since the last settling. */
uint64_t arm_points_passed(void);

/** Adds these points to the accounts, sched_shared()->points_since and ->decision. The point at which the policy is
 * asked stays the same. */
void arm_points_settle(void);

/** In a run that notes reads: the second thread was made, so each point asks from now on. The policy is asked at the
 * same point as before. */
void arm_points_again(void);

/** For each point that asks: whether it asks only because the run makes a profile or notes reads. Then the policy is
 * not to be asked, and the next point asks again. */
bool arm_point_is_early(void);

#endif
