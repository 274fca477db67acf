/* SPDX-License-Identifier: MIT */
/* What policies share: where their state lies in the boot area and in the schedule area, who can go on, and slices. */
#ifndef KERNEL_SCHED_POLICY_STATE_H
#define KERNEL_SCHED_POLICY_STATE_H

#include "abi/sched_parameters.h"
#include "kernel/sched/policy.h"
#include "kernel/time/vclock.h"

/** Words of sched_shared.random. */
enum policy_state {
	STATE_STREAM, /**< numbers drawn from the random stream */
	STATE_RUNNER, /**< fifo, rr: the thread whose slice it is; 0: it begins with whoever is chosen */
	STATE_SLICE,  /**< when it began, or would have begun if it had not been interrupted, in ticks */
	STATE_OTHERS, /**< how many could go on beside the thread that does */
	STATE_OWN,    /**< from here on each policy's own */
};

/** Words of a slot: the thread's priority, where it has one; how much of its slice it has used, in ticks. */
#define SLOT_PRIORITY 0
#define SLOT_USED 3

/** The last words of sched_area.policy hold a block of the random stream; the others are each policy's own. */
#define POLICY_STREAM_WORDS 8
#define POLICY_OWN_WORDS (4096 - POLICY_STREAM_WORDS)

static inline uint64_t *policy_state(unsigned word)
{
	return &sched_shared()->random[word];
}

static inline uint64_t *policy_slot(const struct thread *thread)
{
	return sched_area()->slots[thread->slot].word;
}

static inline struct thread *policy_ready_first(void)
{
	return sched_ready_count() ? sched_ready_at(0) : NULL;
}

/** The first of those who can go on; `others`: current is left out if there is any other. */
static inline struct thread *policy_first(const struct sched_question *question, bool others)
{
	struct thread *first = policy_ready_first();
	return question->goes_on && !(others && first) ? question->current : first;
}

/** The one after it, NULL: there is none. */
static inline struct thread *policy_next(const struct sched_question *question, const struct thread *thread)
{
	return question->goes_on && thread == question->current ? policy_ready_first() : thread->next;
}

/** How many policy_first and policy_next go through. */
static inline unsigned policy_count(const struct sched_question *question, bool others)
{
	unsigned ready = sched_ready_count();
	return question->goes_on && !(others && ready) ? ready + 1 : ready;
}

/** Notes the others. For pick() of policies that want to be asked at each point. */
static inline void policy_note_others(const struct sched_question *question)
{
	*policy_state(STATE_OTHERS) = policy_count(question, false) - 1;
}

/** When to ask next, likewise: while no other is ready, there is nothing to ask; created() and woken() ask soon. */
static inline uint64_t policy_next_point(void)
{
	return *policy_state(STATE_OTHERS) ? 1 : POLICY_NEVER;
}

/* fifo and rr, which have no slots: a slice goes on until another thread runs. */

/** Whether the thread that runs has had its slice. */
static inline bool policy_slice_is_over(uint64_t slice)
{
	return slice != SCHED_NEVER && vclock_ticks() - *policy_state(STATE_SLICE) >= slice;
}

/** The next arm() begins a new slice, even if the same thread goes on. */
static inline void policy_slice_end(void)
{
	*policy_state(STATE_RUNNER) = 0;
}

/** Ticks that are left of the slice of the thread that goes on; begins one if it is another thread. For arm(). */
static inline uint64_t policy_slice_left(const struct thread *chosen, uint64_t slice)
{
	uint64_t now = vclock_ticks_inline();
	if (*policy_state(STATE_RUNNER) != chosen->number) {
		*policy_state(STATE_RUNNER) = chosen->number;
		*policy_state(STATE_SLICE) = now;
	}
	uint64_t ran = now - *policy_state(STATE_SLICE);
	if (slice == SCHED_NEVER)
		return POLICY_NEVER;
	return slice > ran ? slice - ran : 0;
}

/* The others: a slice is what a thread may run in all, however often it waits or others run before it, until it makes
 * way for all others. So each that is ready runs after a slice of each of the others at the latest. */

/** The thread has its whole slice again. For created(), and when it makes way. */
void policy_slice_renew(const struct thread *thread);

/** That many decision points use up a slice, too, where a policy charges them: to be asked costs what a slice does not
 * tell of. */
#define SLICE_POINTS 65536

/** Charges who has run, with a decision point if `point`. Whether its slice is used up. For pick(), each time. */
bool policy_slice_used_up(const struct thread *ran, uint64_t slice, bool point);

/** Ticks that are left of the slice of who goes on. For arm(), each time. */
uint64_t policy_slice_rest(const struct thread *chosen, uint64_t slice);

/** Of those who can go on the one with the highest priority, current before others, then the one ready for longest. */
struct thread *policy_highest(const struct sched_question *question);

/** A uniform choice, for policies that have no better idea. */
unsigned policy_choose_any(const struct sched_choice *choice);

/** The stream begins. For init(). */
void policy_random_init(void);

/** A uniform 64-bit number. */
uint64_t policy_random_word(void);

/**
 * How many trials up to the first success, 1 or more, when each succeeds with probability chance / 2^64 (0: 1). Drawn
 * in one step, so that a rare event costs nothing until it comes.
 */
uint64_t policy_random_distance(uint64_t chance);

#endif
