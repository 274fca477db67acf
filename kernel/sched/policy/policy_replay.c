/* SPDX-License-Identifier: MIT */
/* Follows a schedule, record by record, and makes no decision of its own. Anything that does not fit ends the run.
 *
 * The record at the cursor is the next one to come true. Each question and choice either matches this record, or made
 * no record when the schedule was written (record.h), or does not fit the schedule. Each decision writes its record
 * again. */
#include "kernel/lib/format.h"
#include "kernel/sched/decide.h"
#include "kernel/sched/op_name.h"
#include "kernel/sched/policy_state.h"
#include "kernel/sched/record.h"

enum {
	RUNNING = STATE_OWN, /* number of the running thread, or of the last one */
};

#define SENTENCE 176 /* as long as fault_report.message */

/* The next record to come true; NULL: the schedule is used up. */
static const struct sched_record *expected(void)
{
	const struct sched_shared *shared = sched_shared();
	return shared->records_at < shared->records_count ? &sched_area()->records[shared->records_at] : NULL;
}

static _Noreturn void end_at_misfit(const char *sentence)
{
	policy_replay_failed(sched_shared()->records_before + sched_shared()->records_at, sentence);
}

/* Completes the sentence "the schedule says ...". */
static void say(char *to, const struct sched_record *record)
{
	const char *op = record->op == SCHED_OP_NONE ? "anything" : sched_op_name(record->op);
	const char *plural = record->points == 1 ? "" : "s";
	unsigned thread = record->thread;
	unsigned long points = record->points, detail = record->detail;
	switch (record->kind) {
	case SCHED_KIND_preempt:
		format(to, SENTENCE, "thread %u is replaced before %s, its point %lu", thread, op, points);
		break;
	case SCHED_KIND_tick:
		format(to, SENTENCE, "thread %u is replaced %lu ticks on, after %lu point%s", thread, detail, points,
		       plural);
		break;
	case SCHED_KIND_block:
		format(to, SENTENCE, "thread %u waits in %s after %lu point%s", thread, op, points, plural);
		break;
	case SCHED_KIND_yield:
		format(to, SENTENCE, "thread %u gives way in %s after %lu point%s", thread, op, points, plural);
		break;
	case SCHED_KIND_exit:
		format(to, SENTENCE, "thread %u ends after %lu point%s", thread, points, plural);
		break;
	case SCHED_KIND_wake:
		format(to, SENTENCE, "thread %lu is woken after %lu point%s of thread %u", detail, points, plural,
		       thread);
		break;
	case SCHED_KIND_timeout:
		format(to, SENTENCE, "a %s counts after %lu point%s of thread %u", detail ? "timeout" : "wake-up",
		       points, plural, thread);
		break;
	case SCHED_KIND_signal:
		format(to, SENTENCE, "thread %lu gets a signal after %lu point%s of thread %u", detail, points, plural,
		       thread);
		break;
	case SCHED_KIND_jump:
		if (record->op == SCHED_OP_NONE)
			format(to, SENTENCE, "time jumps in a call of thread %u after %lu point%s", thread, points,
			       plural);
		else
			format(to, SENTENCE, "time jumps before %s of thread %u, its point %lu", op, thread, points);
		break;
	case SCHED_KIND_woken:
		format(to, SENTENCE, "thread %u is replaced after %lu point%s and waking %lu", thread, points, plural,
		       detail);
		break;
	case SCHED_KIND_stop:
		format(to, SENTENCE, "the run was stopped after %lu point%s of thread %u", points, plural, thread);
		break;
	default:
		format(to, SENTENCE, "the run ends after %lu point%s of thread %u", points, plural, thread);
	}
}

/* Ends the run: `happened`, after the points passed, differs from the schedule. */
static _Noreturn void misfit(const char *happened)
{
	char said[SENTENCE], sentence[SENTENCE];
	const struct sched_record *record = expected();
	if (record)
		say(said, record);
	else
		format(said, sizeof(said), "nothing more");
	format(sentence, sizeof(sentence), "decision %lu: the schedule says %s, but %s after %lu",
	       sched_decide_number(), said, happened, (unsigned long)sched_shared()->points_since);
	end_at_misfit(sentence);
}

static void say_question(char *to, const struct sched_question *question)
{
	unsigned thread = question->current->number;
	const char *op = sched_op_name(question->op);
	if (question->kind == SCHED_KIND_preempt)
		format(to, SENTENCE, "thread %u comes to %s", thread, op);
	else if (question->kind == SCHED_KIND_tick)
		format(to, SENTENCE, "that time has passed");
	else if (question->kind == SCHED_KIND_woken)
		format(to, SENTENCE, "thread %u has woken %lu", thread, sched_shared()->wakes);
	else if (question->kind == SCHED_KIND_exit)
		format(to, SENTENCE, "thread %u ends", thread);
	else
		format(to, SENTENCE, "thread %u %s in %s", thread,
		       question->kind == SCHED_KIND_yield ? "gives way" : "waits", op);
}

static _Noreturn void question_misfit(const struct sched_question *question)
{
	char happened[SENTENCE];
	say_question(happened, question);
	misfit(happened);
}

