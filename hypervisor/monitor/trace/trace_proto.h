/* SPDX-License-Identifier: MIT */
/* trace.pftrace: Perfetto's own format, a protobuf message Trace (perfetto/trace/trace.proto) with a packet for each
 * thread's name and each event. Its times are nanoseconds. Each packet is complete in itself, so a prefix can be read.
 */
#ifndef HYPERVISOR_TRACE_PROTO_H
#define HYPERVISOR_TRACE_PROTO_H

#include "trace/trace_out.h"
#include "trace/trace_event.h"

/** Writes an event: a packet, or two for a span, its begin and its end. */
void trace_proto_event(struct trace_out *trace, const struct trace_event *event);

/** The name of a thread, and of its process if it is the first one. */
void trace_proto_name(struct trace_out *trace, uint32_t pid, uint32_t thread, const char *name);

#endif
