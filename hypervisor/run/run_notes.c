/* SPDX-License-Identifier: MIT */
/* The doorbell's operation for noted accesses, and the rest of them at the end of the run. */
#include "abi/doorbell.h"
#include "run/run_state.h"
#include "sched/shared_notes.h"

void run_notes_take(struct run *run)
{
	char error[256];
	struct shared_notes *notes = run->config->shared_notes;
	if (notes && run->schedule.area && shared_notes_take(notes, run->schedule.area, &run->memory, error))
		run_fail(run, "%s", error);
}

void run_notes_finish(struct run *run)
{
	const struct run_config *config = run->config;
	run_notes_take(run);
	if (config->shared_notes && config->noted)
		config->noted(config->noted_context, &run->memory, &run->image, run->known.is_sampled);
}

int64_t run_serve_notes(struct run *run, const uint64_t *args)
{
	(void)args;
	if (!run->config->shared_notes)
		run_fail(run, "the guest has noted accesses that it was not asked for");
	run_notes_take(run);
	return 0;
}
