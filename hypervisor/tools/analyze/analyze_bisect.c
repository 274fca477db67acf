/* SPDX-License-Identifier: MIT */
/* Finds the pair. Each entry of the minimal plan is needed: without it the program does not fail. So the run with all
 * entries fails, the run without one passes, and on the way between them, by swaps of neighbouring events, one swap
 * makes the difference. Bisection finds one such swap. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_look.h"
#include "analyze/analyze_path.h"
#include "analyze/analyze_progress.h"
#include "analyze/analyze_results.h"
#include "analyze/analyze_try.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#define NEAREST_MAX 8 /* entries without which it passes, between which and the whole an order is looked for */
#define NOT_NEAR UINT64_MAX

/* The way, and the choices and jumps of time that all its runs make. */
struct way {
	struct analyze_path path;
	struct plan choices;
	struct plan ticks; /* of threads that are replaced at ticks, and their anchors, or when they wake others */
};

static struct plan copy_of(const struct plan *plan)
{
	struct plan copy = {0};
	for (size_t i = 0; i < plan->count; i++)
		memory_check(plan_add(&copy, &plan->entries[i]));
	plan_order(&copy);
	return copy;
}

static struct plan copy_without(const struct plan *plan, size_t index)
{
	struct plan copy = {0};
	for (size_t i = 0; i < plan->count; i++)
		if (i != index)
			memory_check(plan_add(&copy, &plan->entries[i]));
	plan_order(&copy);
	return copy;
}

/* Takes what the run of a try did. */
static bool take_side(struct analyze *analyze, struct analyze_side *side, struct analyze_try *made)
{
	plan_fini(&side->plan);
	schedule_free(&side->schedule);
	plan_events_fini(&side->events);
	free(side->end);
	side->plan = copy_of(&made->plan);
	side->schedule = made->schedule;
	side->end = text_copy(made->outcome.end);
	made->schedule = (struct schedule){0};
	side->is_known = true;
	return !plan_events_of_schedule(&side->events, &side->schedule, &analyze->error);
}

/* The number of pairs of events whose order differs in two schedules; NOT_NEAR - 1 if it cannot be told. */
static uint64_t pairs_between(struct analyze *analyze, const struct schedule *a, const struct schedule *b)
{
	struct plan_events x = {0}, y = {0};
	struct analyze_path path = {0};
	uint64_t pairs = NOT_NEAR - 1;
	if (!plan_events_of_schedule(&x, a, &analyze->error) && !plan_events_of_schedule(&y, b, &analyze->error) &&
	    analyze_path_make(&path, &x, &y))
		pairs = path.swaps < NOT_NEAR ? path.swaps : NOT_NEAR - 1;
	analyze_path_fini(&path);
	plan_events_fini(&x);
	plan_events_fini(&y);
	return pairs;
}

/* Makes the run of the minimal plan, and those without one entry each. Sets pairs[] for each entry: in how many pairs
 * of events the order of both runs differs, if they fail and pass; NOT_NEAR otherwise. */
