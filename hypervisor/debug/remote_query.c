/* SPDX-License-Identifier: MIT */
/* The packets that ask: what this side supports, threads, and objects by qXfer. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/linux_view.h"
#include "debug/remote.h"
#include "debug/remote_registers.h"

#define THREADS_MAX 4096
#define OBJECT_MAX (256 << 10)

static int64_t request(struct debug *debug, enum debug_op op, uint32_t tid, void *data)
{
	struct debug_request what = {.op = op, .tid = tid};
	return debug->target->request(debug->target->context, &what, data);
}

static bool begins(const char *packet, const char *with)
{
	return !strncmp(packet, with, strlen(with));
}

static void reply_supported(struct debug *debug, const char *theirs)
{
	debug->is_multiprocess = strstr(theirs, "multiprocess+");
	debug->has_exec = strstr(theirs, "exec-events+");
	debug->has_swbreak = strstr(theirs, "swbreak+");
	debug->wanted.children =
		debug->is_multiprocess && strstr(theirs, "fork-events+") && strstr(theirs, "vfork-events+");
	remote_want(debug);
	remote_add(debug,
	           "PacketSize=%x;QStartNoAckMode+;multiprocess+;swbreak+;exec-events+;fork-events+;vfork-events+;"
	           "vContSupported+;qXfer:features:"
	           "read+;"
	           "QCatchSyscalls+;QPassSignals+;ConditionalBreakpoints+;"
	           "qXfer:auxv:read+;qXfer:threads:read+;qXfer:siginfo:read+%s",
	           PACKET_MAX - 1, debug->program ? ";qXfer:exec-file:read+" : "");
}

/* The next threads above a number. Returns how many, 0 on an error. */
static unsigned next_threads(struct debug *debug, uint32_t above, struct debug_thread *list)
{
	uint8_t data[DEBUG_DATA_BYTES];
	const int64_t count = request(debug, DEBUG_THREADS, above, data);
	if (count <= 0 || count > (int64_t)(sizeof(data) / sizeof(*list)))
		return 0;
	memcpy(list, data, (size_t)count * sizeof(*list));
	return (unsigned)count;
}

/* All threads. Returns how many. */
static unsigned find_threads(struct debug *debug, struct debug_thread list[THREADS_MAX])
{
	static struct debug_thread some[DEBUG_DATA_BYTES / sizeof(struct debug_thread)];
	unsigned count = 0, more;
	uint32_t above = 0;
	while ((more = next_threads(debug, above, some)) && count + more <= THREADS_MAX) {
		if (some[more - 1].tid <= above) /* the guest answers what no kernel does */
			break;
		memcpy(&list[count], some, more * sizeof(*some));
		count += more;
		above = some[more - 1].tid;
	}
	return count;
}

static struct debug_thread all_threads[THREADS_MAX];

const struct debug_thread *remote_threads(struct debug *debug, unsigned *count)
{
	*count = find_threads(debug, all_threads);
	return all_threads;
}

static void reply_threads(struct debug *debug)
{
	const unsigned count = find_threads(debug, all_threads);
	remote_add(debug, "m");
	for (unsigned i = 0; i < count; i++)
		remote_add(debug, debug->is_multiprocess ? "%sp%x.%x" : "%s%.0x%x", i ? "," : "",
		           debug->is_multiprocess ? REMOTE_PROCESS : 0, all_threads[i].tid);
}

/* Text of the guest without what a description or a terminal would take for something else. `room` is that of both. */
static void plain_text(const char *text, char *plain, size_t room)
{
	size_t i;
	for (i = 0; i + 1 < room && text[i]; i++)
		plain[i] = text[i] < ' ' || strchr("<>&\"'\x7f", text[i]) ? '?' : text[i];
	plain[i] = 0;
}

static void plain_name(const struct debug_thread *thread, char name[sizeof(thread->name) + 1])
{
	char text[sizeof(thread->name) + 1] = "";
	memcpy(text, thread->name, sizeof(thread->name));
	plain_text(text, name, sizeof(text));
}

static const char *state_of(const struct debug *debug, const struct debug_thread *thread)
{
	if (thread->state == VIEW_WAITING) /* also the thread that stops in a deadlock */
		return "waits";
	return thread->tid == debug->stop.tid ? "runs" : "ready";
}

void remote_describe_thread(const struct debug *debug, const struct debug_thread *thread, char line[REMOTE_THREAD_LINE])
{
	char name[sizeof(thread->name) + 1], waits_for[sizeof(thread->waits_for)];
	plain_name(thread, name);
	plain_text(thread->waits_for, waits_for, sizeof(waits_for));
	snprintf(line, REMOTE_THREAD_LINE, "%s, %s%s%s", name, state_of(debug, thread), *waits_for ? " for " : "",
	         waits_for);
}

static void reply_thread_state(struct debug *debug, const char *text)
{
	uint32_t tid;
	char name[sizeof(all_threads[0].name) + 1], line[64];
	const unsigned count = remote_thread(text, &tid) ? find_threads(debug, all_threads) : 0;
	for (unsigned i = 0; i < count; i++) {
		if (all_threads[i].tid != tid)
			continue;
		plain_name(&all_threads[i], name);
		snprintf(line, sizeof(line), "%s, %s", name, state_of(debug, &all_threads[i]));
		remote_add_hex(debug, line, strlen(line));
	}
}

/* --- objects --- */

