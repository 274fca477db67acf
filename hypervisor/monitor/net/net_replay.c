/* SPDX-License-Identifier: MIT */
/* Replays a recording: gives the guest its events, each at its look, and compares what the guest requests. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "net/net_state.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "record/redact_queue.h"

#define EXPECTED_MAX 65536UL
#define RECORD sizeof(struct network_record)
#define SHOWN_BEFORE 8

/** A request that the guest is expected to make. */
struct net_expected {
	struct record_network entry;
	uint64_t end;            /**< of an offered one: the position behind it in the ring of expected requests */
	const uint8_t *redacted; /**< what --redact replaced in it: struct record_redacted with its ranges; or NULL */
};

struct net_reading {
	struct net_expected *expected; /* expected[first, last); those before `offered` are in the ring */
	size_t first, offered, last, room;
	uint64_t head;              /* of the ring: that in the area is a copy */
	bool has_next;              /* `next` is an event that the ring had no room for */
	bool is_over;               /* the recording has no more */
	struct record_network next; /* the record that was read last */
	const uint8_t *typed;       /* its payload, if it is of standard input; or NULL */
	const uint8_t *redacted;    /* what --redact replaced in it; or NULL */
	uint64_t redacted_from;     /* in the ring of events: behind this the guest got the first byte replaced */
	uint8_t payload[NETWORK_PAYLOAD_MAX];
};

int net_replay_begin(struct net *net)
{
	net->reading = calloc(1, sizeof(*net->reading));
	if (!net->reading)
		return -ENOMEM;
	net->area->compares = net->area->is_eager = true;
	replay_rewind(net->config->replay);
	net_replay_feed(net);
	return 0;
}

void net_replay_end(struct net *net)
{
	struct replay *replay = net->config->replay;
	if (net->reading && replay->redacted.was_given && net_ring_taken(net) <= net->reading->redacted_from)
		replay->redacted.was_given = false; /* it was in the ring, and the guest had not come to it */
	if (net->reading)
		free(net->reading->expected);
	free(net->reading);
	net->reading = NULL;
}

static void expect_record(struct net *net)
{
	struct net_reading *reading = net->reading;
	if (reading->first > reading->last / 2) { /* the first half is free */
		reading->last -= reading->first;
		reading->offered -= reading->first;
		memmove(reading->expected, reading->expected + reading->first,
		        reading->last * sizeof(*reading->expected));
		reading->first = 0;
	}
	if (!array_reserve(reading->expected, reading->room, reading->last + 1)) {
		net_fail(net, "out of memory for the replay");
		return;
	}
	reading->expected[reading->last++] =
		(struct net_expected){.entry = reading->next, .redacted = reading->redacted};
}

/* The recording cannot be read. */
static void fail_replay(struct net *net)
{
	struct replay *replay = net->config->replay;
	net_fail(net, "cannot replay the recording %.60s: %.160s", replay->dir, replay->error.text);
}

/* Copies the payload of a record. Returns whether it could. */
static bool copy_payload(struct net *net, const struct record_network *entry, uint8_t *to)
{
	if (!replay_payload(net->config->replay, entry, to))
		return true;
	fail_replay(net);
	return false;
}

/* Copies the payload of the record that was read last. Returns whether it could. */
static bool copy_next(struct net *net, uint8_t *to)
{
	const struct net_reading *reading = net->reading;
	if (!reading->typed)
		return copy_payload(net, &reading->next, to);
	memcpy(to, reading->typed, reading->next.record.bytes);
	return true;
}

static bool is_event(const struct network_record *record)
{
	return record->op >= NETWORK_CONNECTED;
}

/* Notes what was replaced in the next record. */
static void note_redacted(struct net *net, const struct replay_block *block)
{
	struct record_redacted redacted;
	memcpy(&redacted, block->data, sizeof(redacted));
	net->config->replay->redacted.is = true;
	net->reading->redacted = redacted.count ? block->data : NULL;
}

/* Notes the first event with a byte that was replaced, before it is put into the ring. */
static void note_given(struct net *net)
{
	if (replay_note_given(net->config->replay, net->reading->redacted))
		net->reading->redacted_from = net->events_head;
}

