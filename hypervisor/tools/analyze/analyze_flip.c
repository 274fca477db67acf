/* SPDX-License-Identifier: MIT */
/* The flip check: whether the order of the pair decides under other schedules, too. A hold keeps the later event from
 * beginning before the earlier one is done; everything else is drawn anew by each seed.
 *
 * If a run passes although the pair is in the failing order, then something else is needed to fail. Bisection between
 * that run and the failing one finds another pair, whose order is then kept, too. In the same way, bisection between
 * the passing run and one that fails in the passing order finds what else is needed to pass.
 *
 * This may not end, because what a thread's operations are depends on what was before them. Then the same is done after
 * the same beginning: a run does what the failing one did up to the pair, and what follows is drawn by the seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_progress.h"
#include "analyze/analyze_rank.h"
#include "analyze/analyze_try.h"
#include "base/memory.h"
#include "base/text.h"

#define WORD_BYTES 40
#define EXCEPTIONS_MAX 12 /* runs of a round that are bisected until one shows another pair */
#define ROUNDS_MAX 5      /* times --seeds that are tried until --seeds runs have kept the order */

/* Limits of an event that a hold can name. */
#define OPERATION_MAX SCHED_HOLD_OPERATION(UINT64_MAX)
#define PART_MAX SCHED_HOLD_PART(UINT64_MAX)

/* The seeds of runs in which the order was kept, but which did not end as it promises. */
struct exceptions {
	size_t seeds[EXCEPTIONS_MAX], count;
};

static void add_hold(struct plan *plan, const struct plan_event *earlier, const struct plan_event *later)
{
	const struct sched_plan hold = {.thread = later->thread,
	                                .next = earlier->thread,
	                                .kind = SCHED_PLAN_hold,
	                                .part = later->part,
	                                .points = later->points,
	                                .ticks = SCHED_HOLD(earlier->points, earlier->part)};
	memory_check(plan_add(plan, &hold));
}

/* Which orders are kept. */
enum kept {
	KEPT_FAILING,        /* the failing order of the pair, and the others that are needed to fail */
	KEPT_PASSING,        /* the passing order of the pair, and the others that are needed to pass */
	KEPT_PASSING_FLIPPED /* the same, and those that are needed to fail */
};

static bool is_passing(enum kept kept)
{
	return kept != KEPT_FAILING;
}

/* Whether the other orders of a side are kept. */
static bool is_kept(enum kept kept, unsigned side)
{
	return kept == KEPT_PASSING_FLIPPED || side == (kept == KEPT_PASSING);
}

/* Adds what the run of a side has done before the pair. */
static void add_beginning(struct plan *plan, const struct analyze *analyze)
{
	const struct analyze_side *side = &analyze->failing;
	uint32_t highest = 0;
	for (size_t i = 0; i < analyze->place; i++)
		highest = side->events.at[i].thread > highest ? side->events.at[i].thread : highest;
	uint64_t *last = memory_or_die(calloc((size_t)highest + 1, sizeof(*last))); /* 1 + operation, by thread */
	for (size_t i = 0; i < analyze->place; i++)
		last[side->events.at[i].thread] = 1 + side->events.at[i].points;
	for (size_t i = 0; i < side->plan.count; i++) {
		struct sched_plan entry = side->plan.entries[i];
		if (entry.thread > highest || entry.points >= last[entry.thread])
			continue;
		if (entry.kind == SCHED_PLAN_stay && entry.ticks >= last[entry.thread])
			entry.ticks = last[entry.thread] - 1;
		memory_check(plan_add(plan, &entry));
	}
	free(last);
}

/* The number of decision points and choices of the failing run before the pair. */
static uint64_t beginning(const struct analyze *analyze)
{
	const struct schedule *schedule = &analyze->failing.schedule;
	uint64_t points = 0, passed = 0, choices = 0;
	for (size_t i = 0; i < analyze->place; i++)
		points += analyze->failing.events.at[i].points && !analyze->failing.events.at[i].part;
	for (uint64_t i = 0; i < schedule->count && passed + schedule->records[i].points <= points; i++) {
		const unsigned kind = schedule->records[i].kind;
		passed += schedule->records[i].points;
		choices += kind == SCHED_KIND_wake || kind == SCHED_KIND_timeout || kind == SCHED_KIND_signal;
	}
	return points + choices;
}

