/* SPDX-License-Identifier: MIT */
/* Constraints on the order of two accesses that race: Sen, "Race Directed Random Testing of Concurrent Programs", PLDI
 * 2008.
 *
 * A constraint names two sites, A and B (abi/sched_reads.h). Threads that are about to access at A or B are held back
 * until one is at A and another one at B, on the same object. Then the access at A is made, and that at B right behind
 * it. From there on, the thread of A is held back: what others do between its accesses is what a race can break.
 *
 * If both sites are one, the older thread comes first, or the younger one if the constraint says so.
 *
 * Not in the paper: it draws the order, and its threads go on at random. */
#include "kernel/sched/policy_state.h"
#include "kernel/sched/reads_from.h"

enum phase { MEET, FOLLOW, REST };

enum word { PHASE, FIRST, SECOND }; /* of a constraint; the two are numbers of threads */

static uint64_t *word(uint64_t constraint, enum word which)
{
	_Static_assert((POLICY_ORDER_FROM + 3) * SCHED_CONSTRAINTS_MAX <= POLICY_OWN_WORDS, "words of the policy");
	return &sched_area()->policy[(POLICY_ORDER_FROM + which) * SCHED_CONSTRAINTS_MAX + constraint];
}

static uint32_t site_of_first(uint64_t pair)
{
	return pair >> 32 & SCHED_SITE_MASK;
}

static uint32_t site_of_second(uint64_t pair)
{
	return pair & SCHED_SITE_MASK;
}

void policy_order_init(uint64_t constraint)
{
	*word(constraint, PHASE) = MEET;
}

/* Whether a thread may be the first of two that meet at one site. */
static bool may_be_first(uint64_t pair, const struct thread *thread, const struct thread *other)
{
	if (site_of_first(pair) != site_of_second(pair))
		return true;
	return (thread->number < other->number) == !(pair & SCHED_PAIR_AVOIDED);
}

/* The thread with the highest priority that is at the second site, on the same object as a thread at the first. */
static struct thread *find_second(const struct sched_question *question, uint64_t pair, const struct thread *first)
{
	struct thread *best = NULL;
	const struct sched_pending *own = reads_from_pending(first);
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread)) {
		const struct sched_pending *access = reads_from_pending(thread);
		if (thread == first || !access || access->site != site_of_second(pair) ||
		    access->object != own->object || !may_be_first(pair, first, thread))
			continue;
		if (!best || policy_slot(thread)[SLOT_PRIORITY] > policy_slot(best)[SLOT_PRIORITY])
			best = thread;
	}
	return best;
}

/* If two threads meet, notes them, and returns the one whose access comes first. */
static struct thread *meet(const struct sched_question *question, uint64_t constraint, uint64_t pair)
{
	struct thread *best = NULL;
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread)) {
		const struct sched_pending *access = reads_from_pending(thread);
		if (!access || access->site != site_of_first(pair))
			continue;
		const struct thread *second = find_second(question, pair, thread);
		if (!second || (best && policy_slot(thread)[SLOT_PRIORITY] <= policy_slot(best)[SLOT_PRIORITY]))
			continue;
		best = thread;
		*word(constraint, FIRST) = thread->number;
		*word(constraint, SECOND) = second->number;
		*word(constraint, PHASE) = FOLLOW;
	}
	return best;
}

/* The thread whose access comes second, if it is still at that site. */
static struct thread *follow_order(const struct sched_question *question, uint64_t constraint, uint64_t pair)
{
	*word(constraint, PHASE) = REST;
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread)) {
		const struct sched_pending *access = reads_from_pending(thread);
		if (thread->number == *word(constraint, SECOND) && access && access->site == site_of_second(pair))
			return thread;
	}
	return NULL;
}

struct thread *policy_order_next(const struct sched_question *question, uint64_t constraint)
{
	const uint64_t pair = sched_area()->counts[constraint];
	switch ((enum phase) * word(constraint, PHASE)) {
	case MEET:
		return meet(question, constraint, pair);
	case FOLLOW:
		return follow_order(question, constraint, pair);
	default:
		return NULL;
	}
}

bool policy_order_holds(uint64_t constraint, const struct thread *thread)
{
	const uint64_t pair = sched_area()->counts[constraint];
	const struct sched_pending *access = reads_from_pending(thread);
	switch ((enum phase) * word(constraint, PHASE)) {
	case MEET:
		return access && (access->site == site_of_first(pair) || access->site == site_of_second(pair));
	case REST:
		return thread->number == *word(constraint, FIRST);
	default:
		return false;
	}
}