/* Whether the next record is due: it is of this kind and thread, and all its points are passed. */
static bool is_at_hand(uint32_t thread, enum sched_kind kind)
{
	const struct sched_record *record = expected();
	return record && record->thread == thread && record->kind == kind &&
	       record->points == sched_shared()->points_since;
}

/* Ends the run if the recorded run was stopped here. If it was stopped at a place without a question, or after a point
 * that was not counted yet, the replay ends at the first question after that place. The monitor writes the record
 * again. */
static void stop_if_recorded(void)
{
	const struct sched_record *record = expected();
	const struct sched_shared *shared = sched_shared();
	if (!record || record->kind != SCHED_KIND_stop || shared->points_since < record->points)
		return;
	if (shared->points_since > record->points || vclock_ticks() - shared->slice_start >= record->detail)
		policy_replay_stopped();
}

/* Whether the record is a stop between this decision point and the next. */
static bool is_stop_ahead(void)
{
	const struct sched_record *record = expected();
	return record && record->kind == SCHED_KIND_stop && sched_shared()->points_since <= record->points;
}

/* Ends the run: the schedule ends with `happened`. */
static _Noreturn void ends_too_soon(const char *happened)
{
	char sentence[SENTENCE];
	format(sentence, sizeof(sentence), "decision %lu: the schedule ends where %s, and does not say how it goes on",
	       sched_decide_number(), happened);
	end_at_misfit(sentence);
}

/* Ends the run: no thread takes over here, but the next record is of another one. */
static _Noreturn void goes_on_instead(uint32_t said, uint32_t running)
{
	char sentence[SENTENCE];
	format(sentence, sizeof(sentence), "decision %lu: the schedule says thread %u goes on, but thread %u runs",
	       sched_decide_number(), said, running);
	end_at_misfit(sentence);
}

/* Writes the record of a decision and advances. Returns the thread of the next record; 0: the schedule is used up. */
static uint32_t follow_record(enum sched_kind kind, uint16_t op, uint64_t detail)
{
	sched_record_add((uint32_t)*policy_state(RUNNING), kind, op, detail);
	return expected() ? expected()->thread : 0;
}

static struct thread *find_recorded(const struct sched_question *question, uint32_t tid)
{
	char sentence[SENTENCE];
	struct thread *thread = policy_first(question, false);
	while (thread && thread->number != tid)
		thread = policy_next(question, thread);
	if (thread)
		return thread;
	format(sentence, sizeof(sentence), "decision %lu: the schedule says thread %u goes on, but %s",
	       sched_decide_number(), tid, thread_numbered(tid) ? "it waits for something" : "there is no such thread");
	end_at_misfit(sentence);
}

static bool is_preempt_due(const struct sched_question *question)
{
	const struct sched_record *record = expected();
	if (question->kind == SCHED_KIND_tick && record && record->kind == SCHED_KIND_tick)
		return vclock_ticks() - sched_shared()->slice_start >= record->detail;
	if (question->kind == SCHED_KIND_woken && record && record->kind == SCHED_KIND_woken)
		return sched_shared()->wakes >= record->detail;
	if (question->goes_on) /* a record exists only if current was replaced */
		return is_at_hand(question->current->number, question->kind);
	return sched_record_is_due(question, policy_ready_first());
}

static struct thread *replay_pick(const struct sched_question *question)
{
	const struct sched_record *record = expected();
	uint64_t detail = 0;
	uint16_t op = SCHED_OP_NONE;
	stop_if_recorded();
	if (!is_preempt_due(question)) {
		if (question->kind == SCHED_KIND_preempt && !is_stop_ahead())
			question_misfit(question); /* arm_for_record asks only at the due point, or at the first point
			                              past it */
		return question->current;
	}
	if (!is_at_hand(question->current->number, question->kind))
		question_misfit(question);
	if (question->kind == SCHED_KIND_tick)
		detail = vclock_ticks() - sched_shared()->slice_start;
	else if (question->kind == SCHED_KIND_woken)
		detail = sched_shared()->wakes;
	else if (question->kind != SCHED_KIND_exit)
		op = question->op;
	if (record->op != SCHED_OP_NONE && record->op != op)
		question_misfit(question);
	uint32_t tid = follow_record(question->kind, op, detail);
	if (!tid) {
		char happened[SENTENCE];
		if (question->kind == SCHED_KIND_tick)
			format(happened, sizeof(happened), "thread %u is replaced at a tick",
			       question->current->number);
		else
			say_question(happened, question);
		ends_too_soon(happened);
	}
	struct thread *next = find_recorded(question, tid);
	*policy_state(RUNNING) = next->number;
	return next;
}

/* Asks at the end of this call if the next record is for the threads woken so far. */
static void ask_if_woken(void)
{
	const struct sched_record *record = expected();
	if (record && record->kind == SCHED_KIND_woken && sched_shared()->wakes >= record->detail)
		policy_ask_woken();
}

static void replay_woken(const struct thread *thread)
{
	(void)thread;
	if (*policy_state(RUNNING)) /* the first thread is made before the schedule begins */
		ask_if_woken();
}

