/* SPDX-License-Identifier: MIT */
/* The wire format (protobuf.dev, "Encoding"): a field is its number and type in a varint, then a varint, or a length
 * and bytes. A message within another one is a field of bytes. Its length is written when its end is known, into
 * LENGTH_BYTES that were left for it: a varint may have more bytes than it needs. */
#include "trace/trace_proto.h"

#include <string.h>

#define LENGTH_BYTES 3            /* of a length: up to 2 MiB, and a packet has less than STRACE_OUT_BYTES */
#define VARINT_MAX 10             /* bytes of 64 bits */
#define SEQUENCE 1                /* who writes the packets: one writer */
#define PROCESS_TRACK (1UL << 32) /* to be added to the number of a process, which is one of its threads, too */

/** Fields, by their numbers in Perfetto's messages. */
enum trace_packet { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum trace_track { TRACK_UUID = 1, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum trace_process { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum trace_thread { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum trace_annotation { ANNOTATION_UINT = 3, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum trace_track_event {
	EVENT_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23
};
enum trace_event_type { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT };

enum wire_type { WIRE_VARINT, WIRE_BYTES = 2 };

static const char *const categories[] = {
#define CATEGORY(NAME, category) category,
	TRACE_KIND_LIST(CATEGORY)
#undef CATEGORY
};

static void put_varint(struct strace_out *out, uint64_t value)
{
	char bytes[VARINT_MAX];
	size_t used = 0;
	for (; value > 0x7f; value >>= 7)
		bytes[used++] = (char)(value | 0x80);
	bytes[used++] = (char)value;
	strace_out_bytes(out, bytes, used);
}

static void put_number(struct strace_out *out, unsigned field, uint64_t value)
{
	put_varint(out, field << 3 | WIRE_VARINT);
	put_varint(out, value);
}

/* A string is UTF-8, and names have any bytes: those above 0x7f are written as characters of Latin-1. */
static void put_string(struct strace_out *out, unsigned field, const char *text)
{
	size_t bytes = 0;
	for (const char *at = text; *at; at++)
		bytes += *at & 0x80 ? 2 : 1;
	put_varint(out, field << 3 | WIRE_BYTES);
	put_varint(out, bytes);
	for (; *text; text++) {
		const unsigned char byte = (unsigned char)*text;
		const char wide[2] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f))};
		strace_out_bytes(out, byte & 0x80 ? wide : text, byte & 0x80 ? 2 : 1);
	}
}

/* Begins a message in another one. Returns where its bytes begin, for end_message. */
static size_t begin_message(struct strace_out *out, unsigned field)
{
	put_varint(out, field << 3 | WIRE_BYTES);
	strace_out_bytes(out, "\0\0\0", LENGTH_BYTES);
	return out->used;
}

static void end_message(struct strace_out *out, size_t begin)
{
	if (out->error) /* the packet is longer than the buffer, which has been emptied */
		return;
	const size_t bytes = out->used - begin;
	for (unsigned i = 0; i < LENGTH_BYTES; i++)
		out->bytes[begin - LENGTH_BYTES + i] =
			(char)((bytes >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

/* Empties the buffer in which a packet is made: what does not fit into it is an error, because it has no file. */
static struct strace_out *begin_packet(struct trace_out *trace, uint64_t now_ns)
{
	struct strace_out *out = &trace->packet;
	out->fd = -1;
	out->used = 0;
	out->error = 0;
	begin_message(out, 1);
	put_number(out, PACKET_TIMESTAMP, now_ns);
	put_number(out, PACKET_SEQUENCE, SEQUENCE);
	return out;
}

static void end_packet(struct trace_out *trace)
{
	struct strace_out *out = &trace->packet;
	end_message(out, 1 + LENGTH_BYTES);
	if (!out->error)
		strace_out_bytes(&trace->proto, out->bytes, out->used);
}

/* --- events --- */

static size_t begin_annotation(struct strace_out *out, const char *name)
{
	const size_t begin = begin_message(out, EVENT_ANNOTATIONS);
	put_string(out, ANNOTATION_NAME, name);
	return begin;
}

static void put_text(struct strace_out *out, const char *name, const char *text)
{
	if (!text)
		return;
	const size_t begin = begin_annotation(out, name);
	put_string(out, ANNOTATION_STRING, text);
	end_message(out, begin);
}

static void put_decision(struct strace_out *out, uint64_t decision)
{
	const size_t begin = begin_annotation(out, "decision");
	put_number(out, ANNOTATION_UINT, decision);
	end_message(out, begin);
}

static void put_begin(struct trace_out *trace, const struct trace_event *event, bool is_span)
{
	struct strace_out *out = begin_packet(trace, event->begin_ns);
	const size_t begin = begin_message(out, PACKET_EVENT);
	put_number(out, EVENT_TYPE, is_span ? TYPE_BEGIN : TYPE_INSTANT);
	put_number(out, EVENT_TRACK, event->thread);
	put_string(out, EVENT_CATEGORY, categories[event->kind]);
	put_string(out, EVENT_NAME, event->name);
	put_decision(out, event->decision);
	put_text(out, is_span ? "arguments" : "detail", event->detail);
	put_text(out, "result", event->result);
	end_message(out, begin);
	end_packet(trace);
}

static void put_end(struct trace_out *trace, const struct trace_event *event)
{
	struct strace_out *out = begin_packet(trace, event->begin_ns + event->ns);
	const size_t begin = begin_message(out, PACKET_EVENT);
	put_number(out, EVENT_TYPE, TYPE_END);
	put_number(out, EVENT_TRACK, event->thread);
	end_message(out, begin);
	end_packet(trace);
}

void trace_proto_event(struct trace_out *trace, const struct trace_event *event)
{
	const bool is_span = event->kind == TRACE_CALL || event->kind == TRACE_NETWORK;
	put_begin(trace, event, is_span);
	if (is_span && !trace->packet.error)
		put_end(trace, event);
}

/* --- names --- */

static void put_process(struct trace_out *trace, uint32_t pid, const char *name)
{
	struct strace_out *out = begin_packet(trace, 0);
	const size_t track = begin_message(out, PACKET_TRACK);
	put_number(out, TRACK_UUID, PROCESS_TRACK + pid);
	const size_t process = begin_message(out, TRACK_PROCESS);
	put_number(out, PROCESS_PID, pid);
	put_string(out, PROCESS_NAME, name);
	end_message(out, process);
	end_message(out, track);
	end_packet(trace);
}

static void put_thread(struct trace_out *trace, uint32_t pid, uint32_t thread, const char *name)
{
	struct strace_out *out = begin_packet(trace, 0);
	const size_t track = begin_message(out, PACKET_TRACK);
	put_number(out, TRACK_UUID, thread);
	put_number(out, TRACK_PARENT, PROCESS_TRACK + pid);
	const size_t message = begin_message(out, TRACK_THREAD);
	put_number(out, THREAD_PID, pid);
	put_number(out, THREAD_TID, thread);
	put_string(out, THREAD_NAME, name);
	end_message(out, message);
	end_message(out, track);
	end_packet(trace);
}

void trace_proto_name(struct trace_out *trace, uint32_t pid, uint32_t thread, const char *name)
{
	if (pid == thread)
		put_process(trace, pid, name);
	put_thread(trace, pid, thread, name);
}
