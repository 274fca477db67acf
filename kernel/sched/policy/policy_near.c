/* SPDX-License-Identifier: MIT */
/* Follows a plan as far as it fits, so that schedules can be edited: an entry that does not fit is dropped. Where no
 * entry speaks, a thread runs until it waits or its slice is over, and then the one that has been ready longest; with
 * the parameter p, any thread runs next now and then.
 *
 * An entry is found by its thread's own count of decision points, so it keeps its meaning when other entries go. The
 * entries of a thread are in order; those that have come true, or can no longer do so, are behind its cursor. */
#include "kernel/dev/host.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/policy_state.h"
#include "kernel/sched/record.h"

enum {
	SETTLED = STATE_OWN,   /* the decision up to which points are counted */
	RUNNING,               /* slot of the running thread, or of the last one */
	SINCE,                 /* time from which its running time is still to be counted */
	NEXT_POINT,            /* with p: the decision at which to choose a thread at random */
	JUMPED = STATE_OTHERS, /* 1: time jumps before the point at which the next question is asked */
	RUNNER = STATE_RUNNER, /* number of the thread whose slice it is; 0: the next one that runs begins a slice */
	SLICE = STATE_SLICE,   /* ticks of work at the begin of the slice */
};

/* Words of a slot. */
enum {
	PLACE,  /* index of the thread's first entry that may still come true, and from bit 32 on its number */
	POINTS, /* decision points passed, HELD, and RESTS */
	PART,   /* decisions since its last point, other than at points */
	RAN,    /* running time since the last anchor */
};

/* Ends of slices at which an entry `stay` keeps its thread, counted in its member `next`: more than a slice of pos and
 * surw has. In a run that has left the schedule, the thread may wait for another one without a decision point. */
#define SLICES_MAX 40

#define HELD (1UL << 63)  /* a hold may keep the thread */
#define RESTS (1UL << 62) /* with HELD: in its operation, which it has begun, otherwise before it */

static struct sched_plan *plan(void)
{
	return sched_area()->plan;
}

static uint64_t plan_count(void)
{
	uint64_t count = sched_boot()->counts;
	return count < SCHED_PLAN_MAX ? count : SCHED_PLAN_MAX;
}

static uint64_t *running(void)
{
	return sched_area()->slots[*policy_state(RUNNING) % THREADS_MAX].word;
}

static uint32_t thread_number(const uint64_t *slot)
{
	return (uint32_t)(slot[PLACE] >> 32);
}

static uint64_t points_of(const uint64_t *slot)
{
	return slot[POINTS] & ~(HELD | RESTS);
}

static struct sched_plan *entry_at(const uint64_t *slot, uint64_t offset)
{
	uint64_t index = (uint32_t)slot[PLACE] + offset;
	return index < plan_count() && plan()[index].thread == thread_number(slot) ? &plan()[index] : NULL;
}

static uint64_t chance(void)
{
	uint64_t p = SCHED_PARAMETER(sched_boot(), near, p);
	return p >= SCHED_CHANCE_ONE ? 0 : (uint64_t)(((unsigned __int128)p << 64) / SCHED_CHANCE_ONE);
}

static void draw_near_point(void)
{
	const uint64_t decision = sched_shared()->decision, from = SCHED_PARAMETER(sched_boot(), near, from);
	*policy_state(NEXT_POINT) = SCHED_PARAMETER(sched_boot(), near, p)
	                                    ? (decision < from ? from : decision) + policy_random_distance(chance())
	                                    : POLICY_NEVER;
}

static void near_init(const struct boot_sched *boot)
{
	(void)boot;
	policy_random_init();
	*policy_state(SETTLED) = sched_shared()->decision;
	*policy_state(RUNNING) = 0;
	*policy_state(SINCE) = vclock_ticks();
	*policy_state(JUMPED) = 0;
	draw_near_point();
}

/* Whether the running thread has an entry for the end of a call that wakes or makes threads, in its operation. */
static bool awaits_woken(void)
{
	const uint64_t *slot = running(), decision = sched_shared()->decision + arm_points_passed();
	const uint64_t passed = decision - *policy_state(SETTLED), points = points_of(slot) + passed;
	const struct sched_plan *entry;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points; i++)
		if (entry->kind == SCHED_PLAN_woken && !entry->use && entry->points == points &&
		    entry->part == (passed ? 0 : slot[PART]))
			return true;
	return false;
}