static bool measure_nearest(struct analyze *analyze, uint64_t *pairs)
{
	const struct plan *minimal = &analyze->minimal;
	const enum try_ends wanted = analyze->minimal_passes ? TRY_FAILS : TRY_PASSES;
	struct analyze_try *tries = memory_or_die(calloc(minimal->count + 1, sizeof(*tries)));
	for (size_t i = 0; i <= minimal->count; i++) {
		const bool is_whole = i == minimal->count;
		tries[i] = (struct analyze_try){.step = "nearest", .distance = !is_whole, .records = true};
		tries[i].plan = is_whole ? copy_of(minimal) : copy_without(minimal, i);
	}
	const bool goes_on = analyze_try_all(analyze, tries, minimal->count + 1);
	for (size_t i = 0; i < minimal->count; i++) {
		pairs[i] = NOT_NEAR;
		if (goes_on && tries[i].result == wanted && minimal->entries[i].kind != SCHED_PLAN_anchor)
			pairs[i] = pairs_between(analyze, &tries[minimal->count].schedule, &tries[i].schedule);
	}
	for (size_t i = 0; i <= minimal->count; i++) {
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	return goes_on && !analyze_is_stopped(analyze);
}

/* Takes the runs with and without an entry as the two sides. */
static bool take_near(struct analyze *analyze, size_t entry)
{
	struct analyze_side *with = analyze->minimal_passes ? &analyze->passing : &analyze->failing;
	struct analyze_side *without = analyze->minimal_passes ? &analyze->failing : &analyze->passing;
	struct analyze_try tries[2] = {{.step = "nearest", .records = true},
	                               {.step = "nearest", .distance = 1, .records = true}};
	tries[0].plan = copy_of(&analyze->minimal);
	tries[1].plan = copy_without(&analyze->minimal, entry);
	const bool goes_on = analyze_try_all(analyze, tries, 2) && take_side(analyze, with, &tries[0]) &&
	                     take_side(analyze, without, &tries[1]);
	for (unsigned i = 0; i < 2; i++) {
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	return goes_on;
}

/* Returns the index of the entry whose omission changes the order of the fewest pairs of events, or the number of
 * entries if no run without an entry is near. */
static size_t nearest(const struct plan *minimal, const uint64_t *pairs)
{
	size_t best = minimal->count;
	for (size_t i = 0; i < minimal->count; i++)
		if (pairs[i] != NOT_NEAR && (best == minimal->count || pairs[i] < pairs[best]))
			best = i;
	return best;
}

/* --- the way --- */

static bool is_jump(const struct sched_plan *entry)
{
	return entry->kind == SCHED_PLAN_jump || entry->kind == SCHED_PLAN_leap;
}

static bool is_choice(const struct sched_plan *entry)
{
	return entry->kind == SCHED_PLAN_choice || is_jump(entry);
}

static bool is_of_tick(const struct sched_plan *entry)
{
	return entry->kind == SCHED_PLAN_tick || entry->kind == SCHED_PLAN_anchor || entry->kind == SCHED_PLAN_woken;
}

/* Adds the entries of some kinds of a schedule that are not in the plan yet. */
static bool add_some(struct plan *plan, const struct schedule *schedule, bool (*is_wanted)(const struct sched_plan *),
                     struct error *error)
{
	struct plan all = {0}, before;
	if (plan_of_schedule(&all, schedule, error))
		return false;
	before = copy_of(plan);
	for (size_t i = 0; i < all.count; i++)
		if (is_wanted(&all.entries[i]) && !plan_find(&before, &all.entries[i]))
			memory_check(plan_add(plan, &all.entries[i]));
	plan_fini(&all);
	plan_fini(&before);
	plan_order(plan);
	return true;
}

/* Whose choices, jumps and ticks the runs of a way take over, by bit. What belongs to one side may keep the order of
 * the other from being followed: for example, a thread that waits longest in one order is chosen, and in the other one
 * it is not. */
enum way_of { WAY_FAILING = 1, WAY_PASSING = 2, WAY_MINIMAL = 4 };

/* Adds the choices and jumps that are needed, and leaves all others to chance. */
static void add_needed(struct plan *plan, const struct plan *minimal)
{
	for (size_t i = 0; i < minimal->count; i++)
		if (is_choice(&minimal->entries[i]))
			memory_check(plan_add(plan, &minimal->entries[i]));
	plan_order(plan);
}

static bool way_make(struct analyze *analyze, struct way *way, unsigned of)
{
	*way = (struct way){0};
	memory_check(analyze_path_make(&way->path, &analyze->failing.events, &analyze->passing.events));
	const struct schedule *const both[] = {&analyze->failing.schedule, &analyze->passing.schedule};
	bool fits = true;
	if (of & WAY_MINIMAL)
		add_needed(&way->choices, &analyze->minimal);
	for (unsigned i = 0; fits && i < 2; i++) {
		if (of & 1U << i)
			fits = add_some(&way->choices, both[i], is_choice, &analyze->error);
		if (fits && (of & (1U << i | WAY_MINIMAL)))
			fits = add_some(&way->ticks, both[i], is_of_tick, &analyze->error);
	}
	return fits;
}

static void way_fini(struct way *way)
{
	analyze_path_fini(&way->path);
	plan_fini(&way->choices);
	plan_fini(&way->ticks);
}

/* The plan of the order after some swaps. */
static struct plan plan_at(const struct way *way, uint64_t swaps)
{
	struct plan_events events;
	struct plan plan = {0};
	size_t pair;
	memory_check(analyze_path_at(&way->path, swaps, &events, &pair));
	for (size_t i = 0; i < way->choices.count; i++)
		memory_check(plan_add(&plan, &way->choices.entries[i]));
	memory_check(plan_add_event_stays(&plan, &events) && plan_of_events(&plan, &events, &way->ticks));
	plan_events_fini(&events);
	return plan;
}

/* Makes the runs of several places on the way. */
static bool try_places(struct analyze *analyze, const struct way *way, const uint64_t *swaps, enum try_ends *results,
                       size_t count)
{
	struct analyze_try *tries = memory_or_die(calloc(count, sizeof(*tries)));
	for (size_t i = 0; i < count; i++) {
		tries[i] = (struct analyze_try){.step = "bisect", .distance = swaps[i]};
		tries[i].plan = plan_at(way, swaps[i]);
		if (tries[i].plan.count > SCHED_PLAN_MAX)
			error_set(&analyze->error, E2BIG, "there are more than %u switches between the two schedules",
			          SCHED_PLAN_MAX);
	}
	const bool goes_on = !analyze->error.text[0] && analyze_try_all(analyze, tries, count);
	for (size_t i = 0; i < count; i++) {
		results[i] = tries[i].result;
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	return goes_on;
}

/* Narrows [*low, *high], where low does `is_low` says and high does not, to one swap. */
static bool narrow(struct analyze *analyze, const struct way *way, const bool is_low[TRY_RESULTS], uint64_t *low,
                   uint64_t *high, enum try_ends results[2])
{
	while (*high - *low > 1) {
		analyze_progress_left(analyze, *high - *low - 1, "orders of events between them");
		uint64_t inside = *high - *low - 1, swaps[TRIES_TOGETHER];
		enum try_ends found[TRIES_TOGETHER];
		size_t count = inside < TRIES_TOGETHER ? inside : TRIES_TOGETHER, i;
		for (i = 0; i < count; i++)
			swaps[i] = *low + 1 + (uint64_t)((unsigned __int128)inside * (2 * i + 1) / (2 * count));
		if (!try_places(analyze, way, swaps, found, count))
			return false;
		for (i = 0; i < count && is_low[found[i]]; i++) {
			*low = swaps[i];
			results[0] = found[i];
		}
		if (i < count) {
			*high = swaps[i];
			results[1] = found[i];
		}
	}
	return true;
}

/* Makes the run at a place on the way again, and takes what it did. */
static bool take_place(struct analyze *analyze, const struct way *way, uint64_t swaps, struct analyze_side *side)
{
	struct analyze_try made = {.step = "pair", .distance = swaps, .records = true};
	made.plan = plan_at(way, swaps);
	const bool goes_on = analyze_try_all(analyze, &made, 1) && take_side(analyze, side, &made);
	plan_fini(&made.plan);
	analyze_try_fini(&made);
	return goes_on;
}

static void fail_because(struct analyze *analyze, char *why)
{
	free(analyze->verdict);
	analyze->verdict = why;
}

/* Sets the pair, if both runs had the events of the swap, one after the other. */
static bool take_pair(struct analyze *analyze, const struct way *way, uint64_t low, uint64_t high)
{
	if (!take_place(analyze, way, low, &analyze->failing) || !take_place(analyze, way, high, &analyze->passing))
		return false;
	const struct plan_events *events = &analyze->failing.events;
	analyze->distance = analyze_path_distance(events, &analyze->passing.events, &analyze->place);
	analyze->has_pair = analyze->distance == 1 && analyze->place < events->count &&
	                    analyze->place < analyze->passing.events.count;
	if (analyze->has_pair) {
		fail_because(analyze, NULL);
		analyze->pair[0] = events->at[analyze->place];
		analyze->pair[1] = analyze->passing.events.at[analyze->place];
		return true;
	}
	fail_because(analyze, text_of("the nearest schedules that fail and pass differ in the order of %lu pairs of "
	                              "events: the threads cannot run in any order between these",
	                              analyze->distance));
	return true;
}

/* Bisects on a way. Sets *is_way: the run at its begin fails, and that at its end passes. */
static bool bisect(struct analyze *analyze, const struct way *way, bool *is_way)
{
	static const bool fails[TRY_RESULTS] = {[TRY_FAILS] = true};
	static const bool fails_somehow[TRY_RESULTS] = {[TRY_FAILS] = true, [TRY_OTHERWISE] = true};
	uint64_t low = 0, high = way->path.swaps;
	uint64_t ends[2] = {0, high};
	enum try_ends results[2];
	if (!try_places(analyze, way, ends, results, high ? 2 : 1))
		return false;
	analyze->distance = high;
	*is_way = high && results[0] == TRY_FAILS && results[1] == TRY_PASSES;
	if (!*is_way) {
		fail_because(analyze,
		             text_of("the two schedules differ in the order of %lu pairs of events, and no run "
		                     "could be made between them, because their events alone do not %s",
		                     high, high && results[0] == TRY_FAILS ? "make the program pass" : "make it fail"));
		return true;
	}
	if (!narrow(analyze, way, fails, &low, &high, results))
		return false;
	uint64_t first = low;
	if (results[1] == TRY_OTHERWISE) {
		low = high;
		high = way->path.swaps;
		results[0] = TRY_OTHERWISE;
		results[1] = TRY_PASSES;
		if (!narrow(analyze, way, fails_somehow, &low, &high, results))
			return false;
		if (results[0] == TRY_OTHERWISE) {
			analyze->distance = high - first;
			if (!take_place(analyze, way, low, &analyze->passing)) /* for its end */
				return false;
			fail_because(
				analyze,
				text_of("between the nearest schedules that fail in this way and pass, which differ "
			                "in the order of %lu pairs of events, the program ends in another way: %s",
			                high - first, analyze->passing.end));
			return take_place(analyze, way, first, &analyze->failing) &&
			       take_place(analyze, way, high, &analyze->passing);
		}
	}
	return take_pair(analyze, way, low, high);
}

/* Bisects between the two sides, with the choices and jumps of both, or else of one, or those that are needed. */
static bool bisect_once(struct analyze *analyze)
{
	static const unsigned ways[] = {WAY_FAILING | WAY_PASSING, WAY_MINIMAL, WAY_FAILING, WAY_PASSING};
	bool is_way = false, goes_on = true;
	for (unsigned i = 0; goes_on && !is_way && i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct way way;
		goes_on = way_make(analyze, &way, ways[i]) && bisect(analyze, &way, &is_way);
		way_fini(&way);
	}
	return goes_on;
}

/* Bisects between the two sides. The runs at both ends show more events, such as waits, between which a shorter way may
 * lead. */
static bool bisect_sides(struct analyze *analyze)
{
	uint64_t before = UINT64_MAX;
	bool goes_on = true;
	analyze->distance = ANALYZE_DISTANCE_UNKNOWN;
	while (goes_on && !analyze->has_pair && analyze->distance < before) {
		before = analyze->distance;
		goes_on = bisect_once(analyze);
	}
	return goes_on;
}

void analyze_side_fini(struct analyze_side *side)
{
	plan_fini(&side->plan);
	schedule_free(&side->schedule);
	plan_events_fini(&side->events);
	analyze_looks_fini(&side->looks);
	free(side->end);
	*side = (struct analyze_side){0};
}

bool analyze_bisect_other(struct analyze *analyze, const struct analyze_run *failing, const struct analyze_run *passing,
                          struct analyze_found *found)
{
	const struct analyze_found first = {
		true, {analyze->pair[0], analyze->pair[1]}, {analyze->failing, analyze->passing}, analyze->place};
	const struct analyze_run *runs[2] = {failing, passing};
	char *verdict = analyze->verdict;
	struct analyze_try tries[2];
	for (unsigned i = 0; i < 2; i++) {
		tries[i] = (struct analyze_try){.step = "another pair", .records = true};
		memcpy(tries[i].words, runs[i]->words, sizeof(runs[i]->words));
		tries[i].plan = copy_of(runs[i]->plan);
	}
	analyze->failing = analyze->passing = (struct analyze_side){0};
	analyze->has_pair = false;
	analyze->verdict = NULL;
	const bool goes_on = analyze_try_all(analyze, tries, 2) && take_side(analyze, &analyze->failing, &tries[0]) &&
	                     take_side(analyze, &analyze->passing, &tries[1]) && bisect_sides(analyze);
	for (unsigned i = 0; i < 2; i++) {
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	*found = (struct analyze_found){goes_on && analyze->has_pair,
	                                {analyze->pair[0], analyze->pair[1]},
	                                {analyze->failing, analyze->passing},
	                                analyze->place};
	free(analyze->verdict);
	analyze->verdict = verdict;
	analyze->failing = first.sides[0];
	analyze->passing = first.sides[1];
	analyze->has_pair = true;
	analyze->distance = 1;
	analyze->place = first.place;
	for (unsigned i = 0; i < 2; i++)
		analyze->pair[i] = first.pair[i];
	return goes_on;
}

/* Bisects between the runs with and without an entry, which is all that decides if it is no order. */
static bool bisect_at(struct analyze *analyze, size_t index)
{
	const struct sched_plan *left_out = &analyze->minimal.entries[index];
	const char *ends = analyze->minimal_passes ? "passes" : "fails";
	if (!take_near(analyze, index))
		return false;
	if (left_out->kind == SCHED_PLAN_choice) {
		analyze->distance = 1;
		char *choice = analyze_results_choice(left_out);
		fail_because(analyze,
		             text_of("not the order of two events decides, but a choice in operation %lu of thread %u: "
		                     "it %s if, %s",
		                     left_out->points, left_out->thread, ends, choice));
		free(choice);
		return true;
	}
	const bool goes_on = bisect_sides(analyze);
	if (goes_on && !analyze->has_pair && is_jump(left_out))
		fail_because(analyze,
		             text_of("not the order of two events decides, but time: it %s if time jumps to the end of "
		                     "a sleep or timeout %s operation %lu of thread %u, though a thread is ready",
		                     ends, left_out->kind == SCHED_PLAN_leap ? "before" : "in", left_out->points,
		                     left_out->thread));
	return goes_on;
}

/* What was found without the nearest entry, if that was no pair. */
struct found {
	struct analyze_side failing, passing;
	char *verdict;
	uint64_t distance;
};

static void put_aside(struct analyze *analyze, struct found *found)
{
	*found = (struct found){analyze->failing, analyze->passing, analyze->verdict, analyze->distance};
	analyze->failing = analyze->passing = (struct analyze_side){0};
	analyze->verdict = NULL;
}

static void take_back(struct analyze *analyze, const struct found *found)
{
	analyze_side_fini(&analyze->failing);
	analyze_side_fini(&analyze->passing);
	free(analyze->verdict);
	analyze->failing = found->failing;
	analyze->passing = found->passing;
	analyze->verdict = found->verdict;
	analyze->distance = found->distance;
}

/* Bisects at the nearest entries until a pair is found. */
static bool bisect_next(struct analyze *analyze)
{
	const size_t count = analyze->minimal.count;
	uint64_t *pairs = analyze->nearest;
	struct found first = {0};
	bool goes_on = true;
	for (unsigned i = 0; goes_on && !analyze->has_pair && i < NEAREST_MAX; i++) {
		const size_t entry = nearest(&analyze->minimal, pairs);
		if (entry == count)
			break;
		if (i == 1)
			put_aside(analyze, &first);
		goes_on = bisect_at(analyze, entry);
		pairs[entry] = NOT_NEAR;
	}
	if (first.verdict && !analyze->has_pair) {
		take_back(analyze, &first);
	} else if (first.verdict) {
		analyze_side_fini(&first.failing);
		analyze_side_fini(&first.passing);
		free(first.verdict);
	}
	return goes_on;
}

bool analyze_bisect(struct analyze *analyze)
{
	const size_t count = analyze->minimal.count;
	analyze->nearest = memory_or_die(calloc(count + 1, sizeof(*analyze->nearest)));
	if (!measure_nearest(analyze, analyze->nearest))
		return false;
	if (nearest(&analyze->minimal, analyze->nearest) == count)
		fail_because(analyze,
		             text_of("without any one of the %zu decisions that it needs, the program fails in "
		                     "another way, so no schedule that passes is near",
		                     count));
	return bisect_next(analyze);
}

bool analyze_bisect_again(struct analyze *analyze)
{
	analyze->has_pair = false;
	analyze->failing = analyze->passing = (struct analyze_side){0};
	return bisect_next(analyze);
}