/* Reads the next record of the network. Returns whether there is one. */
static bool read_next(struct net *net)
{
	struct net_reading *reading = net->reading;
	struct replay_block block;
	int result;
	reading->redacted = NULL;
	while ((result = replay_next(net->config->replay, &block)) > 0) {
		if (block.kind == RECORD_REDACTED)
			note_redacted(net, &block);
		if (block.kind != RECORD_NETWORK && block.kind != RECORD_INPUT)
			continue;
		bool is_input = block.kind == RECORD_INPUT;
		reading->next = (struct record_network){.payload_at = 0};
		reading->typed = is_input ? block.data + sizeof(struct network_record) : NULL;
		memcpy(&reading->next, block.data, is_input ? sizeof(struct network_record) : sizeof(reading->next));
		return true;
	}
	reading->is_over = true;
	if (result < 0)
		fail_replay(net);
	return false;
}

/* The position up to which the guest has passed the expected requests. */
static uint64_t passed(struct net *net)
{
	uint64_t tail = __atomic_load_n(&net->area->expected_tail, __ATOMIC_ACQUIRE);
	if (net->reading->head - tail <= NETWORK_EXPECTED_BYTES)
		return tail;
	net_fail(net, "the guest says that it has made requests that the recording does not have yet");
	return net->reading->head;
}

/* Forgets the expected requests that the guest has made. */
static void forget_passed(struct net *net)
{
	struct net_reading *reading = net->reading;
	uint64_t tail = passed(net);
	while (reading->first < reading->offered && reading->expected[reading->first].end <= tail)
		reading->first++;
}

/* Reads on, and puts events into the ring, as far as there is room. */
static void read_on(struct net *net)
{
	struct net_reading *reading = net->reading;
	while (!net->end && reading->last - reading->first < EXPECTED_MAX && (reading->has_next || read_next(net))) {
		reading->has_next = is_event(&reading->next.record);
		if (!reading->has_next) {
			expect_record(net);
			continue;
		}
		size_t room;
		uint8_t *to = net_ring_reserve(net, reading->next.record.bytes, &room);
		if (!to)
			break;
		if (!copy_next(net, to))
			break;
		note_given(net);
		net_ring_commit(net, &reading->next.record);
		reading->has_next = false;
	}
	/* Events come in the order of looks, and not before the look of a request that precedes them. */
	net->area->next_look = reading->is_over ? UINT64_MAX : reading->next.record.look;
}

/* Puts expected requests into their ring, as far as there is room. */
static void offer_record(struct net *net)
{
	struct net_reading *reading = net->reading;
	const uint64_t size = NETWORK_EXPECTED_BYTES, tail = passed(net);
	uint8_t *ring = net->memory.base + NETWORK_EXPECTED_AT;
	for (; !net->end && reading->offered < reading->last; reading->offered++) {
		struct net_expected *next = &reading->expected[reading->offered];
		if (next->redacted) /* the guest would find a difference: it asks */
			break;
		uint32_t bytes = next->entry.record.bytes;
		uint64_t skip = network_skip(reading->head, size, bytes), at = reading->head + skip;
		if (at + NETWORK_RECORD_BYTES(bytes) - tail > size)
			break;
		if (skip >= RECORD)
			memcpy(ring + reading->head % size, &(struct network_record){.op = NETWORK_SKIP}, RECORD);
		memcpy(ring + at % size, &next->entry.record, RECORD);
		if (!copy_payload(net, &next->entry, ring + at % size + RECORD))
			break;
		next->end = reading->head = at + NETWORK_RECORD_BYTES(bytes);
	}
	__atomic_store_n(&net->area->expected_head, reading->head, __ATOMIC_RELEASE);
}

void net_replay_feed(struct net *net)
{
	forget_passed(net);
	read_on(net);
	offer_record(net);
}

/* Ends the replay of a program that goes on after the recording. */
static void stop_at_end(struct net *net, const char *what)
{
	struct replay_block block;
	if (net->reading->is_over && !replay_find(net->config->replay, RECORD_END, &block))
		net_stop(net, NET_IS_OVER, "the recording was cut off here");
	else
		net_stop(net, NET_DIFFERS, "the program does more than in the recording: %s", what);
}

static void describe_record(const struct network_record *record, char text[160])
{
	char remote[NET_ADDRESS_TEXT], local[NET_ADDRESS_TEXT];
	net_address_text(&record->remote, remote);
	net_address_text(&record->local, local);
	if (record->op == NETWORK_CONNECT || record->op == NETWORK_DATAGRAM)
		snprintf(text, 160, "%s to %s from %s", record_log_name(record->op), remote, local);
	else if (record->op == NETWORK_LISTEN || record->op == NETWORK_UNLISTEN || record->op == NETWORK_FORGET)
		snprintf(text, 160, "%s at %s", record_log_name(record->op), local);
	else
		snprintf(text, 160, "%s, %u bytes, of the %s connection %u", record_log_name(record->op), record->bytes,
		         record->flow & NETWORK_INCOMING ? "incoming" : "outgoing", record->flow & ~NETWORK_INCOMING);
}

