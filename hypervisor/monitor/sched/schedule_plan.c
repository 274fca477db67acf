/* SPDX-License-Identifier: MIT */
/* All points of a record are its thread's, because a record is written whenever another thread takes over. */
#include "sched/schedule_plan.h"

#include <errno.h>
#include <stdlib.h>

#include "abi/sched_op.h"
#include "base/array.h"

/* What a thread has done at a place in a schedule. */
struct progress_of {
	uint64_t points;
	uint64_t ran;     /* ticks since its last anchor */
	uint32_t part;    /* decisions since its last point, other than at points */
	bool is_at_point; /* it was replaced at its last point, whose operation it has not begun */
	bool has_jumped;  /* time jumped at its last point, and nothing was recorded since */
	bool may_wake;    /* with has_jumped: the operation of that point may wake or make threads */
	bool is_anchored; /* its anchor is the point `anchor`, otherwise a wait, a choice or its start */
	uint64_t anchor;
};

struct progresses {
	struct progress_of *at;
	size_t count;
};

static bool is_choice(unsigned kind)
{
	return kind == SCHED_KIND_wake || kind == SCHED_KIND_timeout || kind == SCHED_KIND_signal;
}

static bool is_end(unsigned kind)
{
	return kind == SCHED_KIND_end || kind == SCHED_KIND_stop;
}

static int progresses_init(struct progresses *all, const struct schedule *schedule, struct error *error)
{
	uint32_t highest = 0;
	for (uint64_t i = 0; i < schedule->count; i++)
		highest = schedule->records[i].thread > highest ? schedule->records[i].thread : highest;
	if (highest > PLAN_THREADS_MAX)
		return error_set(error, EFBIG, "line %u names thread %u, and at most %u threads are possible here",
		                 schedule_line(schedule, 0), highest, PLAN_THREADS_MAX);
	all->count = (size_t)highest + 1;
	all->at = calloc(all->count, sizeof(*all->at));
	return all->at ? 0 : error_set(error, ENOMEM, "out of memory");
}

/* Whether time jumps before the thread's last point. */
static bool is_leap(const struct sched_record *record)
{
	return record->kind == SCHED_KIND_jump && record->op != SCHED_OP_NONE;
}

/* Whether the thread is replaced where time has jumped before its last point, so that it has not begun that operation.
 * Otherwise it is replaced at the end of that operation. The record does not say which: if the operation may wake
 * threads, and more than one was woken, the operation is taken to be one of those who woke them. */
static bool follows_leap(const struct progress_of *thread, const struct sched_record *record)
{
	return record->kind == SCHED_KIND_woken && thread->has_jumped && !record->points &&
	       (!thread->may_wake || record->detail == 1);
}

/* Counts a record. */
static void pass(struct progress_of *thread, const struct sched_record *record)
{
	thread->points += record->points;
	if (record->points)
		thread->part = 0;
	thread->is_at_point = record->kind == SCHED_KIND_preempt || is_leap(record) || follows_leap(thread, record);
	thread->has_jumped = is_leap(record);
	thread->may_wake = record->op != SCHED_OP_load && record->op != SCHED_OP_store && record->op != SCHED_OP_atomic;
	if (record->kind == SCHED_KIND_tick) {
		thread->ran += record->detail;
	} else {
		thread->ran = 0;
		thread->is_anchored = thread->is_at_point;
		thread->anchor = thread->points;
	}
	if (!thread->is_at_point && record->kind != SCHED_KIND_jump)
		thread->part++;
}

bool plan_add(struct plan *plan, const struct sched_plan *entry)
{
	if (!array_reserve(plan->entries, plan->room, plan->count + 1))
		return false;
	plan->entries[plan->count++] = *entry;
	return true;
}

/* Whether an entry is about the moment before its operation. */
static bool is_before(const struct sched_plan *entry)
{
	return entry->kind == SCHED_PLAN_point || (entry->kind == SCHED_PLAN_hold && !entry->part) ||
	       entry->kind == SCHED_PLAN_look || entry->kind == SCHED_PLAN_anchor || entry->kind == SCHED_PLAN_leap;
}

static int compare(const void *a, const void *b)
{
	const struct sched_plan *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->points != y->points)
		return x->points < y->points ? -1 : 1;
	if (is_before(x) != is_before(y))
		return is_before(x) ? -1 : 1;
	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

const struct sched_plan *plan_find(const struct plan *plan, const struct sched_plan *entry)
{
	return plan->count ? bsearch(entry, plan->entries, plan->count, sizeof(*plan->entries), compare) : NULL;
}

void plan_order(struct plan *plan)
{
	if (plan->count)
		qsort(plan->entries, plan->count, sizeof(*plan->entries), compare);
	for (size_t i = 0; i < plan->count; i++)
		plan->entries[i].use = SCHED_PLAN_UNUSED;
}

