/* SPDX-License-Identifier: MIT */
/* Constraints on reads-from pairs: the reactive scheduler of Wolff, Shi, Duck, Mathur and Roychoudhury, "Greybox
 * Fuzzing for Concurrency Testing", ASPLOS 2024.
 *
 * A constraint is a pair of sites, W and R (abi/sched_reads.h), that the run is to have, or to avoid. For a pair to
 * have, a thread that is about to read at R is held back until the last write to its object is that of W, by another
 * thread. Then others that are about to write to the object are held back until the read. As long as no thread is at R,
 * those at W, and then those that would write after W, are held back as well, but less firmly: if all threads are held
 * back, one of those at W or after W runs. When the run has the pair, the constraint ends.
 *
 * For a pair to avoid, the random stream draws one of two ways, because the paper's, the first, cannot keep a first
 * write from coming too early: a thread is held back at R while the last write is that of W, or threads are held back
 * at W until one has passed R.
 *
 * Orders of two accesses are in policy_order.c.
 *
 * Threads that are held back run when no other can. A constraint also ends when it has held threads back at HOLDS
 * questions: others may be spinning until such a thread has run.
 *
 * Not in the paper: it does not hold W back. Several constraints of one chain would then hold back each other's writes,
 * and a write that comes before its read is wasted. */
#include "kernel/sched/policy_state.h"
#include "kernel/sched/reads_from.h"
#include "kernel/sched/timeouts.h"

/* Questions in which a constraint may hold threads back: enough for other threads to get to W in a program of some
 * hundred points, and short beside a slice of SLICE_POINTS. */
#define HOLDS 2000

/* The same of an order, whose threads may meet late, or do much behind it. Threads that spin end theirs in some
 * milliseconds. */
#define HOLDS_OF_ORDER 20000

static uint64_t constraint_count(void)
{
	const uint64_t given = sched_boot()->counts;
	return given < SCHED_CONSTRAINTS_MAX ? given : SCHED_CONSTRAINTS_MAX;
}

/* How often a constraint may still hold threads back, and what it holds back: words of the policy. */
static uint64_t *left(uint64_t constraint)
{
	return &sched_area()->policy[constraint];
}

enum way { HAVE, AVOID_READING, AVOID_WRITING, ORDER };

static uint64_t *way(uint64_t constraint)
{
	return &sched_area()->policy[SCHED_CONSTRAINTS_MAX + constraint];
}

void policy_reads_init(void)
{
	_Static_assert(2 <= POLICY_ORDER_FROM, "the first words of the policy");
	for (uint64_t i = 0; i < constraint_count(); i++) {
		const uint64_t pair = sched_area()->counts[i];
		*left(i) = pair & SCHED_PAIR_ORDER ? HOLDS_OF_ORDER : HOLDS;
		*way(i) = pair & SCHED_PAIR_ORDER ? ORDER : HAVE;
		policy_order_init(i);
		if (*way(i) == HAVE && pair & SCHED_PAIR_AVOIDED)
			*way(i) = policy_random_below(2) ? AVOID_READING : AVOID_WRITING;
	}
}

/* Ends the constraints that are met. */
static void end_met(void)
{
	for (uint64_t i = 0; i < constraint_count(); i++)
		if (*left(i) && *way(i) == HAVE && reads_from_has(sched_area()->counts[i]))
			*left(i) = 0;
}

/* Ends the constraints that hold writes back until the thread that goes on has read. */
static void end_awaited(const struct thread *chosen)
{
	const struct sched_pending *access = reads_from_pending(chosen);
	for (uint64_t i = 0; access && i < constraint_count(); i++)
		if (*way(i) == AVOID_WRITING && access->site == (uint32_t)sched_area()->counts[i])
			*left(i) = 0;
}

enum hold { FREE, LOOSE, FIRM };

/* How a constraint on a pair to have holds a thread back that is about to make an access. `awaited`: a thread is at the
 * read. */
static enum hold hold_to_have(uint64_t pair, bool awaited, const struct thread *thread,
                              const struct sched_pending *access)
{
	const uint32_t from = pair >> 32 & SCHED_SITE_MASK;
	const bool is_reader = access->site == (uint32_t)pair && reads_from_reads(access->op);
	if (!is_reader && !reads_from_writes(access->op))
		return FREE;
	if (!is_reader && access->site == from)
		return awaited ? FREE : LOOSE;
	const struct sched_writer *writer = reads_from_writer(access->object);
	const bool would_be = writer && writer->site == from && writer->thread != thread->number;
	if (is_reader)
		return would_be ? FREE : FIRM;
	return !would_be ? FREE : awaited ? FIRM : LOOSE;
}

