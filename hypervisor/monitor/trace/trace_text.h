/* SPDX-License-Identifier: MIT */
/* trace.txt: a line for each event with its duration and no other time, address or argument, so that diff(1) compares
 * the traces of two versions of a program. Page faults depend on where memory is, and are left out. */
#ifndef HYPERVISOR_TRACE_TEXT_H
#define HYPERVISOR_TRACE_TEXT_H

#include "trace/trace_out.h"
#include "trace/trace_event.h"

/** Writes an event. */
void trace_text_event(struct trace_out *trace, const struct trace_event *event);

#endif
