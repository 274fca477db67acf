/* SPDX-License-Identifier: MIT */
/* trace.json: the JSON array format of Chrome's trace events, which Perfetto and chrome://tracing read, also without
 * its end. */
#ifndef HYPERVISOR_TRACE_JSON_H
#define HYPERVISOR_TRACE_JSON_H

#include "trace/trace_out.h"
#include "trace/trace_event.h"

/** Begins the array, and ends it. */
void trace_json_begin(struct trace_out *trace);
void trace_json_end(struct trace_out *trace);

/** Writes an event. */
void trace_json_event(struct trace_out *trace, const struct trace_event *event);

/** The name of a thread, and of its process if it is the first one. */
void trace_json_name(struct trace_out *trace, uint32_t pid, uint32_t thread, const char *name);

#endif
