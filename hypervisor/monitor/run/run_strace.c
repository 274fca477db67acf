/* SPDX-License-Identifier: MIT */
/* The kernel calls that the guest notes for --strace. */
#include <string.h>

#include "abi/strace.h"
#include "base/error.h"
#include "run/run_state.h"

int run_strace_prepare(struct run *run, struct error *error)
{
	static const struct run_area area = {LAYOUT_STRACE, LAYOUT_STRACE_SIZE, "--strace", "the ring of --strace",
	                                     NULL};
	if (!run->config->strace)
		return 0;
	int result = run_area_make(run, &area, &run->strace, error);
	if (!result)
		strace_begin(run->config->strace, run->strace.base);
	return result;
}

/* Tells the observer where a thread is. The guest may ring whenever it likes. */
static void pass_sample(struct run *run)
{
	const struct strace_area *area = (const struct strace_area *)run->strace.base;
	const struct observer *observer = &run->config->observer;
	struct strace_sample sample;
	guest_memory_copy(&sample, &area->sample, sizeof(sample));
	if (observer->sampled)
		observer->sampled(observer->context, &sample, &run->memory, &run->image);
}

/* Tells the observer the places that were counted: those of a process, or at the end the rest. */
static void pass_places(struct run *run, const struct strace_sample *process)
{
	const uint8_t *area = run->strace.base;
	const struct observer *observer = &run->config->observer;
	struct strace_place *places = observer->placed ? malloc(STRACE_PLACES_MAX * sizeof(*places)) : NULL;
	if (!places)
		return;
	guest_memory_copy(places, area + (STRACE_PLACES - LAYOUT_STRACE), STRACE_PLACES_MAX * sizeof(*places));
	observer->placed(observer->context, process, places, &run->memory, &run->image);
	free(places);
}

static void pass_places_of_process(struct run *run)
{
	const struct strace_area *area = (const struct strace_area *)run->strace.base;
	struct strace_sample process;
	guest_memory_copy(&process, &area->sample, sizeof(process));
	pass_places(run, &process);
}

int64_t run_serve_strace(struct run *run, const uint64_t *args)
{
	if (!run->config->strace)
		run_fail(run, "the guest says that its ring of kernel calls is full, but it has none");
	else if (args[0] == STRACE_DOORBELL_SAMPLE)
		pass_sample(run);
	else if (args[0] == STRACE_DOORBELL_PLACES)
		pass_places_of_process(run);
	else
		run_drain(run);
	return 0;
}

void run_strace_finish(struct run *run)
{
	const struct run_result *result = run->result;
	int status = -1;
	if (!run->config->strace)
		return;
	if (result->end == RUN_EXIT)
		status = result->status << 8;
	else if (result->end == RUN_SIGNAL)
		status = result->status;
	if (run->config->strace->sample_by == STRACE_BY_PLACES)
		pass_places(run, NULL);
	strace_end(run->config->strace, status);
}