static void near_created(const struct thread *thread)
{
	uint64_t *slot = policy_slot(thread), low = 0, high = plan_count();
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (plan()[middle].thread < thread->number)
			low = middle + 1;
		else
			high = middle;
	}
	slot[PLACE] = low | (uint64_t)thread->number << 32;
	/* If the policy starts late, its only thread has passed all points so far (--from). */
	slot[POINTS] = sched_shared()->youngest <= 1 ? sched_shared()->decision : 0;
	slot[PART] = slot[RAN] = 0;
	const struct sched_plan *first = entry_at(slot, 0);
	if (first && first->kind == SCHED_PLAN_hold && !first->points && !first->part)
		slot[POINTS] |= HELD;
	if (thread->number > 1 && awaits_woken())
		policy_ask_woken();
	if (SCHED_PARAMETER(sched_boot(), near, p))
		policy_ask_soon();
}

static void near_woken(const struct thread *thread)
{
	(void)thread;
	if (awaits_woken())
		policy_ask_woken();
	if (SCHED_PARAMETER(sched_boot(), near, p))
		policy_ask_soon();
}

/* Counts what the running thread has done since the last call. */
static void settle_operations(uint64_t choices)
{
	uint64_t *slot = running(), decision = sched_shared()->decision, now = vclock_ticks();
	uint64_t passed = decision - *policy_state(SETTLED);
	*policy_state(SETTLED) = decision + choices;
	slot[POINTS] += passed;
	if (passed)
		slot[PART] = 0;
	slot[RAN] += now - *policy_state(SINCE);
	*policy_state(SINCE) = now;
}

/* Whether an entry has come true. A hold in force is marked, too, but is not over. */
static bool is_used(const struct sched_plan *entry)
{
	return entry->use && !(entry->kind == SCHED_PLAN_hold && entry->use == SCHED_PLAN_SAME);
}

/* Whether an entry can no longer come true. */
static bool is_past(const struct sched_plan *entry, uint64_t points, bool at_point)
{
	uint64_t last = entry->points + (entry->kind == SCHED_PLAN_after);
	if (entry->kind == SCHED_PLAN_stay)
		return entry->ticks <= points;
	if (is_used(entry) || last < points)
		return true;
	const bool is_within = entry->kind == SCHED_PLAN_wait || entry->kind == SCHED_PLAN_choice ||
	                       entry->kind == SCHED_PLAN_tick || entry->kind == SCHED_PLAN_woken ||
	                       entry->kind == SCHED_PLAN_jump || (entry->kind == SCHED_PLAN_hold && entry->part);
	return last == points && !at_point && !is_within;
}

static void drop_past(uint64_t *slot, bool at_point)
{
	for (struct sched_plan *entry; (entry = entry_at(slot, 0)) && is_past(entry, points_of(slot), at_point);)
		slot[PLACE]++;
}

/* Whether an entry that replaces a thread comes true at a question. */
static bool is_entry_due(const struct sched_plan *entry, const uint64_t *slot, enum sched_kind kind)
{
	const uint64_t points = points_of(slot);
	const bool at_point = kind == SCHED_KIND_preempt, at_tick = kind == SCHED_KIND_tick;
	const bool at_end = kind == SCHED_KIND_woken;
	const bool waits = !at_point && !at_tick && !at_end && entry->points == points;
	switch (entry->kind) {
	case SCHED_PLAN_point:
		return at_point && entry->points == points;
	case SCHED_PLAN_wait:
		return waits && entry->part == slot[PART];
	case SCHED_PLAN_after:
		return (waits && entry->part <= slot[PART]) || (at_point && entry->points + 1 == points);
	case SCHED_PLAN_tick:
		return at_tick && entry->points == points && slot[RAN] >= entry->ticks;
	case SCHED_PLAN_woken:
		return at_end && entry->points == points && entry->part == slot[PART];
	default:
		return false;
	}
}

/* The next entry of the thread, up to its present operation, that comes true now; NULL: none. */
static struct sched_plan *find_due(const uint64_t *slot, enum sched_kind kind)
{
	struct sched_plan *entry;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++)
		if (!entry->use && is_entry_due(entry, slot, kind))
			return entry;
	return NULL;
}

