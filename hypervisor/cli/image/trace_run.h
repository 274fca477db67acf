/* SPDX-License-Identifier: MIT */
/* A run of `eremite run` that leaves a trace (pack/trace.h) to the process that has started it. */
#ifndef HYPERVISOR_TRACE_RUN_H
#define HYPERVISOR_TRACE_RUN_H

#include "cli/options.h"
#include "pack/trace.h"

struct trace_run {
	struct trace_fds fds;
	const char *out_dir; /**< for /out, if the options name no directory */
	char **includes;     /**< guest paths that an image has to contain */
	unsigned include_count;
	bool no_run;        /**< leave a trace of the inputs only */
	int ready, goes_on; /**< pipes: to the other process, that the trace is there; from it, to go on. 0: none */
	bool hide_output;   /**< the program's output goes only into the trace */
};

/** Prepares the options of a run, after they are parsed, and its changes, after they are opened. */
void trace_run_begin(const struct trace_run *trace, struct options *options, struct input *input);
void trace_run_changes(const struct trace_run *trace, struct options *options, struct changes *changes,
                       struct save_dir *dir);

/** Writes the trace of a run that has ended by itself. After another end, or an error, it writes no trace. */
void trace_run_end(const struct trace_run *trace, struct options *options, struct run_result *result);

/** `eremite run`, which leaves a trace. */
int cmd_run_traced(int argc, char **argv, const struct trace_run *trace);

#endif