void net_show(char text[NET_TEXT_BYTES], const uint8_t *data, size_t bytes)
{
	char *at = text;
	for (size_t i = 0; i < bytes && i < NET_SHOWN; i++) {
		if (data[i] >= 0x20 && data[i] < 0x7f && data[i] != '\\')
			*at++ = (char)data[i];
		else
			at += sprintf(at, "\\x%02x", data[i]);
	}
	*at = 0;
}

static void differ_in_payload(struct net *net, const struct network_record *request, const uint8_t *payload,
                              const struct network_record *was)
{
	char now[NET_TEXT_BYTES], before[NET_TEXT_BYTES], what[160];
	const uint8_t *recorded = net->reading->payload;
	uint32_t least = request->bytes < was->bytes ? request->bytes : was->bytes, at = 0;
	while (at < least && payload[at] == recorded[at])
		at++;
	uint32_t from = at < SHOWN_BEFORE ? 0 : at - SHOWN_BEFORE;
	net_show(now, payload + from, request->bytes - from);
	net_show(before, recorded + from, was->bytes - from);
	describe_record(request, what);
	net_stop(net, NET_DIFFERS, "%.90s: byte %u differs from the recording: \"%s\", not \"%s\"", what, at, now,
	         before);
}

static bool is_same_address(const struct network_address *a, const struct network_address *b)
{
	return a->port == b->port && !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

static bool is_same_operation(const struct network_record *a, const struct network_record *b)
{
	return a->op == b->op && a->flow == b->flow && a->value == b->value && is_same_address(&a->local, &b->local) &&
	       is_same_address(&a->remote, &b->remote);
}

/* Ends the replay if a request is not the expected one, whose payload is in reading->payload. */
static void compare_request(struct net *net, const struct network_record *request, const uint8_t *payload,
                            const struct network_record *was)
{
	char now[160], before[160];
	bool is_same = is_same_operation(request, was);
	bool has_same_bytes = request->bytes == was->bytes && !memcmp(payload, net->reading->payload, request->bytes);
	if (is_same && has_same_bytes && request->look == was->look && request->moment == was->moment)
		return;
	describe_record(request, now);
	describe_record(was, before);
	if (!is_same)
		net_stop(net, NET_DIFFERS, "the program does something else than in the recording: %.90s, not %.90s",
		         now, before);
	else if (!has_same_bytes)
		differ_in_payload(net, request, payload, was);
	else
		net_stop(net, NET_DIFFERS, "the program does this at %lu ns, and in the recording at %lu ns: %.120s",
		         request->moment, was->moment, now);
}

/* The guest passes the requests that it finds in the ring. So this one is another one, or the ring was empty. */
void net_replay_compare(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	struct net_reading *reading = net->reading;
	char now[160];
	if (net_is_reading(request))
		return;
	forget_passed(net);
	bool was_offered = reading->first < reading->offered;
	read_on(net);
	if (net->end || reading->first == reading->last) {
		describe_record(request, now);
		stop_at_end(net, now);
		return;
	}
	const struct net_expected *expected = &reading->expected[reading->first];
	const struct record_network *entry = &expected->entry;
	if (!copy_payload(net, entry, reading->payload))
		return;
	if (request->bytes == entry->record.bytes)
		replay_fill_redacted(expected->redacted, reading->payload, payload, 0, request->bytes);
	compare_request(net, request, payload, &entry->record);
	if (was_offered)
		net_fail(net, "the guest says that the recording lacks a request that it has");
	else
		reading->offered = ++reading->first;
}

void net_replay_wait(struct net *net, uint64_t look)
{
	struct network_record next = {.op = NETWORK_SKIP};
	net_replay_feed(net);
	if (net->end)
		return;
	if (!net_ring_has_events(net)) {
		stop_at_end(net, "it waits for the outside");
		return;
	}
	net_ring_next(net, &next);
	if (next.look != look)
		net_stop(net, NET_DIFFERS, "the program waits for the outside, which it did not in the recording");
}
