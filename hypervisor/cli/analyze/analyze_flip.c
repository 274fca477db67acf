/* SPDX-License-Identifier: MIT */
/* The flip check: whether the order of the pair decides under other schedules, too. A hold keeps the later event from
 * beginning before the earlier one is done; everything else is drawn anew by each seed.
 *
 * If a run passes although the pair is in the failing order, then something else is needed to fail. Bisection between
 * that run and the failing one finds another pair, whose order is then kept, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "cli/analyze/analyze_try.h"

#define WORD_BYTES 40

static char sched_word[] = "--sched=near:p=0.2";

static void add_hold(struct plan *plan, const struct plan_event *earlier, const struct plan_event *later)
{
	const struct sched_plan hold = {.thread = later->thread,
	                                .next = earlier->thread,
	                                .kind = SCHED_PLAN_hold,
	                                .points = later->points,
	                                .ticks = earlier->points};
	if (!plan_add(plan, &hold))
		die("out of memory");
}

/* The plan that keeps the pair in one of its orders, and all others in that of the failing run. */
static struct plan plan_of(const struct analyze *analyze, bool passing)
{
	struct plan plan = {0};
	add_hold(&plan, &analyze->pair[passing], &analyze->pair[!passing]);
	for (unsigned i = 0; i < analyze->other_count; i++)
		add_hold(&plan, &analyze->others[i][0], &analyze->others[i][1]);
	plan_order(&plan);
	return plan;
}

/* Whether no later event began too soon. It may not have begun at all. */
static bool was_kept(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->entries[i].use == SCHED_PLAN_VAIN)
			return false;
	return true;
}

static void count(struct analyze_flips *flips, const struct analyze_try *made)
{
	flips->seeds++;
	if (!was_kept(&made->plan))
		return;
	flips->kept++;
	flips->fails += made->result == TRY_FAILS;
	flips->passes += made->result == TRY_PASSES;
	flips->otherwise += made->result == TRY_OTHERWISE;
}

/* Tries an order under each seed. Sets *exception to the first seed whose run kept the order and passed, 0: none. */
static bool try_order(struct analyze *analyze, bool passing, struct analyze_flips *flips, size_t *exception)
{
	const size_t seeds = analyze->option.seeds;
	struct analyze_try *tries = calloc(seeds, sizeof(*tries));
	char(*words)[WORD_BYTES] = calloc(seeds, sizeof(*words));
	if (!tries || !words)
		die("out of memory");
	*flips = (struct analyze_flips){0};
	*exception = 0;
	for (size_t i = 0; i < seeds; i++) {
		snprintf(words[i], sizeof(words[i]), "--sched-seed=%zu", i + 1);
		tries[i] = (struct analyze_try){.step = passing ? "flip: passing order" : "flip: failing order",
		                                .words = {sched_word, words[i]}};
		tries[i].plan = plan_of(analyze, passing);
	}
	const bool goes_on = analyze_try_all(analyze, tries, seeds);
	for (size_t i = 0; i < seeds; i++) {
		if (tries[i].is_made)
			count(flips, &tries[i]);
		if (tries[i].is_made && !*exception && tries[i].result == TRY_PASSES && was_kept(&tries[i].plan))
			*exception = i + 1;
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	free(words);
	return goes_on;
}

/* Whether an event can be held: it begins at a decision point. */
static bool can_be_held(const struct plan_event *event)
{
	return event->points && !event->part;
}

static bool is_known(const struct analyze *analyze, const struct plan_event pair[2])
{
	const struct plan_event *known = analyze->pair;
	for (unsigned i = 0; i <= analyze->other_count; known = analyze->others[i++])
		if (plan_event_is(&known[0], &pair[0]) && plan_event_is(&known[1], &pair[1]))
			return true;
	return false;
}

/* Adds pairs until no run in the failing order passes, or none is found. */
static bool find_others(struct analyze *analyze, size_t exception)
{
	while (exception && analyze->other_count < ORDERS_MAX) {
		char seed[WORD_BYTES];
		char *const words[2] = {sched_word, seed};
		struct plan plan = plan_of(analyze, false);
		struct plan_event pair[2];
		bool found;
		snprintf(seed, sizeof(seed), "--sched-seed=%zu", exception);
		const bool goes_on = analyze_bisect_other(analyze, &plan, words, pair, &found);
		plan_fini(&plan);
		if (!goes_on)
			return false;
		if (!found || !can_be_held(&pair[1]) || pair[0].part || is_known(analyze, pair))
			return true;
		memcpy(analyze->others[analyze->other_count++], pair, sizeof(pair));
		if (!try_order(analyze, false, &analyze->flips[1][0], &exception))
			return false;
	}
	return true;
}

bool analyze_flip(struct analyze *analyze)
{
	size_t exception, unused;
	if (!can_be_held(&analyze->pair[0]) || !can_be_held(&analyze->pair[1]))
		return true;
	if (!try_order(analyze, false, &analyze->flips[0][0], &exception) ||
	    !try_order(analyze, true, &analyze->flips[0][1], &unused))
		return false;
	analyze->has_flips = true;
	if (!find_others(analyze, exception))
		return false;
	return !analyze->other_count ||
	       (try_order(analyze, true, &analyze->flips[1][1], &unused) && analyze_look_at_others(analyze));
}
