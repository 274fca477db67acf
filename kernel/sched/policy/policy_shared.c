/* SPDX-License-Identifier: MIT */
/* Functions for policies that choose by priority, or make threads give way: slices, and the thread with the highest
 * priority.
 *
 * A wait does not renew a slice: otherwise two threads that wake each other in turn could keep a third from running for
 * ever. Time that passes in a jump, while all threads wait, is charged to no thread. */
#include "kernel/sched/policy_state.h"

/* From nanoseconds, so that it never goes back: vclock_ticks() minus what jumps of time added is exact only to 1 ns. */
uint64_t policy_worked_ticks(void)
{
	return vclock_cpu() * TICKS_PER_NS;
}

void policy_slice_renew(const struct thread *thread)
{
	policy_slot(thread)[SLOT_USED] = 0;
}

bool policy_slice_used_up(const struct thread *ran, uint64_t slice, bool point)
{
	uint64_t used = policy_worked_ticks() - *policy_state(STATE_SLICE) + (point ? slice / SLICE_POINTS : 0);
	policy_slot(ran)[SLOT_USED] = used;
	return slice != SCHED_NEVER && used >= slice;
}

uint64_t policy_slice_rest(const struct thread *chosen, uint64_t slice)
{
	uint64_t used = policy_slot(chosen)[SLOT_USED];
	*policy_state(STATE_SLICE) = policy_worked_ticks() - used;
	if (slice == SCHED_NEVER)
		return POLICY_NEVER;
	return slice > used ? slice - used : 0;
}

struct thread *policy_highest(const struct sched_question *question)
{
	struct thread *best = policy_first(question, false);
	for (struct thread *thread = best; thread; thread = policy_next(question, thread))
		if (policy_slot(thread)[SLOT_PRIORITY] > policy_slot(best)[SLOT_PRIORITY])
			best = thread;
	return best;
}