static void show_place(const struct sched_plan *entry, const struct sched_question *question)
{
	sched_area()->look = (struct sched_look){.wanted = 1,
	                                         .thread = entry->thread,
	                                         .points = entry->points,
	                                         .op = question->op | (question->has_loaded ? SCHED_LOOK_LOADED : 0),
	                                         .object = (uint64_t)question->object};
	__asm__ volatile("" : : : "memory");
	host->schedule();
}

/* Whether a hold is over: the thread that it names has passed the operation that it names, or the part of it. A thread
 * that waits in the operation has done its first part, and one that has ended has done all. */
static bool has_done(const struct sched_plan *hold)
{
	const struct thread *thread = thread_numbered(hold->next);
	const uint64_t operation = SCHED_HOLD_OPERATION(hold->ticks), part = SCHED_HOLD_PART(hold->ticks);
	if (!thread)
		return hold->next <= sched_shared()->youngest;
	const uint64_t *slot = policy_slot(thread);
	if (points_of(slot) != operation)
		return points_of(slot) > operation;
	return slot[PART] > part || (!part && thread->state == THREAD_WAITING);
}

/* Whether an entry is a hold that concerns the thread where it is. */
static bool holds_here(const struct sched_plan *entry, const uint64_t *slot)
{
	return entry->kind == SCHED_PLAN_hold && !is_used(entry) && entry->points == points_of(slot) &&
	       !entry->part == !(slot[POINTS] & RESTS);
}

/* Whether a hold keeps the thread, whose entries are in order; marks holds that are over. */
static bool is_held(const struct thread *thread)
{
	uint64_t *slot = policy_slot(thread);
	struct sched_plan *entry;
	if (!(slot[POINTS] & HELD))
		return false;
	slot[POINTS] &= ~HELD;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++) {
		if (!holds_here(entry, slot))
			continue;
		entry->use = has_done(entry) ? SCHED_PLAN_OTHER : SCHED_PLAN_SAME;
		if (entry->use == SCHED_PLAN_SAME)
			slot[POINTS] |= HELD;
	}
	return slot[POINTS] & HELD;
}

/* Does what entries ask for at this point besides another thread. */
static void serve_point(const struct sched_question *question)
{
	uint64_t *slot = policy_slot(question->current);
	struct sched_plan *entry;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++) {
		if (is_used(entry) || entry->points != points_of(slot))
			continue;
		if (entry->kind == SCHED_PLAN_hold && !entry->part)
			slot[POINTS] = points_of(slot) | HELD;
		if (entry->kind != SCHED_PLAN_look && entry->kind != SCHED_PLAN_anchor)
			continue;
		entry->use = SCHED_PLAN_OTHER;
		if (entry->kind == SCHED_PLAN_anchor)
			slot[RAN] = 0;
		else
			show_place(entry, question);
	}
}

/* Lets the holds keep the thread that are about the rest of its operation after `part` decisions, or, if it waits, any
 * rest: whether a wait is a decision depends on other threads. */
static void hold_rest(uint64_t *slot, uint64_t part, bool waits)
{
	struct sched_plan *entry;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++)
		if (entry->kind == SCHED_PLAN_hold && !is_used(entry) && entry->points == points_of(slot) &&
		    entry->part && (waits || entry->part == part))
			slot[POINTS] |= HELD | RESTS;
}

/* The holds of a thread that runs although it should wait. */
static void give_up_holds(const struct thread *thread)
{
	uint64_t *slot = policy_slot(thread);
	struct sched_plan *entry;
	slot[POINTS] &= ~HELD;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++)
		if (holds_here(entry, slot))
			entry->use = SCHED_PLAN_VAIN;
}

/* Whether holds keep all threads that could run. */
static bool all_are_held(const struct sched_question *question)
{
	struct thread *thread = policy_first(question, false);
	while (thread && is_held(thread))
		thread = policy_next(question, thread);
	return !thread;
}

/* A slice lasts until another thread runs. It counts the time in which threads work. If it counted the time that a jump
 * of time leaves out, it would end where the followed schedule goes on. */
