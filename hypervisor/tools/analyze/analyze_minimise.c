/* SPDX-License-Identifier: MIT */
/* Delta debugging (Zeller and Hildebrandt 2002) over the entries of a plan: parts are left out, first large ones and
 * then single entries, as long as the run does the same. What made no difference in a run is left out at once, because
 * the run without it is the same. */
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_progress.h"
#include "analyze/analyze_try.h"
#include "base/memory.h"

/* Whether an entry can be left out. An anchor makes no difference by itself. */
static bool is_free(const struct sched_plan *entry)
{
	return entry->kind != SCHED_PLAN_anchor;
}

static size_t free_count(const struct plan *plan)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->count; i++)
		count += is_free(&plan->entries[i]);
	return count;
}

/* Copies a plan without those of its free entries from `from` up to `to`, in the order of time. */
static struct plan copy_without(const struct plan *plan, size_t from, size_t to)
{
	struct plan copy = {0};
	size_t number = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct sched_plan *entry = &plan->entries[i];
		const bool is_out = is_free(entry) && number >= from && number < to;
		number += is_free(entry);
		if (!is_out)
			memory_check(plan_add(&copy, entry));
	}
	return copy;
}

/* Removes what made no difference in a run, and anchors if no tick is left. */
static void shrink(struct plan *plan)
{
	size_t kept = 0;
	bool has_ticks = false;
	for (size_t i = 0; i < plan->count; i++)
		has_ticks = has_ticks ||
		            (plan->entries[i].kind == SCHED_PLAN_tick && plan->entries[i].use == SCHED_PLAN_OTHER);
	for (size_t i = 0; i < plan->count; i++)
		if (is_free(&plan->entries[i]) ? plan->entries[i].use == SCHED_PLAN_OTHER : has_ticks)
			plan->entries[kept++] = plan->entries[i];
	plan->count = kept;
}

/* Replaces a plan by a smaller one, in the order of time, whose uses the ordered plan of its run has. */
static void take_smaller(struct plan *plan, const struct plan *ordered, size_t from, size_t to)
{
	struct plan smaller = copy_without(plan, from, to);
	for (size_t i = 0; i < smaller.count; i++) {
		const struct sched_plan *entry = plan_find(ordered, &smaller.entries[i]);
		smaller.entries[i].use = entry ? entry->use : SCHED_PLAN_UNUSED;
	}
	plan_fini(plan);
	*plan = smaller;
	shrink(plan);
}

/* Tries to leave out one of several parts. Each has `part` entries and begins `step` entries after the one before.
 * Returns the index of the first that can be left out, and leaves it out; `count` if none can be. */
static size_t try_parts(struct analyze *analyze, struct plan *plan, enum try_ends wanted, size_t from, size_t step,
                        size_t part, size_t count)
{
	struct analyze_try *tries = memory_or_die(calloc(count, sizeof(*tries)));
	size_t found = count;
	for (size_t i = 0; i < count; i++) {
		tries[i].step = "minimise";
		tries[i].plan = copy_without(plan, from + i * step, from + i * step + part);
		tries[i].distance = analyze->given_entries - free_count(&tries[i].plan);
		plan_order(&tries[i].plan);
	}
	const bool goes_on = analyze_try_all(analyze, tries, count);
	for (size_t i = 0; i < count; i++) {
		if (goes_on && found == count && tries[i].result == wanted && tries[i].is_made) {
			found = i;
			take_smaller(plan, &tries[i].plan, from + i * step, from + i * step + part);
		}
		plan_fini(&tries[i].plan);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	return found;
}

/* Leaves out parts, one after the other. Returns whether one could be left out. */
static bool leave_out(struct analyze *analyze, struct plan *plan, enum try_ends wanted, size_t step, size_t part)
{
	bool any = false;
	for (size_t from = 0, all; from < (all = free_count(plan)) && !analyze_is_stopped(analyze);) {
		analyze_progress_left(analyze, all, "decisions");
		size_t parts = (all - from + step - 1) / step, count = parts < TRIES_TOGETHER ? parts : TRIES_TOGETHER;
		size_t found = try_parts(analyze, plan, wanted, from, step, part, count);
		from += found * step;
		any = any || found < count;
	}
	return any;
}

bool analyze_minimise(struct analyze *analyze, const struct plan *plan, enum try_ends wanted)
{
	struct plan *minimal = &analyze->minimal;
	plan_fini(minimal);
	*minimal = copy_without(plan, 0, 0);
	shrink(minimal);
	analyze->given_entries = free_count(minimal);
	for (size_t part = free_count(minimal); part > 1 && !analyze_is_stopped(analyze); part = (part + 1) / 2) {
		leave_out(analyze, minimal, wanted, part, part);
		if (part > free_count(minimal))
			part = free_count(minimal);
	}
	/* Two switches in a row, such as to a thread and back, may be needed only for each other. */
	do
		while (!analyze_is_stopped(analyze) && leave_out(analyze, minimal, wanted, 1, 1))
			;
	while (!analyze_is_stopped(analyze) && leave_out(analyze, minimal, wanted, 1, 2));
	plan_order(minimal);
	analyze->is_minimal = !analyze_is_stopped(analyze);
	return analyze->is_minimal;
}
