/* SPDX-License-Identifier: MIT */
/* First in, first out: a thread runs until it blocks, or for a slice. rr has a shorter slice. The slice of fifo exists
 * so that a spinning thread cannot keep the thread that it waits for from running.
 *
 * A thread that frees a lock and wakes a waiter may take the lock again before the waiter runs. It may then be replaced
 * while it holds the lock: by its slice, which can end at the same place for ever, by a wait, or because it yields.
 * Therefore a thread that was woken, was chosen, and waits again at once runs before all others when it is next woken.
 * The running thread gives way to it at the end of the kernel call that wakes it, or at the next decision point. The
 * woken thread runs in the rest of the slice, so that two threads that wake each other do not keep a third from
 * running. */
#include "kernel/sched/policy_state.h"

enum {
	CHOSEN_AT = STATE_OWN, /* the decision at which the running thread was chosen */
	MAKES_WAY_FOR, /* a thread that was woken, and was chosen in vain before; the running thread gives way to it; 0:
	                  none */
	IN_VAIN,       /* a bit for each thread that waits again after it was chosen in vain */
};

/* Decision points that a woken thread passes until it waits again in vain. A call that waits again by itself until it
 * succeeds passes no point. With a condition variable the thread passes three points: checking the condition,
 * pthread_cond_wait, and its kernel call. A futex may be a library's condition variable, with one more point: before
 * the futex call the thread may wait for its mutex and compute the next deadline, as waiters for Python's interpreter
 * lock do. */
static unsigned points_in_vain(const struct thread *thread)
{
	return thread->reason.cause == SCHED_CAUSE_condition ? 3 : thread->futex ? 4 : 0;
}

/* Not inlined, to keep images small. */
static __attribute__((noinline)) uint64_t fifo_slice(void)
{
	const struct boot_sched *boot = sched_boot();
	return boot->policy == SCHED_rr ? SCHED_PARAMETER(boot, rr, quantum) : SCHED_PARAMETER(boot, fifo, slice);
}

/* fifo and rr have no slots. Threads whose numbers are 64 apart share a bit, and one may get the other's turn. */
static uint64_t bit_of(const struct thread *thread)
{
	return 1UL << thread->number % 64;
}

static void fifo_woken(const struct thread *thread)
{
	uint64_t *state = policy_state(0), bit = bit_of(thread);
	if (state[MAKES_WAY_FOR] || thread->wake_result || !(state[IN_VAIN] & bit))
		return;
	state[IN_VAIN] ^= bit;
	state[MAKES_WAY_FOR] = (uint64_t)thread;
	policy_ask_within(0);
}

static bool continues(enum sched_kind kind)
{
	return kind == SCHED_KIND_preempt || (kind == SCHED_KIND_tick && !policy_slice_is_over(fifo_slice()));
}

/* Whether a waiting thread was woken before, not by its deadline or a signal, and gained nothing by it. */
static bool was_in_vain(const struct thread *thread)
{
	uint64_t points = sched_shared()->decision - *policy_state(CHOSEN_AT);
	return !thread->wake_result && thread->switches > 1 && points <= points_in_vain(thread);
}

static struct thread *fifo_pick(const struct sched_question *question)
{
	uint64_t *state = policy_state(0);
	struct thread *current = question->current, *next = (struct thread *)state[MAKES_WAY_FOR];
	if (!next && continues(question->kind))
		return current;
	if (question->kind == SCHED_KIND_block && was_in_vain(current))
		state[IN_VAIN] |= bit_of(current);
	if (next && fifo_slice() != SCHED_NEVER && !policy_slice_is_over(fifo_slice())) {
		state[STATE_RUNNER] = next->number;
	} else {
		policy_slice_end();
		next = policy_first(question, true);
	}
	state[CHOSEN_AT] = sched_shared()->decision;
	state[MAKES_WAY_FOR] = 0;
	return next;
}

static void fifo_arm(const struct thread *chosen)
{
	policy_arm(POLICY_NEVER, policy_slice_left(chosen, fifo_slice()));
}

const struct sched_policy policy_fifo = {
	.name = "fifo",
	.woken = fifo_woken,
	.pick = fifo_pick,
	.arm = fifo_arm,
};

const struct sched_policy policy_rr = {
	.name = "rr",
	.woken = fifo_woken,
	.pick = fifo_pick,
	.arm = fifo_arm,
};
