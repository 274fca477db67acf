/* SPDX-License-Identifier: MIT */
/* Selectively uniform random walk: Zhao, Wolff, Mathur and Roychoudhury, "Selectively Uniform Concurrency Testing",
 * ASPLOS 2025.
 *
 * One of the threads that can run is intended, with a probability in proportion to its remaining events. No other
 * thread may pass an event before the intended thread has passed one. With true counts each interleaving of the events
 * is equally likely, as long as no thread waits for another: events after a wait count as if they could come now.
 * Threads that are not at an event take turns at random with the intended one. Until a thread is created, its events
 * must count as its creator's; otherwise the creator would rarely get to the point where it creates the thread.
 *
 * Events are the decision points, or with `object` those on one object, or on all objects, while more than one thread
 * is alive.
 *
 * Not in the paper: without counts a thread is assumed to have EVENTS_UNKNOWN events. Threads beyond the given counts
 * have the last one given. The list of counts does not say which thread creates which. So the counts of threads that do
 * not exist yet are added to thread 1, which creates them in most programs. Threads without a count add nothing.
 *
 * Threads that spin are not in the paper either: the number of their events does not measure their remaining work. A
 * thread gives way to all when it has run for a slice, or has passed SLICE_POINTS points that are no events or exceed
 * the expected number, counted since it last gave way. It is then neither intended nor chosen until all others wait or
 * have given way after it. So each ready thread runs at the latest after one slice of each other thread. A thread that
 * yields gives way once; if others give way, it gives way to all, because they may have to do what it waits for. */
#include "kernel/sched/policy_state.h"

#define EVENTS_UNKNOWN 1000
#define EVENTS_MAX (1UL << 48) /* their sum over all threads stays below 2^64 */

enum { /* words of a slot */
       REMAINING,
       AT_EVENT,
       MAKES_WAY, /* the number of threads that gave way before it, plus one; 0: it does not give way */
};

_Static_assert(MAKES_WAY < SLOT_USED, "words of a slot");

enum {
	INTENDED = STATE_OWN, /* number of the intended thread, 0: none */
	ROOT_SLOT,            /* thread 1's slot plus 1; 0: it has ended */
	COUNTED,              /* the last decision whose event was counted */
	MADE_WAY,             /* how often threads made way */
};

_Static_assert(MADE_WAY < sizeof(((struct sched_shared *)NULL)->random) / sizeof(uint64_t), "words of the state");

static uint64_t surw_slice(void)
{
	return SCHED_PARAMETER(sched_boot(), surw, slice);
}

static uint64_t counts_given(void)
{
	uint64_t given = sched_boot()->counts, limit = sizeof(sched_area()->counts) / sizeof(uint64_t);
	return given < limit ? given : limit;
}

/* The events that a thread is expected to pass itself. */
static uint64_t events_of(uint32_t tid)
{
	uint64_t given = counts_given();
	if (!given)
		return EVENTS_UNKNOWN;
	uint64_t events = sched_area()->counts[tid <= given ? tid - 1 : given - 1];
	return events < EVENTS_MAX ? events : EVENTS_MAX;
}

static void surw_init(const struct boot_sched *boot)
{
	(void)boot;
	policy_random_init();
	policy_jump_init();
	*policy_state(INTENDED) = 0;
	*policy_state(ROOT_SLOT) = 0;
	*policy_state(COUNTED) = sched_shared()->decision;
	*policy_state(MADE_WAY) = 0;
}

static uint64_t selected_object(void)
{
	return SCHED_PARAMETER(sched_boot(), surw, object);
}

/* Whether a decision point is an event. */
static bool is_event(const struct sched_question *question)
{
	const uint64_t selected = selected_object(), object = (uint64_t)question->object;
	if (!selected)
		return true;
	return object && (selected == SCHED_OBJECT_ANY || selected == object) && thread_count() > 1;
}

/* Counts points that were passed without a question while no other thread was ready. */
static void count_unasked(const struct sched_question *question)
{
	uint64_t decision = sched_shared()->decision, passed = decision - *policy_state(COUNTED);
	*policy_state(COUNTED) = decision;
	if (passed && question->kind == SCHED_KIND_preempt)
		passed--; /* the operation behind the last point is still to come */
	uint64_t *remaining = &policy_slot(question->current)[REMAINING];
	*remaining -= passed < *remaining ? passed : *remaining;
}

/* Thread 1 passes a new thread's events on to it, and with them the chance that the new thread was the intended one. */
static void hand_over(uint32_t tid, uint64_t events)
{
	uint64_t root = *policy_state(ROOT_SLOT);
	if (!root || tid > counts_given())
		return;
	uint64_t *remaining = &sched_area()->slots[root - 1].word[REMAINING];
	uint64_t given = events < *remaining ? events : *remaining;
	if (*policy_state(INTENDED) == 1 && given && policy_random_below(*remaining) < given)
		*policy_state(INTENDED) = tid;
	*remaining -= given;
}

static void surw_created(const struct thread *thread)
{
	uint64_t *slot = policy_slot(thread);
	slot[REMAINING] = events_of(thread->number);
	slot[AT_EVENT] = false;
	slot[MAKES_WAY] = 0;
	policy_slice_renew(thread);
	policy_ask_soon();
	policy_ask_woken();
	if (thread->number != 1) {
		hand_over(thread->number, slot[REMAINING]);
		return;
	}
	*policy_state(ROOT_SLOT) = thread->slot + 1;
	for (uint32_t tid = 2; tid <= counts_given(); tid++)
		slot[REMAINING] += events_of(tid);
}