/* The plan that keeps the pair in one of its orders, and others in theirs. */
static struct plan plan_of(const struct analyze *analyze, enum kept kept)
{
	const bool passing = is_passing(kept);
	struct plan plan = {0};
	if (analyze->is_after)
		add_beginning(&plan, analyze);
	add_hold(&plan, &analyze->pair[passing], &analyze->pair[!passing]);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; is_kept(kept, side) && i < analyze->others[side].count; i++)
			add_hold(&plan, &analyze->others[side].at[i][0], &analyze->others[side].at[i][1]);
	plan_order(&plan);
	return plan;
}

/* The option --sched under which other schedules are drawn. The caller frees it. */
static char *sched_of(const struct analyze *analyze)
{
	return text_of("--sched=near:p=0.2,from=%lu", analyze->is_after ? beginning(analyze) : 0);
}

static void count(struct analyze_flips *flips, const struct analyze_try *made)
{
	flips->seeds++;
	if (made->is_vain)
		return;
	flips->kept++;
	flips->fails += made->result == TRY_FAILS;
	flips->passes += made->result == TRY_PASSES;
	flips->otherwise += made->result == TRY_OTHERWISE;
	const char *end = made->is_made ? made->outcome.end : made->known_end;
	if (made->result == TRY_OTHERWISE && !flips->other_end)
		flips->other_end = text_copy(end);
}

/* Makes the runs of some seeds, and counts them until enough have kept the order. */
static bool try_seeds(struct analyze *analyze, enum kept kept, size_t first, size_t seeds, struct analyze_flips *flips,
                      struct exceptions *exceptions)
{
	const enum try_ends exception = is_passing(kept) ? TRY_FAILS : TRY_PASSES;
	char *sched = sched_of(analyze);
	struct analyze_try *tries = memory_or_die(calloc(seeds, sizeof(*tries)));
	char(*words)[WORD_BYTES] = memory_or_die(calloc(seeds, sizeof(*words)));
	for (size_t i = 0; i < seeds; i++) {
		snprintf(words[i], sizeof(words[i]), "--sched-seed=%zu", first + i);
		tries[i] =
			(struct analyze_try){.step = is_passing(kept) ? "flip: passing order" : "flip: failing order",
		                             .words = {sched, words[i]}};
		tries[i].plan = plan_of(analyze, kept);
	}
	analyze_progress_left(analyze, seeds, "runs of this order");
	const bool goes_on = analyze_try_all(analyze, tries, seeds);
	for (size_t i = 0; i < seeds; i++) {
		if (goes_on || tries[i].is_made) {
			count(flips, &tries[i]);
			if (tries[i].result == exception && !tries[i].is_vain && exceptions->count < EXCEPTIONS_MAX)
				exceptions->seeds[exceptions->count++] = first + i;
		}
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	free(words);
	free(sched);
	return goes_on;
}

/* Tries an order under other schedules. A run that cannot keep the order is no test of it, so more are tried. */
static bool try_order(struct analyze *analyze, enum kept kept, struct analyze_flips *flips,
                      struct exceptions *exceptions)
{
	const size_t seeds = analyze->option.seeds;
	free(flips->other_end);
	*flips = (struct analyze_flips){0};
	exceptions->count = 0;
	while (flips->kept < seeds && flips->seeds < ROUNDS_MAX * seeds)
		if (!try_seeds(analyze, kept, 1 + flips->seeds, seeds - flips->kept, flips, exceptions))
			return false;
	return true;
}

/* The same until the first exception, a few tries at a time: whether an order is needed is known then. */
static bool try_until_exception(struct analyze *analyze, enum kept kept, struct analyze_flips *flips,
                                struct exceptions *exceptions)
{
	const size_t seeds = analyze->option.seeds;
	*flips = (struct analyze_flips){0};
	exceptions->count = 0;
	while (flips->kept < seeds && flips->seeds < ROUNDS_MAX * seeds && !exceptions->count) {
		const size_t left = seeds - flips->kept;
		if (!try_seeds(analyze, kept, 1 + flips->seeds, left < TRIES_TOGETHER ? left : TRIES_TOGETHER, flips,
		               exceptions))
			return false;
	}
	return true;
}

/* Whether a hold can be about an event. The first thread has begun before any hold. */
static bool can_be_held(const struct plan_event *event)
{
	return (event->thread > 1 || event->points || event->part) && event->points <= OPERATION_MAX &&
	       event->part <= PART_MAX;
}

static bool is_pair(const struct plan_event a[2], const struct plan_event b[2])
{
	return plan_event_is(&a[0], &b[0]) && plan_event_is(&a[1], &b[1]);
}

/* Whether these two events are kept in this order. */
static bool is_known(const struct analyze *analyze, enum kept kept, const struct plan_event order[2])
{
	const bool passing = is_passing(kept);
	const struct plan_event first[2] = {analyze->pair[passing], analyze->pair[!passing]};
	bool is = is_pair(first, order);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned i = 0; is_kept(kept, side) && i < analyze->others[side].count; i++)
			is = is || is_pair(analyze->others[side].at[i], order);
	return is;
}

