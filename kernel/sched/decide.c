/* SPDX-License-Identifier: MIT */
/* Decisions. Order matters: points are settled before the policy reads them, the answer is recorded with the counts
 * from before it, and the next question is armed last. */
#include "kernel/sched/decide.h"

#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/notes.h"
#include "kernel/sched/policy_state.h"
#include "kernel/sched/reads_from.h"
#include "kernel/sched/record.h"
#include "kernel/time/vclock.h"

void sched_decide_init(const struct sched_policy *policy, const struct boot_sched *boot, const struct thread *first)
{
	struct sched_shared *shared = sched_shared();
	shared->points_left = INT64_MAX - 1;
	shared->points_armed = INT64_MAX;
	shared->points_since = 0;
	shared->decision = 0;
	shared->slice_start = vclock_ticks();
	reads_from_begin();
	if (policy->init)
		policy->init(boot);
	if (policy->created)
		policy->created(first);
	arm_points_settle();
	policy->arm(first);
}

void sched_decide_begin(const struct sched_policy *policy, const struct boot_sched *boot, const struct thread *running)
{
	arm_points_settle();
	memset(policy_state(0), 0, sizeof(sched_shared()->random));
	reads_from_begin();
	if (policy->init)
		policy->init(boot);
	for (const struct thread *thread = thread_first(); thread && policy->created; thread = thread->after)
		policy->created(thread);
	arm_points_settle();
	policy->arm(running);
	if (sched_ready_count())
		policy_ask_soon();
}

/* Writes the record of an answer, with its operation and detail. */
static void record_answer(const struct sched_question *question)
{
	uint16_t op = SCHED_OP_NONE;
	uint64_t detail = 0;
	switch (question->kind) {
	case SCHED_KIND_preempt:
	case SCHED_KIND_block:
	case SCHED_KIND_yield:
		op = question->op;
		break;
	case SCHED_KIND_tick:
		detail = vclock_ticks() - sched_shared()->slice_start;
		break;
	case SCHED_KIND_woken:
		detail = sched_shared()->wakes;
		break;
	default:
		assert(question->kind == SCHED_KIND_exit);
	}
	sched_record_add(question->current->number, question->kind, op, detail);
}

struct thread *sched_decide(const struct sched_policy *policy, const struct sched_question *question)
{
	arm_points_settle();
	struct thread *next = policy->pick(question);
	assert(next);
	const bool can_go_on = question->goes_on || question->kind == SCHED_KIND_block;
	assert(next != question->current || can_go_on);
	if (!policy->records && sched_record_is_due(question, next)) {
		sched_record_next(next);
		record_answer(question);
	}
	if (next != question->current && personality.decided)
		personality.decided(question, next);
	reads_from_go_on(next);
	notes_switch(question, next);
	policy->arm(next);
	return next;
}

bool sched_decide_jumps(const struct sched_policy *policy, const struct sched_question *question, uint64_t ns)
{
	if (!policy->jumps)
		return false;
	arm_points_settle();
	if (!policy->jumps(question, ns))
		return false;
	if (!policy->records)
		sched_record_add(question->current->number, SCHED_KIND_jump, sched_record_jump_op(question), 0);
	return true;
}

enum sched_kind sched_decide_tick_kind(void)
{
	return sched_shared()->asks_woken ? SCHED_KIND_woken : SCHED_KIND_tick;
}

unsigned policy_choice_count(const struct sched_choice *choice)
{
	unsigned count = 0;
	if (choice->kind == SCHED_KIND_timeout)
		return 2;
	for (const void *option = choice->next(choice, NULL); option; option = choice->next(choice, option))
		count++;
	return count;
}

const void *policy_choice_at(const struct sched_choice *choice, unsigned index)
{
	const void *option = choice->next(choice, NULL);
	while (option && index--)
		option = choice->next(choice, option);
	return option;
}

/* The `detail` of a record. */
static uint32_t detail_of(const struct sched_choice *choice, unsigned option)
{
	return choice->kind == SCHED_KIND_timeout ? option : choice->number(policy_choice_at(choice, option));
}

unsigned sched_decide_choice(const struct sched_policy *policy, const struct thread *running,
                             const struct sched_choice *choice)
{
	arm_points_settle();
	unsigned option = policy->choose ? policy->choose(choice) : 0;
	sched_shared()->decision++;
	if (!policy->records)
		sched_record_add(running->number, choice->kind, SCHED_OP_NONE, detail_of(choice, option));
	return option;
}

void sched_decide_created(const struct sched_policy *policy, const struct thread *thread)
{
	sched_shared()->wakes++;
	reads_from_created(thread);
	notes_other(SCHED_NOTE_MADE, thread);
	if (policy->created)
		policy->created(thread);
}

void sched_decide_ended(const struct sched_policy *policy, const struct thread *thread)
{
	if (policy->ended)
		policy->ended(thread);
}

void sched_decide_woken(const struct sched_policy *policy, const struct thread *thread)
{
	sched_shared()->wakes++;
	notes_other(SCHED_NOTE_WAKES, thread);
	if (policy->woken)
		policy->woken(thread);
}

void sched_decide_end(const struct sched_policy *policy, const struct thread *running, const char *how)
{
	arm_points_settle();
	if (policy->end)
		policy->end(running->number, how);
	if (!policy->records)
		sched_record_add(running->number, SCHED_KIND_end, SCHED_OP_NONE, 0);
}

uint64_t sched_decide_number(void)
{
	return sched_shared()->decision + arm_points_passed();
}
