/* SPDX-License-Identifier: MIT */
/* The countdown of decision points, and when the policy wants to be asked. */
#include "kernel/sched/arm.h"

#include "kernel/lib/bug.h"
#include "kernel/sched/accesses.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/reads_from.h"
#include "kernel/time/vclock.h"

uint64_t arm_points_passed(void)
{
	const struct sched_shared *shared = sched_shared();
	return shared->points_armed - ((uint64_t)shared->points_left + 1);
}

/* Tells the monitor how many points were passed while the counters change: it may stop the run between any two
 * instructions. */
static void set_counting(uint64_t value)
{
	__asm__ volatile("" : : : "memory");
	sched_shared()->counting = value;
	__asm__ volatile("" : : : "memory");
}

void arm_points_settle(void)
{
	struct sched_shared *shared = sched_shared();
	uint64_t passed = arm_points_passed();
	set_counting(1 + shared->points_since + passed);
	shared->points_armed -= passed;
	shared->points_since += passed;
	shared->decision += passed;
	set_counting(0);
}

/* Whether the run notes what it does at points. It then has a schedule area. */
static bool may_ask_each(void)
{
	return accesses_are_counted() || reads_from_is_noted();
}

/* Whether each point asks from now on, although the policy is not due. */
static bool each_point_asks(void)
{
	return accesses_are_counted() || reads_from_has_begun();
}

static void arm_points(uint64_t points)
{
	struct sched_shared *shared = sched_shared();
	assert(points > 0);
	if (__builtin_expect(sched_shared()->from.kind == SCHED_FROM_CALL, 0))
		points = 1;               /* begin_is_due counts the kernel calls */
	assert(arm_points_passed() == 0); /* unsettled points would be lost */
	if (may_ask_each())
		sched_area()->each = each_point_asks();
	if (may_ask_each() && sched_area()->each) {
		const uint64_t decision = sched_shared()->decision;
		sched_area()->due = points < POLICY_NEVER - decision ? decision + points : POLICY_NEVER;
		points = 1;
	}
	set_counting(1 + shared->points_since);
	shared->points_armed = points < INT64_MAX ? points : INT64_MAX;
	shared->points_left = (int64_t)shared->points_armed - 1;
	set_counting(0);
}

bool arm_point_is_early(void)
{
	if (!may_ask_each() || !sched_area()->each)
		return false;
	arm_points_settle();
	const uint64_t decision = sched_shared()->decision, due = sched_area()->due;
	if (decision >= due)
		return false;
	arm_points(due - decision);
	return true;
}

void arm_points_again(void)
{
	struct sched_shared *shared = sched_shared();
	arm_points_settle();
	if (!sched_area()->each)
		arm_points((uint64_t)shared->points_left + 1);
}

void policy_arm(uint64_t points, uint64_t ticks)
{
	uint64_t now = vclock_ticks_inline();
	arm_points(points);
	sched_shared()->asks_woken = 0;
	sched_shared()->policy_ticks = ticks < POLICY_NEVER - now ? now + ticks : POLICY_NEVER;
}

void policy_ask_soon(void)
{
	arm_points_settle();
	arm_points(1);
}

void policy_ask_woken(void)
{
	sched_shared()->asks_woken = 1;
	sched_shared()->policy_ticks = vclock_ticks();
}

void policy_ask_within(uint64_t ticks)
{
	uint64_t due;
	policy_ask_soon();
	if (!__builtin_add_overflow(vclock_ticks(), ticks, &due) && due < sched_shared()->policy_ticks)
		sched_shared()->policy_ticks = due;
}
