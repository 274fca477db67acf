/* SPDX-License-Identifier: MIT */
/* Partial-order sampling: Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
 *
 * What each thread does next, between its decision point and the following one, is an event with a random priority. The
 * highest of those that can happen does; then every other that races with it gets a fresh priority, so that the order
 * of racing events is drawn again and again while independent ones are left alone.
 *
 * Not in the paper: events race when they are on the same object, 8 bytes of memory counting as one, and not both only
 * read; two system calls race unless both name objects, and those differ. What follows a wait, a tick or a thread's
 * start is an event that races with none. Threads that yield, or run for a slice without a decision point, give way. */
#include "kernel/sched/policy_state.h"

enum { /* words of a slot */
       PRIORITY,
       OP,
       OBJECT,
};

static uint64_t slice(void)
{
	return SCHED_PARAMETER(sched_boot(), pos, slice);
}

static bool only_reads(uint64_t op)
{
	return op == SCHED_OP_load || op == SCHED_OP_pthread_rwlock_rdlock || op == SCHED_OP_pthread_join;
}

static bool races(const uint64_t *a, const uint64_t *b)
{
	if (a[OP] == SCHED_OP_NONE || b[OP] == SCHED_OP_NONE)
		return false;
	if (a[OBJECT] && b[OBJECT])
		return a[OBJECT] / 8 == b[OBJECT] / 8 && !(only_reads(a[OP]) && only_reads(b[OP]));
	return a[OP] < SCHED_OP_FIRST && b[OP] < SCHED_OP_FIRST;
}

static void set_event(const struct thread *thread, uint64_t op, const void *object)
{
	uint64_t *slot = policy_slot(thread);
	slot[PRIORITY] = policy_random_word();
	slot[OP] = op;
	slot[OBJECT] = (uint64_t)object;
}

static void pos_init(const struct boot_sched *boot)
{
	(void)boot;
	policy_random_init();
}

static void pos_created(const struct thread *thread)
{
	set_event(thread, SCHED_OP_NONE, NULL);
	policy_ask_soon();
}

/* It goes on with the event in which it waited. */
static void pos_woken(const struct thread *thread)
{
	policy_slot(thread)[PRIORITY] = policy_random_word();
	policy_ask_soon();
}

static struct thread *highest(const struct sched_question *question, bool others)
{
	struct thread *best = policy_first(question, others);
	for (struct thread *thread = best; thread; thread = policy_next(question, thread))
		if (policy_slot(thread)[PRIORITY] > policy_slot(best)[PRIORITY])
			best = thread;
	return best;
}

static struct thread *pos_pick(const struct sched_question *question)
{
	bool others = false;
	policy_note_others(question);
	if (question->kind == SCHED_KIND_preempt) {
		set_event(question->current, question->op, question->object);
	} else if (question->kind == SCHED_KIND_tick && !policy_slice_is_over(slice())) {
		return question->current;
	} else if (question->goes_on) {
		set_event(question->current, SCHED_OP_NONE, NULL);
		others = true;
	}
	struct thread *best = highest(question, others);
	for (struct thread *thread = policy_first(question, false); thread; thread = policy_next(question, thread))
		if (thread != best && races(policy_slot(thread), policy_slot(best)))
			policy_slot(thread)[PRIORITY] = policy_random_word();
	policy_slice_end();
	return best;
}

static void pos_arm(const struct thread *chosen)
{
	policy_arm(policy_next_point(), policy_slice_left(chosen, slice()));
}

const struct sched_policy policy_pos = {
	.name = "pos",
	.init = pos_init,
	.created = pos_created,
	.woken = pos_woken,
	.pick = pos_pick,
	.choose = policy_choose_any,
	.arm = pos_arm,
};
