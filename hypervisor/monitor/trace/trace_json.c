/* SPDX-License-Identifier: MIT */
/* One event a line. Times are microseconds with three digits, which is exact. */
#include "trace/trace_json.h"

static const char *const categories[] = {
#define CATEGORY(NAME, category) category,
	TRACE_KIND_LIST(CATEGORY)
#undef CATEGORY
};

/* Writes a string. JSON is UTF-8, and names have any bytes: those above 0x7f are written as characters of Latin-1. */
static void put_string(struct strace_out *out, const char *text)
{
	strace_out_text(out, "\"");
	for (; *text; text++) {
		const unsigned char byte = (unsigned char)*text;
		if (byte == '"' || byte == '\\')
			strace_out_format(out, "\\%c", byte);
		else if (byte < ' ' || byte > '~')
			strace_out_format(out, "\\u%04x", byte);
		else
			strace_out_bytes(out, text, 1);
	}
	strace_out_text(out, "\"");
}

static void put_time(struct strace_out *out, const char *member, uint64_t ns)
{
	strace_out_format(out, ",\"%s\":%lu.%03lu", member, ns / 1000, ns % 1000);
}

static void put_text(struct strace_out *out, const char *member, const char *text)
{
	if (!text)
		return;
	strace_out_format(out, ",\"%s\":", member);
	put_string(out, text);
}

static void begin_object(struct trace_out *trace)
{
	strace_out_text(&trace->json, trace->has_events ? ",\n{" : "{");
	trace->has_events = true;
}

void trace_json_begin(struct trace_out *trace)
{
	strace_out_text(&trace->json, "[\n");
}

void trace_json_end(struct trace_out *trace)
{
	strace_out_text(&trace->json, "\n]\n");
}

static bool is_span(enum trace_kind kind)
{
	return kind == TRACE_CALL || kind == TRACE_NETWORK;
}

void trace_json_event(struct trace_out *trace, const struct trace_event *event)
{
	struct strace_out *out = &trace->json;
	begin_object(trace);
	strace_out_text(out, "\"name\":");
	put_string(out, event->name);
	strace_out_format(out, ",\"cat\":\"%s\",\"ph\":\"%s\"", categories[event->kind],
	                  is_span(event->kind) ? "X" : "i");
	put_time(out, "ts", event->begin_ns);
	if (is_span(event->kind))
		put_time(out, "dur", event->ns);
	else
		strace_out_text(out, ",\"s\":\"t\"");
	strace_out_format(out, ",\"pid\":%u,\"tid\":%u,\"args\":{\"decision\":%lu", event->pid, event->thread,
	                  event->decision);
	put_text(out, is_span(event->kind) ? "arguments" : "detail", event->detail);
	put_text(out, "result", event->result);
	strace_out_text(out, "}}");
}

static void put_name(struct trace_out *trace, const char *what, uint32_t pid, uint32_t thread, const char *name)
{
	struct strace_out *out = &trace->json;
	begin_object(trace);
	strace_out_format(out, "\"name\":\"%s\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what, pid,
	                  thread);
	put_string(out, name);
	strace_out_text(out, "}}");
}

void trace_json_name(struct trace_out *trace, uint32_t pid, uint32_t thread, const char *name)
{
	if (pid == thread)
		put_name(trace, "process_name", pid, thread, name);
	put_name(trace, "thread_name", pid, thread, name);
}