/* Adds the entries of the record before which the thread stood at `before`. */
static bool add_record(struct plan *plan, const struct progress_of *before, const struct sched_record *record,
                       uint32_t next)
{
	struct sched_plan entry = {.thread = record->thread,
	                           .next = next,
	                           .kind = SCHED_PLAN_wait,
	                           .points = before->points + record->points,
	                           .part = record->points ? 0 : before->part};
	if (record->kind == SCHED_KIND_preempt || follows_leap(before, record)) {
		entry.kind = SCHED_PLAN_point;
		entry.part = 0;
	} else if (record->kind == SCHED_KIND_woken) {
		entry.kind = SCHED_PLAN_woken;
		entry.ticks = before->has_jumped && !record->points ? record->detail : 0;
	} else if (record->kind == SCHED_KIND_jump) {
		entry.kind = is_leap(record) ? SCHED_PLAN_leap : SCHED_PLAN_jump;
		entry.part = is_leap(record) ? 0 : entry.part;
	} else if (record->kind == SCHED_KIND_tick) {
		entry.kind = SCHED_PLAN_tick;
		entry.ticks = before->ran + record->detail;
		const struct sched_plan anchor = {
			.thread = record->thread, .kind = SCHED_PLAN_anchor, .points = before->anchor};
		if (before->is_anchored && !plan_add(plan, &anchor))
			return false;
	} else if (is_choice(record->kind)) {
		entry.kind = SCHED_PLAN_choice;
		entry.next = (uint32_t)record->detail;
		entry.ticks = record->kind;
	}
	return plan_add(plan, &entry);
}

int plan_of_schedule(struct plan *plan, const struct schedule *schedule, struct error *error)
{
	struct progresses all = {0};
	int result = progresses_init(&all, schedule, error);
	for (uint64_t i = 0; !result && i < schedule->count; i++) {
		const struct sched_record *record = &schedule->records[i];
		const uint32_t next = i + 1 < schedule->count ? schedule->records[i + 1].thread : 0;
		struct progress_of *thread = &all.at[record->thread];
		if (is_end(record->kind) || !next)
			continue;
		if (!add_record(plan, thread, record, next))
			result = error_set(error, ENOMEM, "out of memory");
		pass(thread, record);
	}
	free(all.at);
	if (!result && plan->count > SCHED_PLAN_MAX)
		result = error_set(error, EFBIG, "the schedule has more than %u decisions, too many to be edited",
		                   SCHED_PLAN_MAX);
	return result;
}

/* Appends an entry that keeps a thread from operation `from` up to `to`. */
static bool add_stay(struct plan *plan, uint32_t thread, uint64_t from, uint64_t to)
{
	const struct sched_plan stay = {.thread = thread, .kind = SCHED_PLAN_stay, .points = from, .ticks = to};
	return from >= to || plan_add(plan, &stay);
}

int plan_add_stays(struct plan *plan, const struct schedule *schedule, struct error *error)
{
	struct progresses all = {0};
	const size_t before = plan->count;
	int result = progresses_init(&all, schedule, error);
	for (uint64_t i = 0; !result && i < schedule->count; i++) {
		const struct sched_record *record = &schedule->records[i];
		struct progress_of *thread = &all.at[record->thread];
		if (!add_stay(plan, record->thread, thread->points, thread->points + record->points))
			result = error_set(error, ENOMEM, "out of memory");
		pass(thread, record);
	}
	free(all.at);
	if (plan->count > SCHED_PLAN_MAX)
		plan->count = before;
	return result;
}

bool plan_events_add(struct plan_events *events, const struct plan_event *event)
{
	if (!array_reserve(events->at, events->room, events->count + 1))
		return false;
	events->at[events->count++] = *event;
	return true;
}

bool plan_event_is(const struct plan_event *a, const struct plan_event *b)
{
	return a->thread == b->thread && a->points == b->points && a->part == b->part;
}

/* Adds the events that a record covers. */
static int add_events(struct plan_events *events, const struct progress_of *before, const struct sched_record *record,
                      bool goes_on, struct error *error)
{
	const bool stops_before = record->kind == SCHED_KIND_preempt || is_leap(record);
	const uint64_t passed = record->points - (stops_before && record->points);
	if (follows_leap(before, record))
		return 0;
	struct plan_event event = {record->thread, before->part, before->points};
	if (passed > PLAN_EVENTS_MAX || events->count + passed >= PLAN_EVENTS_MAX)
		return error_set(error, EFBIG, "the schedule has more than %u events", PLAN_EVENTS_MAX);
	bool fits = goes_on || plan_events_add(events, &event);
	event.part = 0;
	for (uint64_t i = 1; fits && i <= passed; i++) {
		event.points = before->points + i;
		fits = plan_events_add(events, &event);
	}
	return fits ? 0 : error_set(error, ENOMEM, "out of memory");
}

