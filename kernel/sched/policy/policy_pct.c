/* SPDX-License-Identifier: MIT */
/* Probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
 *
 * Each new thread gets a random priority, higher than `depth`. Of the threads that can run, the one with the highest
 * priority runs. depth - 1 of the first `steps` decision points, drawn beforehand, are change points: the thread that
 * passes the i-th one drawn gets priority i. With n threads and at most `steps` points, this finds a bug that needs
 * `depth` orderings with a probability of at least 1 / (n * steps^(depth - 1)).
 *
 * Not in the paper: the first `from` points have no change point, as the threads may not exist yet. Without a given
 * number of steps, the seed draws a power of two, so that among a few dozen seeds some fit any program. A thread gets
 * the lowest priority of all when it yields, because it may be spinning for another thread. It also gets the lowest
 * priority when it has run for a slice since it last got it. So each ready thread runs at the latest after one slice of
 * each other thread. Choices (wake order and the like) are uniform.
 *
 * A thread that is woken or made takes over from one of lower priority at the end of the call that wakes or makes it.
 */
#include "abi/doorbell.h"
#include "kernel/end.h"
#include "kernel/sched/policy_state.h"

/* Priorities: first those of new threads, then those of change points, then those of threads that spun. */
#define PRIORITY_NEW (1UL << 63)
#define PRIORITY_CHANGED (1UL << 62)

enum {
	CHANGES = STATE_OWN, /* index of the next change point */
	LOWEST,              /* the last priority given to a thread that spun */
};

/* Sorted by point; in sched_area.policy. */
struct change {
	uint64_t point, priority;
};

/* Steps drawn: 16 to 131072. */
#define STEPS_SHIFT_MIN 4
#define STEPS_SHIFTS 14

#define CHANGES_MAX (SCHED_DEPTH_MAX - 1)

_Static_assert(CHANGES_MAX * sizeof(struct change) <= POLICY_OWN_WORDS * sizeof(uint64_t), "changes fit");

static struct change *changes(void)
{
	return (struct change *)sched_area()->policy;
}

static uint64_t change_count(void)
{
	return SCHED_PARAMETER(sched_boot(), pct, depth) - 1;
}

static void pct_init(const struct boot_sched *boot)
{
	uint64_t steps = SCHED_PARAMETER(boot, pct, steps), from = SCHED_PARAMETER(boot, pct, from);
	if (change_count() > CHANGES_MAX)
		end_with_report(END_REFUSED, 0, "pct: depth must be at most 2045");
	policy_random_init();
	policy_jump_init();
	if (steps == 0)
		steps = 1UL << (STEPS_SHIFT_MIN + policy_random_below(STEPS_SHIFTS));
	*policy_state(CHANGES) = 0;
	*policy_state(LOWEST) = PRIORITY_CHANGED;
	for (uint64_t i = 0; i < change_count(); i++) {
		struct change change = {sched_shared()->decision + 1 + from + policy_random_below(steps),
		                        PRIORITY_CHANGED + 1 + i};
		uint64_t at = i;
		for (; at && changes()[at - 1].point > change.point; at--)
			changes()[at] = changes()[at - 1];
		changes()[at] = change;
	}
}

static void pct_created(const struct thread *thread)
{
	policy_slot(thread)[SLOT_PRIORITY] = PRIORITY_NEW + policy_random_below(PRIORITY_NEW);
	policy_slice_renew(thread);
	policy_ask_soon();
	policy_ask_woken();
}

static void pct_woken(const struct thread *thread)
{
	(void)thread;
	policy_ask_soon();
	policy_ask_woken();
}

static void pass_change_points(const struct thread *current)
{
	for (; *policy_state(CHANGES) < change_count(); ++*policy_state(CHANGES)) {
		const struct change *change = &changes()[*policy_state(CHANGES)];
		if (change->point > sched_shared()->decision)
			break;
		policy_slot(current)[SLOT_PRIORITY] = change->priority;
	}
}

static void lower(const struct thread *current)
{
	policy_slot(current)[SLOT_PRIORITY] = --*policy_state(LOWEST);
	policy_slice_renew(current);
}

static struct thread *pct_pick(const struct sched_question *question)
{
	if (question->kind == SCHED_KIND_preempt)
		pass_change_points(question->current);
	if (policy_slice_used_up(question->current, SCHED_PARAMETER(sched_boot(), pct, slice), false) ||
	    question->kind == SCHED_KIND_yield)
		lower(question->current);
	return policy_highest(question);
}

static void pct_arm(const struct thread *chosen)
{
	uint64_t points = POLICY_NEVER, decision = sched_shared()->decision;
	if (*policy_state(CHANGES) < change_count()) {
		uint64_t point = changes()[*policy_state(CHANGES)].point;
		points = point > decision ? point - decision
		                          : 1; /* choices count as decisions, too, so the point may be past */
	}
	policy_arm(points, policy_slice_rest(chosen, SCHED_PARAMETER(sched_boot(), pct, slice)));
}

const struct sched_policy policy_pct = {
	.name = "pct",
	.init = pct_init,
	.created = pct_created,
	.woken = pct_woken,
	.pick = pct_pick,
	.jumps = policy_jump,
	.choose = policy_choose_any,
	.arm = pct_arm,
};
