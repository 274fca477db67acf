/* SPDX-License-Identifier: MIT */
/* A run that leaves a trace (pack/trace.h) to the process that has started this one. */
#ifndef HYPERVISOR_TRACE_RUN_H
#define HYPERVISOR_TRACE_RUN_H

#include <sys/stat.h>

#include "pack/trace.h"

struct trace_run {
	struct trace_fds fds;
	const char *out_dir; /**< for /out, if the options name no directory */
	char **includes;     /**< guest paths that an image has to contain */
	unsigned include_count;
	char *const *excludes; /**< patterns of files that it does not contain; NULL: none */
	bool no_run;           /**< leave a trace of the inputs only */
	int ready, goes_on;    /**< pipes: to the other process, that the trace is there; from it, to go on. 0: none */
	const struct stat *checked; /**< the image that another process checks; NULL: none */
	bool hide_output;           /**< the program's output goes only into the trace */
};

/** Makes the run of a command line of `eremite run`. It leaves a trace if it ends by itself. Returns the exit status.
 */
int trace_run_make(int argc, char **argv, const struct trace_run *trace);

#endif
