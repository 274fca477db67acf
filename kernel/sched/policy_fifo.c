/* SPDX-License-Identifier: MIT */
/* First in, first out: a thread runs until it blocks, or for a slice. rr is the same with a shorter slice.
 *
 * The slice of fifo is there so that a thread that waits by spinning cannot keep the one it waits for from running. */
#include "kernel/sched/policy_state.h"

static uint64_t slice(void)
{
	const struct boot_sched *boot = sched_boot();
	return boot->policy == SCHED_rr ? SCHED_PARAMETER(boot, rr, quantum) : SCHED_PARAMETER(boot, fifo, slice);
}

static struct thread *fifo_pick(const struct sched_question *question)
{
	if (question->kind == SCHED_KIND_preempt)
		return question->current;
	if (question->kind == SCHED_KIND_tick && !policy_slice_is_over(slice()))
		return question->current;
	policy_slice_end();
	return policy_first(question, true);
}

static void fifo_arm(const struct thread *chosen)
{
	policy_arm(POLICY_NEVER, policy_slice_left(chosen, slice()));
}

const struct sched_policy policy_fifo = {
	.name = "fifo",
	.pick = fifo_pick,
	.arm = fifo_arm,
};

const struct sched_policy policy_rr = {
	.name = "rr",
	.pick = fifo_pick,
	.arm = fifo_arm,
};