static size_t describe_threads(struct debug *debug, char *to, size_t room)
{
	const unsigned count = find_threads(debug, all_threads);
	char name[sizeof(all_threads[0].name) + 1];
	FILE *file = fmemopen(to, room, "w");
	if (!file)
		return 0;
	fputs("<threads>", file);
	for (unsigned i = 0; i < count; i++) {
		plain_name(&all_threads[i], name);
		if (debug->is_multiprocess)
			fprintf(file, "<thread id=\"p%x.%x\" name=\"%s\">%s</thread>", REMOTE_PROCESS,
			        all_threads[i].tid, name, state_of(debug, &all_threads[i]));
		else
			fprintf(file, "<thread id=\"%x\" name=\"%s\">%s</thread>", all_threads[i].tid, name,
			        state_of(debug, &all_threads[i]));
	}
	fputs("</threads>", file);
	fclose(file);
	return strlen(to);
}

static int64_t auxiliary_vector(struct debug *debug, char *to)
{
	uint8_t data[DEBUG_DATA_BYTES];
	const int64_t bytes = request(debug, DEBUG_AUXILIARY, 0, data);
	if (bytes < 0 || bytes > DEBUG_DATA_BYTES)
		return bytes < 0 ? bytes : -EIO;
	memcpy(to, data, (size_t)bytes);
	return bytes;
}

static int64_t target_description(struct debug *debug, char *to)
{
	static struct remote_registers registers;
	const int error = remote_read_registers(debug, debug->stop.tid, &registers);
	return error ? error : (int64_t)remote_registers_describe(to, OBJECT_MAX, registers.has_avx);
}

static int64_t program_path(const struct debug *debug, char *to)
{
	if (!debug->program)
		return -ENOENT;
	const size_t bytes = strlen(debug->program);
	memcpy(to, debug->program, bytes < OBJECT_MAX ? bytes : OBJECT_MAX);
	return (int64_t)bytes;
}

static int64_t signal_info(const struct debug *debug, char *to)
{
	if (debug->stop.reason != DEBUG_AT_SIGNAL)
		return -ESRCH;
	memcpy(to, debug->stop.info, sizeof(debug->stop.info));
	return sizeof(debug->stop.info);
}

/* The object that a packet names, "features:read:target.xml:". Returns its size, or a negative errno; *rest is what
 * follows its name. 1 << 30: there is no such kind. */
#define NO_OBJECT (1L << 30)
static int64_t find_qxfer_object(struct debug *debug, const char *text, char *to, const char **rest)
{
	static const char features[] = "features:read:target.xml:", threads[] = "threads:read::",
			  auxv[] = "auxv:read::", siginfo[] = "siginfo:read::", exec_file[] = "exec-file:read:";
	const char *colon;
	if (begins(text, features)) {
		*rest = text + strlen(features);
		return target_description(debug, to);
	}
	if (begins(text, threads)) {
		*rest = text + strlen(threads);
		return (int64_t)describe_threads(debug, to, OBJECT_MAX);
	}
	if (begins(text, auxv)) {
		*rest = text + strlen(auxv);
		return auxiliary_vector(debug, to);
	}
	if (begins(text, siginfo)) {
		*rest = text + strlen(siginfo);
		return signal_info(debug, to);
	}
	if (begins(text, exec_file) && (colon = strchr(text + strlen(exec_file), ':'))) {
		*rest = colon + 1;
		return program_path(debug, to);
	}
	return NO_OBJECT;
}

/* "OBJECT:OFFSET,BYTES": a part of an object, with 'l' before the last one. */
static void reply_object(struct debug *debug, const char *text)
{
	static char object[OBJECT_MAX + 1];
	const char *rest;
	char *end;
	const int64_t size = find_qxfer_object(debug, text, object, &rest);
	if (size == NO_OBJECT)
		return;
	uint64_t offset = size < 0 ? 0 : strtoull(rest, &end, 16);
	if (size < 0 || *end != ',') {
		remote_add(debug, "E%02x", (unsigned)(size < 0 ? -size : EINVAL) & 0xff);
		return;
	}
	uint64_t bytes = strtoull(end + 1, NULL, 16), left = offset < (uint64_t)size ? (uint64_t)size - offset : 0;
	const uint64_t most = PACKET_MAX / 2;
	bytes = bytes < most ? bytes : most;
	bytes = bytes < left ? bytes : left;
	remote_add(debug, "%c", bytes == left ? 'l' : 'm');
	memcpy(debug->reply + debug->reply_bytes, object + (bytes ? offset : 0), bytes);
	debug->reply_bytes += bytes;
}

void remote_query(struct debug *debug)
{
	const char *packet = debug->reader.data;
	if (begins(packet, "qSupported"))
		reply_supported(debug, packet);
	else if (!strcmp(packet, "QStartNoAckMode"))
		remote_add(debug, "OK");
	else if (!strcmp(packet, "qfThreadInfo"))
		reply_threads(debug);
	else if (!strcmp(packet, "qsThreadInfo"))
		remote_add(debug, "l");
	else if (begins(packet, "qThreadExtraInfo,"))
		reply_thread_state(debug, packet + strlen("qThreadExtraInfo,"));
	else if (begins(packet, "qXfer:"))
		reply_object(debug, packet + strlen("qXfer:"));
	else if (begins(packet, "qRcmd,"))
		remote_monitor(debug, packet + strlen("qRcmd,"));
	else if (begins(packet, "QCatchSyscalls:"))
		remote_catch_calls(debug, packet + strlen("QCatchSyscalls:"));
	else if (begins(packet, "QPassSignals:"))
		remote_pass_signals(debug, packet + strlen("QPassSignals:"));
	else if (begins(packet, "qAttached"))
		remote_add(debug, "0");
	else if (!strcmp(packet, "qC"))
		remote_add(debug, debug->is_multiprocess ? "QCp%x.%x" : "QC%.0x%x",
		           debug->is_multiprocess ? REMOTE_PROCESS : 0, debug->stop.tid);
	else if (begins(packet, "qSymbol"))
		remote_add(debug, "OK");
}
