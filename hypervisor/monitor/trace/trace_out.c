/* SPDX-License-Identifier: MIT */
/* Records are the guest's: each number is checked before it is an index. */
#include "trace/trace_out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/sched_account.h"
#include "abi/sched_op.h"
#include "sched/schedule.h"
#include "strace/strace_argument.h"
#include "strace/strace_filter.h"
#include "strace/strace_names.h"
#include "strace/strace_show.h"
#include "trace/trace_event.h"
#include "trace/trace_json.h"
#include "trace/trace_proto.h"
#include "trace/trace_text.h"

#define NAME_BYTES 16   /* of a thread, with its NUL */
#define TEXT_MAX 4096   /* bytes of a marker's name and of a reason */
#define FAULT_WRITE 2UL /* error codes of page faults (SDM 3A 4.7) */
#define FAULT_FETCH 16UL
#define STATUS_SIGNAL 0x7f /* of a status of wait(2) */

/* --- events --- */

static void put_event(struct trace_out *trace, const struct trace_event *event)
{
	trace_json_event(trace, event);
	trace_proto_event(trace, event);
	trace_text_event(trace, event);
}

/* An event of this moment. */
static struct trace_event event_now(enum trace_kind kind, const struct strace_record *record,
                                    const struct strace_thread *thread, const char *name)
{
	return (struct trace_event){
		.kind = kind,
		.pid = thread->pid,
		.thread = record->thread,
		.begin_ns = record->now_ns,
		.decision = record->decision,
		.name = name,
	};
}

/* Ends the text in scratch, and returns where it begins. The next text follows. */
static const char *end_text(struct strace_out *scratch, size_t from)
{
	strace_out_bytes(scratch, "", 1);
	return scratch->error ? "" : scratch->bytes + from;
}

static void begin_text(struct strace_out *scratch)
{
	scratch->fd = -1; /* a text that is longer than the buffer is left out */
	scratch->used = 0;
	scratch->error = 0;
}

static bool is_network(unsigned call)
{
	static struct strace_filter network;
	static bool is_read;
	struct error error;
	if (!is_read)
		is_read = !strace_filter_read(&network, "network", strlen("network"), &error);
	return call < STRACE_CALLS && network.wanted[call / 64] >> call % 64 & 1;
}

static void take_call(struct trace_out *trace, const struct strace_record *record, const struct strace_thread *thread)
{
	const struct strace_call *call = &thread->call;
	struct strace_out *scratch = &trace->scratch;
	const char *name = strace_filter_name(call->number);
	unsigned shown = 0;
	struct trace_event event = event_now(is_network(call->number) ? TRACE_NETWORK : TRACE_CALL, record, thread,
	                                     name ? name : "unknown");
	event.begin_ns = thread->now_ns;
	event.ns = record->now_ns - thread->now_ns;
	begin_text(scratch);
	strace_show_arguments(scratch, call, &shown);
	event.detail = end_text(scratch, 0);
	const size_t result = scratch->used;
	if (call->has_ended) {
		strace_show_result(scratch, call);
		event.result = end_text(scratch, result);
		event.error = call->result < 0 ? strerrorname_np((int)-call->result) : NULL;
	}
	put_event(trace, &event);
}

/* A call that never returns ends when it begins, and a marker is shown where it is. */
static void take_begin(struct trace_out *trace, const struct strace_record *record, const struct strace_thread *thread)
{
	char name[TEXT_MAX];
	size_t bytes = sizeof(name) - 1;
	trace_uftrace_call(&trace->uftrace, thread->pid, record->thread, record->now_ns, record->call, false);
	if (strace_show_is_last(record->call))
		take_call(trace, record, thread);
	if (record->call != STRACE_CALL_eremite_marker)
		return;
	const char *text = strace_call_text_in(&thread->call, record->values[0], &bytes);
	if (!text)
		return;
	memcpy(name, text, bytes);
	name[bytes] = 0;
	const struct trace_event event = event_now(TRACE_MARKER, record, thread, name);
	put_event(trace, &event);
}

static void take_signal(struct trace_out *trace, const struct strace_record *record, const struct strace_thread *thread,
                        const struct strace_call *memory)
{
	const struct strace_name_text name = strace_names_signal((unsigned)record->values[0]);
	struct trace_event event = event_now(TRACE_SIGNAL, record, thread, name.text);
	begin_text(&trace->scratch);
	strace_show_signal(&trace->scratch, memory, record->values[0]);
	event.detail = end_text(&trace->scratch, 0);
	put_event(trace, &event);
}

static const char *cause_name(uint64_t cause)
{
	static const char *const names[] = {
#define NAME(name, text) #name,
		SCHED_CAUSE_LIST(NAME)
#undef NAME
	};
	return cause < SCHED_CAUSES ? names[cause] : "?";
}