/* Whether the record is for the point itself, not for what comes after it. */
static bool is_at_point(const struct sched_record *record)
{
	return record->kind == SCHED_KIND_preempt || (record->kind == SCHED_KIND_jump && record->op != SCHED_OP_NONE);
}

/* Arms for the point at which the thread must be replaced, or time must jump. For other records, arms for the first
 * point past the thread's last one, which would not fit the schedule. Before a stop, also asks at the last point, and
 * at ticks from there on. */
static void arm_for_record(void)
{
	const struct sched_record *record = expected();
	uint64_t since = sched_shared()->points_since, now = vclock_ticks(), ticks = POLICY_NEVER;
	bool stops = record->kind == SCHED_KIND_stop;
	uint64_t point = record->points + (stops ? since >= record->points : !is_at_point(record));
	if (record->kind == SCHED_KIND_tick || (stops && since >= record->points)) {
		uint64_t due = sched_shared()->slice_start + record->detail;
		ticks = due > now ? due - now : 0;
	}
	policy_arm(point > since ? point - since : 1, ticks);
	ask_if_woken();
}

static bool replay_jumps(const struct sched_question *question, uint64_t ns)
{
	(void)ns;
	const struct sched_record *record = expected();
	uint32_t thread = question->current->number;
	uint16_t op = sched_record_jump_op(question);
	if (!is_at_hand(thread, SCHED_KIND_jump) || record->op != op)
		return false;
	uint32_t next = follow_record(SCHED_KIND_jump, op, 0);
	if (!next)
		ends_too_soon("time jumps");
	if (next != thread)
		goes_on_instead(next, thread);
	return true;
}

static void replay_arm(const struct thread *chosen)
{
	*policy_state(RUNNING) = chosen->number;
	const struct sched_record *record = expected();
	if (!record ||
	    record->thread !=
	            chosen->number) { /* can happen at the start only; later threads are checked when they are chosen */
		char sentence[SENTENCE];
		if (record)
			format(sentence, sizeof(sentence),
			       "decision %lu: the schedule begins with thread %u, but the run begins with thread %u",
			       sched_decide_number(), record->thread, chosen->number);
		else
			format(sentence, sizeof(sentence), "decision %lu: the schedule is empty",
			       sched_decide_number());
		end_at_misfit(sentence);
	}
	arm_for_record();
}

/* The required choice, for messages. */
static const char *choice_text(enum sched_kind kind)
{
	switch (kind) {
	case SCHED_KIND_wake:
		return "one of several threads is woken";
	case SCHED_KIND_timeout:
		return "a timeout and a wake-up coincide";
	default:
		return "one of several threads gets a signal";
	}
}

/* The index of the option that a record's detail names; UINT32_MAX: no such option. */
static unsigned option_of(const struct sched_choice *choice, uint64_t detail)
{
	unsigned index = 0;
	if (choice->kind == SCHED_KIND_timeout)
		return detail < policy_choice_count(choice) ? (unsigned)detail : UINT32_MAX;
	const void *option = choice->next(choice, NULL);
	for (; option && choice->number(option) != detail; index++)
		option = choice->next(choice, option);
	return option ? index : UINT32_MAX;
}

static unsigned replay_choose(const struct sched_choice *choice)
{
	char sentence[SENTENCE];
	uint32_t running = (uint32_t)*policy_state(RUNNING);
	stop_if_recorded();
	if (!is_at_hand(running, choice->kind))
		misfit(choice_text(choice->kind));
	uint64_t detail = expected()->detail;
	unsigned option = option_of(choice, detail);
	if (option == UINT32_MAX) {
		format(sentence, sizeof(sentence),
		       "decision %lu: the schedule says thread %lu, which is not among the %u that %s",
		       sched_decide_number(), detail, policy_choice_count(choice),
		       choice->kind == SCHED_KIND_wake ? "could be woken" : "could be chosen");
		end_at_misfit(sentence);
	}
	uint32_t next = follow_record(choice->kind, SCHED_OP_NONE, detail);
	if (!next)
		ends_too_soon(choice_text(choice->kind));
	if (next != running)
		goes_on_instead(next, running);
	arm_for_record();
	return option;
}

static void replay_end(uint32_t thread, const char *how)
{
	char happened[SENTENCE];
	stop_if_recorded();
	format(happened, sizeof(happened), "the run %s", how);
	if (!is_at_hand(thread, SCHED_KIND_end))
		misfit(happened);
	sched_record_add(thread, SCHED_KIND_end, SCHED_OP_NONE, 0);
	if (!expected())
		return;
	char sentence[SENTENCE];
	format(sentence, sizeof(sentence), "decision %lu: the run %s, but the schedule goes on with thread %u",
	       sched_decide_number(), how, expected()->thread);
	end_at_misfit(sentence);
}

const struct sched_policy policy_replay = {
	.name = "replay",
	.created = replay_woken,
	.woken = replay_woken,
	.jumps = replay_jumps,
	.pick = replay_pick,
	.choose = replay_choose,
	.arm = replay_arm,
	.end = replay_end,
	.records = true,
};