/* Finds a pair whose order makes the difference between a run that is an exception, and the run of this side. Adds it
 * to the others, as it has to be kept. Sets *found. */
static bool find_order(struct analyze *analyze, enum kept kept, size_t seed, bool *found)
{
	const bool passing = is_passing(kept);
	struct analyze_orders *others = &analyze->others[passing];
	char word[WORD_BYTES];
	struct plan plan = plan_of(analyze, kept);
	struct analyze_found new;
	snprintf(word, sizeof(word), "--sched-seed=%zu", seed);
	char *sched = sched_of(analyze);
	const struct analyze_run exception = {&plan, {sched, word}};
	const struct analyze_run usual = {passing ? &analyze->passing.plan : &analyze->failing.plan, {NULL}};
	const bool goes_on =
		analyze_bisect_other(analyze, passing ? &exception : &usual, passing ? &usual : &exception, &new);
	plan_fini(&plan);
	free(sched);
	const struct plan_event order[2] = {new.pair[passing], new.pair[!passing]};
	*found = new.is_found &&can_be_held(&order[0]) && can_be_held(&order[1]) && !is_known(analyze, kept, order);
	if (*found) {
		memcpy(others->at[others->count], order, sizeof(order));
		memcpy(others->sides[others->count], new.sides, sizeof(new.sides));
		others->places[others->count++] = new.place;
	} else {
		analyze_side_fini(&new.sides[0]);
		analyze_side_fini(&new.sides[1]);
	}
	return goes_on;
}

static void remove_order(struct analyze_orders *others, unsigned i)
{
	const size_t behind = others->count - i - 1;
	memmove(others->at[i], others->at[i + 1], behind * sizeof(*others->at));
	memmove(others->sides[i], others->sides[i + 1], behind * sizeof(*others->sides));
	memmove(&others->places[i], &others->places[i + 1], behind * sizeof(*others->places));
	others->count--;
}

static void forget_orders(struct analyze_orders *others)
{
	for (unsigned i = 0; i < others->count; i++) {
		analyze_side_fini(&others->sides[i][0]);
		analyze_side_fini(&others->sides[i][1]);
	}
	others->count = 0;
}

/* Leaves out orders that are not needed because of others that were found later. */
static bool leave_out(struct analyze *analyze, enum kept kept, struct analyze_flips *flips)
{
	struct analyze_orders *others = &analyze->others[is_passing(kept)];
	for (unsigned i = others->count; i--;) {
		const struct analyze_orders before = *others;
		struct analyze_flips without = {0};
		struct exceptions exceptions;
		remove_order(others, i);
		const bool goes_on = try_until_exception(analyze, kept, &without, &exceptions);
		if (goes_on && !exceptions.count && !without.otherwise && without.kept >= flips->kept) {
			free(flips->other_end);
			*flips = without;
			continue;
		}
		*others = before;
		free(without.other_end);
		if (!goes_on)
			return false;
	}
	return true;
}

