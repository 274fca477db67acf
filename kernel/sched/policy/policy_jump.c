/* SPDX-License-Identifier: MIT */
/* Jumps of time while a thread is ready, for the policies that search. On a busy machine a sleep or a timeout may end
 * before a ready thread has run. Without jumps, work takes so little virtual time that every ready thread is faster
 * than every sleep.
 *
 * When a thread waits, yields or ends, time jumps with a fixed chance. At decision points the right chance depends on
 * how many points lie between two events, so each seed draws one, as pct draws its number of steps.
 *
 * The time skipped since all threads last waited is at most `delay`. So threads that poll and sleep cannot keep others
 * from running: once they have slept for `delay`, they sleep until the others wait, too. */
#include "kernel/sched/policy_state.h"

/* Chance when a thread waits: as a power of 1/2. */
#define WAIT_SHIFT 1

/* Chances at decision points: powers of 1/2, from 1/4 to 1/2048. */
#define POINT_SHIFT_MIN 2
#define POINT_SHIFTS 10

/* The parameter has one index in all policies that search. */
_Static_assert((int)SCHED_PARAMETER_random_delay == (int)SCHED_PARAMETER_pct_delay, "index of delay");
_Static_assert((int)SCHED_PARAMETER_random_delay == (int)SCHED_PARAMETER_pos_delay, "index of delay");
_Static_assert((int)SCHED_PARAMETER_random_delay == (int)SCHED_PARAMETER_surw_delay, "index of delay");

void policy_jump_init(void)
{
	*policy_state(STATE_JUMPS) = 1UL << (64 - POINT_SHIFT_MIN - policy_random_below(POINT_SHIFTS));
}

bool policy_jump_is_possible(uint64_t ns)
{
	uint64_t delay = SCHED_PARAMETER(sched_boot(), random, delay), lag_ns = sched_shared()->lag_ns;
	return delay != SCHED_NEVER && ns <= delay / TICKS_PER_NS && lag_ns <= delay / TICKS_PER_NS - ns;
}

bool policy_jump(const struct sched_question *question, uint64_t ns)
{
	bool point = question->kind == SCHED_KIND_preempt;
	uint64_t chance = point ? *policy_state(STATE_JUMPS) : 1UL << (64 - WAIT_SHIFT);
	return policy_jump_is_possible(ns) && policy_random_word() < chance;
}
