/* SPDX-License-Identifier: MIT */
#include "trace/trace_text.h"

#include <stdio.h>

/* Writes a name that the program may have chosen, in one line. */
static void put_clean(struct strace_out *out, const char *text)
{
	for (; *text; text++)
		strace_out_bytes(out, *text < ' ' || *text > '~' ? "?" : text, 1);
}

void trace_text_event(struct trace_out *trace, const struct trace_event *event)
{
	struct strace_out *out = &trace->text;
	char who[24];
	if (event->kind == TRACE_FAULT)
		return;
	snprintf(who, sizeof(who), event->thread == event->pid ? "%u" : "%u/%u", event->pid, event->thread);
	strace_out_format(out, "%-7s ", who);
	if (event->kind == TRACE_CALL || event->kind == TRACE_NETWORK)
		strace_out_format(out, "%3lu.%09lu ", event->ns / 1000000000, event->ns % 1000000000);
	else
		strace_out_format(out, "%13s ", "-");
	put_clean(out, event->name);
	if (event->error)
		strace_out_format(out, " = %s", event->error);
	if (event->detail && event->kind == TRACE_DECISION) {
		strace_out_text(out, ": ");
		put_clean(out, event->detail);
	}
	strace_out_text(out, "\n");
}
