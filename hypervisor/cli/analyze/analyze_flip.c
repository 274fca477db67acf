/* SPDX-License-Identifier: MIT */
/* The flip check: whether the order of the pair decides under other schedules, too. A hold keeps the later event from
 * beginning before the earlier one is done; everything else is drawn anew by each seed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"
#include "cli/analyze/analyze_try.h"

#define SCHED "--sched=near:p=0.2"
#define WORD_BYTES 40

/* The plan that keeps `later` behind `earlier`; with the minimal plan if `all`. */
static struct plan plan_of(const struct analyze *analyze, const struct plan_event *earlier,
                           const struct plan_event *later, bool all)
{
	const struct sched_plan hold = {.thread = later->thread,
	                                .next = earlier->thread,
	                                .kind = SCHED_PLAN_hold,
	                                .points = later->points,
	                                .ticks = earlier->points};
	struct plan plan = {0};
	for (size_t i = 0; all && i < analyze->minimal.count; i++)
		if (!plan_add(&plan, &analyze->minimal.entries[i]))
			die("out of memory");
	if (!plan_add(&plan, &hold))
		die("out of memory");
	plan_order(&plan);
	return plan;
}

/* Whether the later event did not begin too soon. It may not have begun at all. */
static bool was_kept(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->entries[i].kind == SCHED_PLAN_hold)
			return plan->entries[i].use != SCHED_PLAN_VAIN;
	return false;
}

static void count(struct analyze_flips *flips, const struct analyze_try *made)
{
	flips->seeds++;
	if (!was_kept(&made->plan))
		return;
	flips->forced++;
	flips->fails += made->result == TRY_FAILS;
	flips->passes += made->result == TRY_PASSES;
	flips->otherwise += made->result == TRY_OTHERWISE;
}

static bool try_order(struct analyze *analyze, bool all, bool passing)
{
	static char sched[] = SCHED;
	const size_t seeds = analyze->option.seeds;
	const struct plan_event *earlier = &analyze->pair[passing], *later = &analyze->pair[!passing];
	struct analyze_try *tries = calloc(seeds, sizeof(*tries));
	char(*words)[WORD_BYTES] = calloc(seeds, sizeof(*words));
	if (!tries || !words)
		die("out of memory");
	for (size_t i = 0; i < seeds; i++) {
		snprintf(words[i], sizeof(words[i]), "--sched-seed=%zu", i + 1);
		tries[i] = (struct analyze_try){.step = passing ? "flip: passing order" : "flip: failing order",
		                                .words = {sched, words[i]}};
		tries[i].plan = plan_of(analyze, earlier, later, all);
	}
	const bool goes_on = analyze_try_all(analyze, tries, seeds);
	for (size_t i = 0; i < seeds; i++) {
		if (tries[i].is_made)
			count(&analyze->flips[all][passing], &tries[i]);
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

bool analyze_flip(struct analyze *analyze)
{
	if (!can_be_held(&analyze->pair[0]) || !can_be_held(&analyze->pair[1]))
		return true;
	if (!try_order(analyze, false, false) || !try_order(analyze, false, true))
		return false;
	analyze->has_flips = true;
	const struct analyze_flips *fails = &analyze->flips[0][0], *passes = &analyze->flips[0][1];
	if (analyze->minimal_passes || (fails->fails == fails->seeds && passes->passes == passes->seeds))
		return true;
	return try_order(analyze, true, false) && try_order(analyze, true, true);
}
