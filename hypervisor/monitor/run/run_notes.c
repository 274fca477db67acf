/* SPDX-License-Identifier: MIT */
/* The doorbell's operation for noted accesses, and the rest of them at the end of the run. */
#include "abi/doorbell.h"
#include "abi/sched_area.h"
#include "base/error.h"
#include "run/place.h"
#include "run/run_state.h"
#include "sched/shared_notes.h"

/* Takes the accesses that the guest has noted, if they are wanted. */
static void take_noted_accesses(struct run *run)
{
	struct error error;
	struct shared_notes *notes = run->config->shared_notes;
	if (notes && run->schedule.area && shared_notes_take(notes, run->schedule.area, &run->memory, &error))
		run_fail(run, "%s", error.text);
}

static void stop_here(struct run *run)
{
	run->ended = true;
	run->result->end = RUN_STOPPED;
	run->result->status = 0;
}

/* Ends a run that has noted enough. The guest rings at the same access in each run, so it ends at one place. */
static void stop_at_limit(struct run *run)
{
	struct sched_shared shared;
	place_shared(&run->memory, &run->image, &shared);
	run->noted += shared.youngest > 1 ? SCHED_NOTES : SCHED_NOTES / 4;
	if (!run->config->notes_max || run->noted < run->config->notes_max || run->ended)
		return;
	stop_here(run);
}

/* --- looks --- */

/* The guest rings behind the next note that is to be looked at. */
static void await_look(struct run *run)
{
	const struct run_config *config = run->config;
	const uint64_t away = config->note_looks[run->note_look].number - run->notes_before;
	run->notes_from = SCHED_NOTES - (away < SCHED_NOTES ? away : SCHED_NOTES);
	run->schedule.area->notes_at = run->notes_from;
}

int run_notes_begin(struct run *run)
{
	if (run->config->note_look_count && run->schedule.area)
		await_look(run);
	return 0;
}

static void look_at_note(struct run *run)
{
	const struct run_config *config = run->config;
	struct fault_report place;
	run->notes_before += SCHED_NOTES - run->notes_from;
	const struct note_look *look = &config->note_looks[run->note_look];
	if (run->notes_before >= look->number) {
		if (!place_take(run->ops, run->engine, &run->memory, &place))
			config->observer.access(config->observer.context, look, &place, &run->memory, &run->image);
		if (++run->note_look == config->note_look_count) {
			run->schedule.area->notes_at = 0;
			stop_here(run);
			return;
		}
	}
	await_look(run);
}

void run_notes_finish(struct run *run)
{
	const struct run_config *config = run->config;
	const struct observer *observer = &config->observer;
	take_noted_accesses(run);
	if (config->shared_notes && observer->noted)
		observer->noted(observer->context, &run->memory, &run->image, run->known.is_sampled);
	if (config->race_log && config->race_log->has_library && observer->raced)
		observer->raced(observer->context, config->race_log, &run->memory, &run->image);
	if (observer->decision)
		observer->decision(observer->context, NULL, NULL, &run->memory, &run->image);
}

int64_t run_serve_notes(struct run *run, const uint64_t *args)
{
	(void)args;
	if (run->config->note_look_count && run->schedule.area && !run->ended) {
		look_at_note(run);
		return 0;
	}
	if (!run->config->shared_notes)
		run_fail(run, "the guest has noted accesses that it was not asked for");
	take_noted_accesses(run);
	stop_at_limit(run);
	return 0;
}