static bool slice_is_over(void)
{
	const uint64_t slice = SCHED_PARAMETER(sched_boot(), near, slice);
	return slice != SCHED_NEVER && policy_worked_ticks() - *policy_state(SLICE) >= slice;
}

/* Ticks left of the slice of the thread that runs next. */
static uint64_t slice_left(const struct thread *chosen)
{
	const uint64_t slice = SCHED_PARAMETER(sched_boot(), near, slice), now = policy_worked_ticks();
	if (*policy_state(RUNNER) != chosen->number) {
		*policy_state(RUNNER) = chosen->number;
		*policy_state(SLICE) = now;
	}
	const uint64_t ran = now - *policy_state(SLICE);
	if (slice == SCHED_NEVER)
		return POLICY_NEVER;
	return slice > ran ? slice - ran : 0;
}

/* Whether an entry keeps the thread that asks, which yields or whose slice is over. Marks the entry as one that made a
 * difference if another thread could run. */
static bool stays_here(const struct sched_question *question)
{
	const bool yields = question->kind == SCHED_KIND_yield && question->goes_on;
	const uint64_t *slot = policy_slot(question->current), points = points_of(slot);
	struct sched_plan *entry;
	if (!yields && question->kind != SCHED_KIND_tick)
		return false;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points; i++) {
		if (entry->kind != SCHED_PLAN_stay || points >= entry->ticks)
			continue;
		if (!yields && entry->next++ >= SLICES_MAX)
			return false;
		if (!yields)
			*policy_state(RUNNER) = 0;
		const bool is_alone = policy_first(question, true) == question->current;
		entry->use = is_alone && !entry->use ? SCHED_PLAN_SAME : SCHED_PLAN_OTHER;
		return true;
	}
	return false;
}

/* The thread that runs next without an entry. */
static struct thread *choose_thread(const struct sched_question *question)
{
	const bool at_point = question->kind == SCHED_KIND_preempt;
	bool stays = at_point || question->kind == SCHED_KIND_woken ||
	             (question->kind == SCHED_KIND_tick && !slice_is_over()) || stays_here(question);
	struct thread *first = policy_first(question, !stays), *thread;
	if (at_point && sched_shared()->decision >= *policy_state(NEXT_POINT)) {
		draw_near_point();
		for (uint64_t i = policy_random_below(policy_count(question, false)); i--;)
			first = policy_next(question, first);
	}
	if (question->kind == SCHED_KIND_tick && !stays)
		*policy_state(RUNNER) = 0;
	if (!is_held(first))
		return first;
	for (thread = policy_first(question, true); thread; thread = policy_next(question, thread))
		if (!is_held(thread))
			return thread;
	if (question->goes_on && !is_held(question->current))
		return question->current;
	give_up_holds(first);
	return first;
}

/* Brings the plan up to the question. A question that is asked again after a jump of time does this again. */
static void begin_question(const struct sched_question *question)
{
	uint64_t *slot = policy_slot(question->current);
	const bool at_point = question->kind == SCHED_KIND_preempt;
	settle_operations(0);
	drop_past(slot, at_point);
	if (at_point)
		serve_point(question);
	if (question->kind == SCHED_KIND_block)
		hold_rest(slot, 0, true);
}

static bool near_jumps(const struct sched_question *question, uint64_t ns)
{
	uint64_t *slot = policy_slot(question->current);
	const bool at_point = question->kind == SCHED_KIND_preempt;
	const uint64_t lag_ns = sched_shared()->lag_ns, most_ns = SCHED_DELAY_TICKS / TICKS_PER_NS;
	struct sched_plan *entry;
	begin_question(question);
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++) {
		const bool fits = at_point ? entry->kind == SCHED_PLAN_leap
		                           : entry->kind == SCHED_PLAN_jump && entry->part == slot[PART];
		if (!fits || entry->use || entry->points != points_of(slot))
			continue;
		entry->use = SCHED_PLAN_OTHER;
		*policy_state(JUMPED) = at_point;
		return true;
	}
	/* The thread that a hold waits for may sleep. */
	if (ns > most_ns || lag_ns > most_ns - ns || !all_are_held(question))
		return false;
	*policy_state(JUMPED) = at_point;
	return true;
}

