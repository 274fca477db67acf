/* SPDX-License-Identifier: MIT */
/* eremite run --trace: the events of a run as files that other tools read. They are made of the records that the guest
 * notes for --strace (abi/strace.h), in the order in which they end, and written while the program runs. */
#ifndef HYPERVISOR_TRACE_OUT_H
#define HYPERVISOR_TRACE_OUT_H

#include <stdbool.h>

#include "base/error.h"
#include "strace/strace.h"
#include "strace/strace_out.h"
#include "trace/trace_uftrace.h"

struct trace_out {
	struct strace_taker taker;
	const char *path; /**< the directory's name */
	int dir;
	struct strace_out json, text, proto;
	struct strace_out scratch; /**< without a file: the text of arguments or a result */
	struct strace_out packet;  /**< without a file: a packet of proto */
	struct trace_uftrace uftrace;
	bool has_events; /**< trace.json has an event, so that a comma precedes the next one */
};

/** Makes a new directory, or takes an empty one, and the files in it. Returns 0 or a negative errno, with a line. */
int trace_out_open(struct trace_out *trace, const char *path, struct error *error);

/** Ends the files. Returns 0, or the negative errno of the first write that failed: nothing was written after it. */
int trace_out_close(struct trace_out *trace);

#endif
