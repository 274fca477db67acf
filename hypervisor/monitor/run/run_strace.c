/* SPDX-License-Identifier: MIT */
/* The kernel calls that the guest notes for --strace. */
#include <stdio.h>
#include <string.h>

#include "abi/strace.h"
#include "base/error.h"
#include "run/run_state.h"

int run_strace_prepare(struct run *run, struct error *error)
{
	struct strace *strace = run->config->strace;
	if (!strace)
		return 0;
	int result = run->ops->reserve(&run->strace, LAYOUT_STRACE_SIZE);
	if (result)
		return error_set(error, -result, "cannot reserve %lu MiB of address space for --strace: %s",
		                 LAYOUT_STRACE_SIZE >> 20, strerror(-result));
	strace_begin(strace, run->strace.base);
	result = run->ops->map(run->engine, LAYOUT_STRACE, &run->strace, 0, LAYOUT_STRACE_SIZE, true);
	return result ? error_set(error, -result, "cannot map the ring of --strace into the guest: %s",
	                          strerror(-result))
	              : 0;
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