/* After a jump at a point, the question is about the end of the jump, but the thread is still before its operation. */
static struct thread *near_pick(const struct sched_question *now)
{
	struct sched_question asked = *now, *question = &asked;
	uint64_t *slot = policy_slot(question->current);
	const bool has_jumped = *policy_state(JUMPED);
	if (has_jumped)
		asked.kind = SCHED_KIND_preempt;
	*policy_state(JUMPED) = 0;
	const bool at_point = question->kind == SCHED_KIND_preempt;
	begin_question(question);
	struct thread *chosen = choose_thread(question), *thread = chosen;
	struct sched_plan *entry = find_due(slot, question->kind);
	if (!entry && has_jumped && (entry = find_due(slot, SCHED_KIND_woken)) && entry->ticks != sched_shared()->wakes)
		entry = NULL;
	if (entry) {
		for (thread = policy_first(question, false); thread && thread->number != entry->next;)
			thread = policy_next(question, thread);
		if (thread && is_held(thread))
			thread = NULL;
		entry->use = thread && thread != chosen ? SCHED_PLAN_OTHER : SCHED_PLAN_SAME;
		thread = thread ? thread : chosen;
	}
	if (!at_point && sched_record_is_due(question, thread))
		hold_rest(slot, ++slot[PART], false);
	if ((!at_point && question->kind != SCHED_KIND_tick) || (has_jumped && thread != question->current))
		slot[RAN] = 0;
	return thread;
}

static unsigned near_choose(const struct sched_choice *choice)
{
	uint64_t *slot = running();
	unsigned index = 0;
	settle_operations(1);
	struct sched_plan *entry = NULL;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && entry->points <= points_of(slot); i++)
		if (!entry->use && entry->kind == SCHED_PLAN_choice && entry->points == points_of(slot) &&
		    entry->part == slot[PART])
			break;
	slot[PART]++;
	slot[RAN] = 0;
	if (!entry || entry->points > points_of(slot))
		return 0;
	if (choice->kind == SCHED_KIND_timeout) {
		index = entry->next > 0;
	} else {
		const void *option = choice->next(choice, NULL);
		for (; option && choice->number(option) != entry->next; index++)
			option = choice->next(choice, option);
		index = option ? index : 0;
	}
	entry->use = index ? SCHED_PLAN_OTHER : SCHED_PLAN_SAME;
	return index;
}

static void near_arm(const struct thread *chosen)
{
	uint64_t *slot = policy_slot(chosen), points = POLICY_NEVER, now = vclock_ticks();
	uint64_t ticks = slice_left(chosen);
	*policy_state(RUNNING) = chosen->slot;
	*policy_state(SINCE) = now;
	struct sched_plan *entry;
	for (uint64_t i = 0; (entry = entry_at(slot, i)) && (is_used(entry) || entry->kind == SCHED_PLAN_stay); i++)
		;
	if (entry) {
		const bool in_operation = entry->kind == SCHED_PLAN_wait || entry->kind == SCHED_PLAN_after ||
		                          entry->kind == SCHED_PLAN_choice || entry->kind == SCHED_PLAN_woken ||
		                          entry->kind == SCHED_PLAN_jump ||
		                          (entry->kind == SCHED_PLAN_hold && entry->part) ||
		                          (entry->kind == SCHED_PLAN_tick && entry->points == points_of(slot));
		uint64_t due = entry->points + in_operation;
		points = due > points_of(slot) ? due - points_of(slot) : 1;
		if (entry->kind == SCHED_PLAN_tick && entry->points == points_of(slot)) {
			uint64_t left = entry->ticks > slot[RAN] ? entry->ticks - slot[RAN] : 0;
			ticks = left < ticks ? left : ticks;
		}
	}
	if (*policy_state(NEXT_POINT) != POLICY_NEVER) {
		uint64_t decision = sched_shared()->decision, next = *policy_state(NEXT_POINT);
		uint64_t left = next > decision ? next - decision : 1;
		points = left < points ? left : points;
	}
	policy_arm(points, ticks);
}

const struct sched_policy policy_near = {
	.name = "near",
	.init = near_init,
	.created = near_created,
	.woken = near_woken,
	.pick = near_pick,
	.jumps = near_jumps,
	.choose = near_choose,
	.arm = near_arm,
};