/* Adds orders until no run is an exception, or none is found. */
static bool find_others(struct analyze *analyze, enum kept kept, struct exceptions *exceptions)
{
	const bool passing = is_passing(kept);
	struct analyze_orders *others = &analyze->others[passing];
	struct analyze_flips *flips = &analyze->flips[1][passing];
	while (exceptions->count && others->count < ORDERS_MAX) {
		bool found = false;
		for (size_t i = 0; !found && i < exceptions->count; i++)
			if (!find_order(analyze, kept, exceptions->seeds[i], &found))
				return false;
		if (!found)
			return true;
		if (!try_order(analyze, kept, flips, exceptions))
			return false;
	}
	return true;
}

static void forget(struct analyze_flips *flips)
{
	free(flips->other_end);
	*flips = (struct analyze_flips){0};
}

/* Tries the passing order with what else is needed to fail, and finds what else is needed to pass. If those orders
 * leave no place for the passing order of the pair, it is tried alone. */
static bool flip_with_others(struct analyze *analyze, const struct analyze_flips *alone, struct exceptions *passing)
{
	struct exceptions flipped = {.count = 0};
	struct analyze_flips *flips = &analyze->flips[1][1];
	enum kept kept = KEPT_PASSING;
	if (analyze->others[0].count) {
		if (!try_order(analyze, KEPT_PASSING_FLIPPED, flips, &flipped))
			return false;
		if (flips->kept >= alone->kept) {
			kept = KEPT_PASSING_FLIPPED;
			*passing = flipped;
		} else {
			forget(flips);
		}
	}
	return find_others(analyze, kept, passing) &&
	       (passing->count || leave_out(analyze, kept, &analyze->flips[1][1]));
}

/* Tries an order of the pair without the others. */
static bool try_order_alone(struct analyze *analyze, enum kept kept, struct analyze_flips *flips,
                            struct exceptions *exceptions)
{
	struct analyze_orders *others = &analyze->others[0];
	const unsigned count = others->count;
	others->count = 0;
	const bool goes_on = try_order(analyze, kept, flips, exceptions);
	others->count = count;
	return goes_on;
}

/* Finds what else is needed to fail, makes the likely cause the pair, and leaves out what is not needed with it. */
static bool find_cause(struct analyze *analyze, struct analyze_flips alone[2], struct exceptions *failing,
                       struct exceptions *passing)
{
	struct exceptions none;
	bool is_another = false;
	if (!find_others(analyze, KEPT_FAILING, failing))
		return false;
	if (failing->count || !analyze->others[0].count)
		return true;
	if (!analyze->is_after && !analyze_rank_choose(analyze, &is_another))
		return false;
	if (is_another && (!try_order_alone(analyze, KEPT_FAILING, &alone[0], &none) ||
	                   !try_order_alone(analyze, KEPT_PASSING, &alone[1], passing)))
		return false;
	return leave_out(analyze, KEPT_FAILING, &analyze->flips[1][0]);
}

/* Tries the pair alone, and finds what else is needed. */
static bool flip(struct analyze *analyze, struct analyze_flips alone[2])
{
	struct exceptions failing, passing;
	if (!try_order(analyze, KEPT_FAILING, &alone[0], &failing) ||
	    !try_order(analyze, KEPT_PASSING, &alone[1], &passing))
		return false;
	analyze->has_flips = true;
	return find_cause(analyze, alone, &failing, &passing) && flip_with_others(analyze, &alone[1], &passing);
}

struct plan analyze_flip_plan(const struct analyze *analyze)
{
	return plan_of(analyze, KEPT_FAILING);
}

bool analyze_flip(struct analyze *analyze)
{
	if (!can_be_held(&analyze->pair[0]) || !can_be_held(&analyze->pair[1]))
		return true;
	if (!flip(analyze, analyze->flips[0]))
		return false;
	if (!analyze_flips_decide(analyze_flips_of(analyze, false), analyze_flips_of(analyze, true))) {
		for (unsigned i = 0; i < 2; i++) {
			forget(&analyze->flips[1][i]);
			forget_orders(&analyze->others[i]);
		}
		analyze->is_after = true;
		if (!flip(analyze, analyze->after))
			return false;
	}
	if (!analyze_look_at_others(analyze))
		return false;
	analyze_rank_count(analyze);
	return true;
}
