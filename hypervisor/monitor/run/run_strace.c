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

int64_t run_serve_strace(struct run *run, const uint64_t *args)
{
	(void)args;
	if (!run->config->strace)
		run_fail(run, "the guest says that its ring of kernel calls is full, but it has none");
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
	strace_end(run->config->strace, status);
}