/* Such as "block in read: data in a pipe (read) (io)". */
static void take_decision(struct trace_out *trace, const struct strace_record *record,
                          const struct strace_thread *thread, const struct strace_call *memory)
{
	char name[40], detail[TEXT_MAX];
	size_t bytes = TEXT_MAX / 2;
	const char *what = strace_call_text_out(memory, 0, &bytes);
	const uint64_t kind = record->values[0], op = record->values[1];
	const bool has_op = kind == SCHED_KIND_preempt || kind == SCHED_KIND_block || kind == SCHED_KIND_yield;
	snprintf(name, sizeof(name), "to thread %u", (unsigned)record->values[2]);
	struct trace_event event = event_now(TRACE_DECISION, record, thread, name);
	int used = snprintf(detail, sizeof(detail), "%s",
	                    schedule_kind_name(kind < SCHED_KINDS ? (unsigned)kind : SCHED_KINDS));
	if (has_op && op != SCHED_OP_NONE)
		used += snprintf(detail + used, sizeof(detail) - (size_t)used, " %s %s",
		                 kind == SCHED_KIND_preempt ? "before" : "in", schedule_op_name((unsigned)op & 0xffff));
	if (what)
		snprintf(detail + used, sizeof(detail) - (size_t)used, ", waits for %.*s (%s)",
		         (int)strnlen(what, bytes), what, cause_name(record->values[3]));
	event.detail = detail;
	put_event(trace, &event);
}

static void take_fault(struct trace_out *trace, const struct strace_record *record, const struct strace_thread *thread)
{
	struct trace_event event = event_now(TRACE_FAULT, record, thread, "page fault");
	char detail[80];
	const uint64_t code = record->values[1];
	snprintf(detail, sizeof(detail), "%s 0x%lx at 0x%lx",
	         code & FAULT_FETCH   ? "executes"
	         : code & FAULT_WRITE ? "writes"
	                              : "reads",
	         record->values[0], record->values[2]);
	event.detail = detail;
	put_event(trace, &event);
}

static void take_end(struct trace_out *trace, const struct strace_record *record, const struct strace_thread *thread)
{
	const unsigned status = (unsigned)record->values[0];
	char name[40];
	if (status & STATUS_SIGNAL)
		snprintf(name, sizeof(name), "killed by %s", strace_names_signal(status & STATUS_SIGNAL).text);
	else
		snprintf(name, sizeof(name), "exited with %u", status >> 8 & 0xff);
	const struct trace_event event = event_now(TRACE_END, record, thread, name);
	put_event(trace, &event);
	trace_uftrace_thread_end(&trace->uftrace, record->thread);
}

static void take_name(struct trace_out *trace, const struct strace_record *record, const struct strace_call *memory)
{
	char name[NAME_BYTES] = "";
	size_t bytes = sizeof(name) - 1;
	const char *text = strace_call_text_out(memory, 0, &bytes);
	if (!text)
		return;
	memcpy(name, text, bytes);
	trace_json_name(trace, (uint32_t)record->values[1], (uint32_t)record->values[0], name);
	trace_proto_name(trace, (uint32_t)record->values[1], (uint32_t)record->values[0], name);
}

static void take(void *context, const struct strace_record *record, const struct strace_thread *thread,
                 const struct strace_call *memory)
{
	struct trace_out *trace = context;
	switch (record->kind) {
	case STRACE_ENTER:
		take_begin(trace, record, thread);
		break;
	case STRACE_LEAVE:
		trace_uftrace_call(&trace->uftrace, thread->pid, record->thread, record->now_ns, record->call, true);
		take_call(trace, record, thread);
		break;
	case STRACE_SIGNAL:
		take_signal(trace, record, thread, memory);
		break;
	case STRACE_DECIDED:
		take_decision(trace, record, thread, memory);
		break;
	case STRACE_FAULT:
		take_fault(trace, record, thread);
		break;
	case STRACE_END:
		take_end(trace, record, thread);
		break;
	case STRACE_NAMED:
		take_name(trace, record, memory);
		break;
	default:
		break;
	}
}

/* --- files --- */

/* Returns 0, or -ENOTEMPTY if the directory has any files. */
static int check_empty(int dir)
{
	const int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again < 0 ? NULL : fdopendir(again);
	const struct dirent *entry;
	if (!list)
		return -errno;
	do
		entry = readdir(list);
	while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
	closedir(list);
	return entry ? -ENOTEMPTY : 0;
}

static int open_file(const struct trace_out *trace, const char *name, struct strace_out *out)
{
	out->fd = openat(trace->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return out->fd < 0 ? -errno : 0;
}

int trace_out_open(struct trace_out *trace, const char *path, struct error *error)
{
	trace->path = path;
	int result = mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
	trace->dir = result ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!result && trace->dir < 0)
		result = -errno;
	if (!result)
		result = check_empty(trace->dir);
	if (result == -ENOTEMPTY)
		return error_set(error, ENOTEMPTY, "--trace %s: there are files in this directory; give a new one",
		                 path);
	if (!result)
		result = open_file(trace, "trace.json", &trace->json);
	if (!result)
		result = open_file(trace, "trace.txt", &trace->text);
	if (!result)
		result = open_file(trace, "trace.pftrace", &trace->proto);
	if (result)
		return error_set(error, -result, "cannot write the trace to %s: %s", path, strerror(-result));
	trace->taker = (struct strace_taker){.context = trace, .take = take};
	trace_json_begin(trace);
	trace_uftrace_begin(&trace->uftrace, trace->dir);
	return 0;
}

int trace_out_close(struct trace_out *trace)
{
	trace_json_end(trace);
	struct strace_out *const files[] = {&trace->json, &trace->text, &trace->proto};
	int result = 0;
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		strace_out_flush(files[i]);
		if (close(files[i]->fd) && !files[i]->error)
			files[i]->error = errno;
		if (!result)
			result = -files[i]->error;
	}
	trace_uftrace_end(&trace->uftrace);
	close(trace->dir);
	return result ? result : -trace->uftrace.error;
}
