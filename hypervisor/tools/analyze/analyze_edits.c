/* SPDX-License-Identifier: MIT */
/* A plan names each decision by its thread's own operations, so two schedules are compared decision by decision. */
#include "analyze/analyze_edits.h"
#include "base/error.h"

#define DECISIONS_MAX (1U << 21) /* decisions that are kept of all tries: 64 MiB, and as much for arrays that grow */

bool analyze_edits_take(struct plan *plan, const struct schedule *schedule, size_t tries)
{
	struct error error;
	if (!plan_of_schedule(plan, schedule, &error) && plan->count <= DECISIONS_MAX / tries)
		return true;
	plan_fini(plan);
	return false;
}

void analyze_edits_keep(struct analyze *analyze, struct try_note *note, struct plan *plan)
{
	if (analyze->kept + plan->count > DECISIONS_MAX)
		return;
	analyze->kept += plan->count;
	note->kept = *plan;
	note->is_kept = true;
	*plan = (struct plan){0};
}

void analyze_edits_measure(struct analyze *analyze)
{
	const struct schedule *from = analyze->failing.is_known ? &analyze->failing.schedule : &analyze->given;
	struct plan plan = {0};
	struct error error;
	const bool can_be_compared = from->count && !plan_of_schedule(&plan, from, &error);
	plan_order(&plan);
	for (size_t i = 0; i < analyze->note_count; i++) {
		struct try_note *note = &analyze->notes[i];
		note->edits = ANALYZE_EDITS_UNKNOWN;
		if (can_be_compared && note->is_kept) {
			plan_order(&note->kept);
			note->edits = analyze_edits_between(&note->kept, &plan);
		}
		note->is_kept = false;
		plan_fini(&note->kept);
	}
	plan_fini(&plan);
}

static uint64_t decisions_of(const struct plan *plan)
{
	uint64_t count = 0;
	for (size_t i = 0; i < plan->count; i++)
		count += plan->entries[i].kind != SCHED_PLAN_anchor;
	return count;
}

uint64_t analyze_edits_between(const struct plan *a, const struct plan *b)
{
	uint64_t common = 0, changed = 0;
	for (size_t i = 0; i < a->count; i++) {
		const struct sched_plan *entry = &a->entries[i], *other = plan_find(b, entry);
		if (entry->kind == SCHED_PLAN_anchor || !other)
			continue;
		common++;
		changed += other->next != entry->next || other->ticks != entry->ticks;
	}
	return decisions_of(a) - common + decisions_of(b) - common + changed;
}