int plan_events_of_schedule(struct plan_events *events, const struct schedule *schedule, struct error *error)
{
	struct progresses all = {0};
	bool goes_on = false;
	int result = progresses_init(&all, schedule, error);
	for (uint64_t i = 0; !result && i < schedule->count; i++) {
		const struct sched_record *record = &schedule->records[i];
		struct progress_of *thread = &all.at[record->thread];
		result = add_events(events, thread, record, goes_on, error);
		pass(thread, record);
		goes_on = is_choice(record->kind) || (record->kind == SCHED_KIND_jump && !is_leap(record));
	}
	free(all.at);
	return result;
}

uint64_t plan_event_decision(const struct schedule *schedule, const struct plan_event *event)
{
	uint64_t decision = 0, before = 0, points = 0;
	uint32_t running = 0;
	for (uint64_t i = 0; i < schedule->count; i++) {
		const struct sched_record *record = &schedule->records[i];
		if (record->thread != running)
			before = decision;
		running = record->thread;
		if (running == event->thread && points + record->points >= event->points)
			break;
		points += running == event->thread ? record->points : 0;
		decision += record->points + is_choice(record->kind);
	}
	return before;
}

/* Finds the entry `tick` or `woken` of an event, or NULL. Its part may be higher than the event's, because a choice is
 * a decision and the event goes on after it. It is less than `before`, the part of the thread's next event. */
static const struct sched_plan *find_tick(const struct plan *ticks, const struct plan_event *event, uint64_t before)
{
	size_t low = 0, high = ticks->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct sched_plan *entry = &ticks->entries[middle];
		if (entry->thread < event->thread || (entry->thread == event->thread && entry->points < event->points))
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < ticks->count && ticks->entries[low].thread == event->thread &&
	       ticks->entries[low].points == event->points;
	     low++)
		if (ticks->entries[low].kind != SCHED_PLAN_anchor && ticks->entries[low].part >= event->part &&
		    ticks->entries[low].part < before)
			return &ticks->entries[low];
	return NULL;
}

/* Lists for each event the part at which the thread's next event in the same operation begins; UINT64_MAX: it has none.
 * The caller frees it. NULL without memory. */
static uint64_t *list_next_parts(const struct plan_events *events)
{
	uint32_t highest = 0;
	for (size_t i = 0; i < events->count; i++)
		highest = events->at[i].thread > highest ? events->at[i].thread : highest;
	const struct plan_event **next = calloc((size_t)highest + 1, sizeof(*next));
	uint64_t *parts = calloc(events->count + 1, sizeof(*parts));
	if (!next || !parts) {
		free(next);
		free(parts);
		return NULL;
	}
	for (size_t i = events->count; i--;) {
		const struct plan_event *event = &events->at[i], *later = next[event->thread];
		parts[i] = later && later->points == event->points ? later->part : UINT64_MAX;
		next[event->thread] = event;
	}
	free(next);
	return parts;
}

/* Adds the entries by which a thread gives way after its event. */
static bool add_ways(struct plan *plan, const struct plan_events *events, const struct plan *ticks,
                     const uint64_t *next_parts)
{
	for (size_t i = 0; i + 1 < events->count; i++) {
		const struct plan_event *event = &events->at[i];
		const struct sched_plan *tick = find_tick(ticks, event, next_parts[i]);
		struct sched_plan entry = {.thread = event->thread,
		                           .next = events->at[i + 1].thread,
		                           .kind = SCHED_PLAN_after,
		                           .points = event->points,
		                           .part = event->part};
		if (tick) {
			entry.kind = tick->kind;
			entry.part = tick->part;
			entry.ticks = tick->ticks;
		}
		/* A thread that goes on after a wait of its own, because time has jumped, needs an entry, too. */
		const bool is_rest = events->at[i + 1].part && events->at[i + 1].points == event->points;
		if ((entry.thread != entry.next || is_rest) && !plan_add(plan, &entry))
			return false;
	}
	return true;
}

bool plan_add_event_stays(struct plan *plan, const struct plan_events *events)
{
	bool fits = true;
	for (size_t i = 0, first = 0; fits && i < events->count; i++) {
		if (i + 1 < events->count && events->at[i + 1].thread == events->at[first].thread)
			continue;
		fits = add_stay(plan, events->at[first].thread, events->at[first].points, events->at[i].points);
		first = i + 1;
	}
	return fits;
}

bool plan_of_events(struct plan *plan, const struct plan_events *events, const struct plan *ticks)
{
	uint64_t *next_parts = list_next_parts(events);
	bool fits = next_parts && add_ways(plan, events, ticks, next_parts);
	for (size_t i = 0; fits && i < ticks->count; i++)
		fits = ticks->entries[i].kind != SCHED_PLAN_anchor || plan_add(plan, &ticks->entries[i]);
	free(next_parts);
	if (fits)
		plan_order(plan);
	return fits;
}

void plan_fini(struct plan *plan)
{
	free(plan->entries);
	*plan = (struct plan){0};
}

void plan_events_fini(struct plan_events *events)
{
	free(events->at);
	*events = (struct plan_events){0};
}