static enum hold hold_to_avoid(uint64_t pair, enum way how, const struct thread *thread,
                               const struct sched_pending *access)
{
	const uint32_t from = pair >> 32 & SCHED_SITE_MASK;
	const bool is_reader = access->site == (uint32_t)pair && reads_from_reads(access->op);
	if (how == AVOID_WRITING)
		return access->site == from && !is_reader ? FIRM : FREE;
	const struct sched_writer *writer = is_reader ? reads_from_writer(access->object) : NULL;
	return writer && writer->site == from && writer->thread != thread->number ? FIRM : FREE;
}

/* The constraints, as bits, at whose reads threads are. */
static uint64_t find_awaited(const struct sched_question *question)
{
	uint64_t found = 0;
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread)) {
		const struct sched_pending *access = reads_from_pending(thread);
		for (uint64_t i = 0; access && i < constraint_count(); i++)
			if (access->site == (uint32_t)sched_area()->counts[i])
				found |= 1UL << i;
	}
	return found;
}

/* How constraints hold a thread back, and in *used, as bits, those that do. */
static enum hold hold_of(const struct thread *thread, uint64_t awaited, uint64_t *used)
{
	const struct sched_pending *access = reads_from_pending(thread);
	enum hold most = FREE;
	for (uint64_t i = 0; i < constraint_count(); i++) {
		const uint64_t pair = sched_area()->counts[i];
		const enum way how = (enum way) * way(i);
		if (!*left(i) || (!access && how != ORDER))
			continue;
		const enum hold hold = how == ORDER  ? (policy_order_holds(i, thread) ? FIRM : FREE)
		                       : how == HAVE ? hold_to_have(pair, awaited >> i & 1, thread, access)
		                                     : hold_to_avoid(pair, how, thread, access);
		*used |= hold != FREE ? 1UL << i : 0;
		most = hold > most ? hold : most;
	}
	return most;
}

/* The thread with the highest priority of those that are held back least. */
static struct thread *choose_least_held(const struct sched_question *question)
{
	struct thread *best = NULL;
	enum hold least = FIRM, most = FREE;
	const uint64_t awaited = find_awaited(question);
	uint64_t used = 0;
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread)) {
		const enum hold hold = hold_of(thread, awaited, &used);
		most = hold > most ? hold : most;
		if (best && (hold > least ||
		             (hold == least && policy_slot(thread)[SLOT_PRIORITY] <= policy_slot(best)[SLOT_PRIORITY])))
			continue;
		best = thread;
		least = hold;
	}
	for (uint64_t i = 0; most > least && i < constraint_count(); i++)
		*left(i) -= used >> i & 1;
	return best;
}

/* The thread that an order of accesses wants now, or NULL. */
static struct thread *next_of_order(const struct sched_question *question)
{
	struct thread *wanted = NULL;
	for (uint64_t i = 0; i < constraint_count() && !wanted; i++)
		if (*way(i) == ORDER && *left(i))
			wanted = policy_order_next(question, i);
	return wanted;
}

/* Whether an order of accesses holds a thread back. */
static bool is_held_by_order(const struct thread *thread)
{
	for (uint64_t i = 0; i < constraint_count(); i++)
		if (*way(i) == ORDER && *left(i) && policy_order_holds(i, thread))
			return true;
	return false;
}

bool policy_reads_awaits(const struct sched_question *question)
{
	if (!constraint_count())
		return false;
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread))
		if (!is_held_by_order(thread))
			return false;
	return true;
}

uint64_t policy_reads_next_point(void)
{
	bool is_active = false;
	for (uint64_t i = 0; i < constraint_count(); i++)
		is_active |= *way(i) == ORDER && *left(i);
	return is_active && timeouts_first() && reads_from_has_begun() ? 1 : policy_next_point();
}

struct thread *policy_reads_highest(const struct sched_question *question)
{
	if (!constraint_count())
		return policy_highest(question);
	end_met();
	struct thread *chosen = next_of_order(question);
	if (!chosen)
		chosen = choose_least_held(question);
	end_awaited(chosen);
	return chosen;
}
