/* SPDX-License-Identifier: MIT */
/* First in, first out: a thread runs until it blocks, or for a slice. rr is the same with a shorter slice.
 *
 * The slice of fifo is there so that a thread that waits by spinning cannot keep the one it waits for from running. */
#include "kernel/sched/policy_state.h"

static uint64_t fifo_slice(void)
{
	return SCHED_PARAMETER(sched_boot(), fifo, slice);
}

static uint64_t rr_quantum(void)
{
	return SCHED_PARAMETER(sched_boot(), rr, quantum);
}

static struct thread *pick(const struct sched_question *question, uint64_t slice)
{
	if (question->kind == SCHED_KIND_preempt)
		return question->current;
	if (question->kind == SCHED_KIND_tick && !policy_slice_is_over(slice))
		return question->current;
	policy_slice_end();
	return policy_first(question, true);
}

static void arm(const struct thread *chosen, uint64_t slice)
{
	policy_arm(POLICY_NEVER, policy_slice_left(chosen, slice));
}

static struct thread *fifo_pick(const struct sched_question *question)
{
	return pick(question, fifo_slice());
}

static void fifo_arm(const struct thread *chosen)
{
	arm(chosen, fifo_slice());
}

static struct thread *rr_pick(const struct sched_question *question)
{
	return pick(question, rr_quantum());
}

static void rr_arm(const struct thread *chosen)
{
	arm(chosen, rr_quantum());
}

const struct sched_policy policy_fifo = {
	.name = "fifo",
	.pick = fifo_pick,
	.arm = fifo_arm,
};

const struct sched_policy policy_rr = {
	.name = "rr",
	.pick = rr_pick,
	.arm = rr_arm,
};