static void surw_ended(const struct thread *thread)
{
	if (thread->number == 1)
		*policy_state(ROOT_SLOT) = 0;
	if (thread->number == *policy_state(INTENDED))
		*policy_state(INTENDED) = 0;
}

static void set_at_event(const struct thread *thread, bool at_event)
{
	uint64_t *slot = policy_slot(thread);
	slot[AT_EVENT] = at_event;
	if (at_event && !slot[REMAINING])
		slot[REMAINING] = 1; /* the thread had more events than expected */
}

static void surw_woken(const struct thread *thread)
{
	set_at_event(thread, false);
	policy_ask_soon();
	policy_ask_woken();
}

/* The number of events that weighs a thread's chance to be intended. */
static uint64_t weight(const struct thread *thread)
{
	return policy_slot(thread)[MAKES_WAY] ? 0 : policy_slot(thread)[REMAINING];
}

static void intend(const struct sched_question *question, bool others)
{
	struct thread *first = policy_first(question, others), *thread;
	uint64_t sum = 0;
	for (thread = first; thread; thread = policy_next(question, thread))
		sum += weight(thread);
	uint64_t at = sum ? policy_random_below(sum) : 0;
	for (thread = first; thread; thread = policy_next(question, thread)) {
		if (sum ? at < weight(thread) : !policy_slot(thread)[MAKES_WAY])
			break;
		at -= weight(thread);
	}
	*policy_state(INTENDED) = thread->number;
}

/* Whether a thread may run: it must not pass an event that the intended thread has to pass first. */
static bool may_go_on(const struct thread *thread)
{
	const uint64_t *slot = policy_slot(thread);
	return !slot[MAKES_WAY] && (!slot[AT_EVENT] || thread->number == *policy_state(INTENDED));
}

/* If the thread is the intended one, another is intended instead: the thread may be spinning for one that is held
 * up. */
static void intend_another(const struct thread *current)
{
	if (*policy_state(INTENDED) == current->number)
		*policy_state(INTENDED) = 0;
}

static void surw_make_way(const struct thread *current)
{
	intend_another(current);
	policy_slot(current)[MAKES_WAY] = ++*policy_state(MADE_WAY);
	policy_slice_renew(current);
}

static bool others_make_way(void)
{
	for (struct thread *thread = policy_ready_first(); thread; thread = thread->next)
		if (policy_slot(thread)[MAKES_WAY])
			return true;
	return false;
}

/* If all ready threads are giving way, the one that has given way longest stops doing so and can run. */
static void end_making_way(const struct sched_question *question, bool others)
{
	struct thread *longest = policy_first(question, others);
	for (struct thread *thread = longest; thread; thread = policy_next(question, thread))
		if (policy_slot(thread)[MAKES_WAY] < policy_slot(longest)[MAKES_WAY])
			longest = thread;
	policy_slot(longest)[MAKES_WAY] = 0;
}

static struct thread *choose_weighted(const struct sched_question *question, bool others)
{
	struct thread *first = policy_first(question, others), *thread;
	uint64_t count = 0;
	end_making_way(question, others);
	if (!*policy_state(INTENDED))
		intend(question, others);
	for (thread = first; thread; thread = policy_next(question, thread))
		count += may_go_on(thread);
	if (!count) { /* the intended thread waits, perhaps for one of the ready threads: choose another */
		intend(question, others);
		count = 1;
	}
	uint64_t index = policy_random_below(count);
	for (thread = first;; thread = policy_next(question, thread))
		if (may_go_on(thread) && !index--)
			return thread;
}

static struct thread *surw_pick(const struct sched_question *question)
{
	bool point = question->kind == SCHED_KIND_preempt;
	bool event = point && is_event(question);
	policy_note_others(question);
	if (!selected_object())
		count_unasked(question);
	bool expected = event && policy_slot(question->current)[REMAINING];
	bool over = policy_slice_used_up(question->current, surw_slice(), point && !expected);
	if (point) {
		set_at_event(question->current, event);
	} else if (question->kind == SCHED_KIND_tick && !over) {
		return question->current;
	} else if (question->goes_on) {
		set_at_event(question->current, false);
		if (question->kind != SCHED_KIND_woken)
			intend_another(question->current);
	}
	bool yields = question->kind == SCHED_KIND_yield;
	if (question->goes_on && (over || (yields && others_make_way())))
		surw_make_way(question->current);
	struct thread *thread = choose_weighted(question, yields);
	uint64_t *slot = policy_slot(thread);
	if (slot[AT_EVENT]) {
		slot[REMAINING]--;
		slot[AT_EVENT] = false;
		*policy_state(INTENDED) = 0;
	}
	return thread;
}

static void surw_arm(const struct thread *chosen)
{
	policy_arm(selected_object() ? 1 : policy_next_point(), policy_slice_rest(chosen, surw_slice()));
}

const struct sched_policy policy_surw = {
	.name = "surw",
	.init = surw_init,
	.created = surw_created,
	.ended = surw_ended,
	.woken = surw_woken,
	.pick = surw_pick,
	.jumps = policy_jump,
	.choose = policy_choose_any,
	.arm = surw_arm,
};
