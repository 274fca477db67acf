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

#define EXPECTED_MAX (16UL << 20)
#define SHOWN_BEFORE 8

/** A request that the guest is expected to make. */
struct net_expected {
	struct network_record record;
	uint8_t *payload;
};

struct net_reading {
	struct net_expected *expected; /* expected[first, last) */
	size_t first, last, room;
	uint64_t expected_bytes; /* of their payloads */
	bool has_next;           /* `next` is an event that the ring had no room for */
	bool is_over;            /* the recording has no more */
	struct network_record next;
	const uint8_t *payload; /* of `next` */
};

int net_replay_begin(struct net *net)
{
	net->reading = calloc(1, sizeof(*net->reading));
	if (!net->reading)
		return -ENOMEM;
	net->area->is_eager = true;
	replay_rewind(net->config->replay);
	net_replay_feed(net);
	return 0;
}

void net_replay_end(struct net *net)
{
	struct net_reading *reading = net->reading;
	if (!reading)
		return;
	for (size_t i = reading->first; i < reading->last; i++)
		free(reading->expected[i].payload);
	free(reading->expected);
	free(reading);
	net->reading = NULL;
}

static void expect(struct net *net)
{
	struct net_reading *reading = net->reading;
	uint32_t bytes = reading->next.bytes;
	uint8_t *payload = malloc(bytes + 1);
	if (reading->first > reading->last / 2) { /* the first half is free */
		reading->last -= reading->first;
		memmove(reading->expected, reading->expected + reading->first,
		        reading->last * sizeof(*reading->expected));
		reading->first = 0;
	}
	if (!payload || !array_reserve(reading->expected, reading->room, reading->last + 1)) {
		free(payload);
		net_fail(net, "out of memory for the replay");
		return;
	}
	if (bytes)
		memcpy(payload, reading->payload, bytes);
	reading->expected_bytes += bytes;
	reading->expected[reading->last++] = (struct net_expected){reading->next, payload};
}

/* Reads the next record of the network. Returns whether there is one. */
static bool read_next(struct net *net)
{
	struct net_reading *reading = net->reading;
	struct replay *replay = net->config->replay;
	struct replay_block block;
	int result;
	while ((result = replay_next(replay, &block)) > 0) {
		if (block.kind != RECORD_NETWORK)
			continue;
		memcpy(&reading->next, block.data, sizeof(reading->next));
		reading->payload = block.payload;
		return true;
	}
	reading->is_over = true;
	if (result < 0)
		net_fail(net, "cannot replay the recording %.60s: %.160s", replay->dir, replay->error);
	return false;
}

static bool is_event(const struct network_record *record)
{
	return record->op >= NETWORK_CONNECTED;
}

/* Whether more of the recording may be read: what the guest will send waits in memory. */
static bool has_appetite(const struct net_reading *reading)
{
	return reading->first == reading->last || reading->expected_bytes < EXPECTED_MAX;
}

void net_replay_feed(struct net *net)
{
	struct net_reading *reading = net->reading;
	while (!net->end && has_appetite(reading) && (reading->has_next || read_next(net))) {
		reading->has_next = is_event(&reading->next);
		if (!reading->has_next) {
			expect(net);
			continue;
		}
		size_t room;
		uint8_t *to = net_ring_reserve(net, reading->next.bytes, &room);
		if (!to)
			break;
		if (reading->next.bytes)
			memcpy(to, reading->payload, reading->next.bytes);
		net_ring_commit(net, &reading->next);
		reading->has_next = false;
	}
	/* When it has not read on, the guest asks at each look. */
	net->area->next_look = reading->has_next ? reading->next.look : has_appetite(reading) ? UINT64_MAX : 0;
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

static void describe(const struct network_record *record, char text[160])
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
                              const struct net_expected *expected)
{
	char now[NET_TEXT_BYTES], before[NET_TEXT_BYTES], what[160];
	uint32_t other = expected->record.bytes, least = request->bytes < other ? request->bytes : other, at = 0;
	while (at < least && payload[at] == expected->payload[at])
		at++;
	uint32_t from = at < SHOWN_BEFORE ? 0 : at - SHOWN_BEFORE;
	net_show(now, payload + from, request->bytes - from);
	net_show(before, expected->payload + from, other - from);
	describe(request, what);
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

/* Ends the replay if a request is not the expected one. */
static void compare(struct net *net, const struct network_record *request, const uint8_t *payload,
                    const struct net_expected *expected)
{
	const struct network_record *was = &expected->record;
	char now[160], before[160];
	bool is_same = is_same_operation(request, was);
	if (is_same && request->bytes == was->bytes && !memcmp(payload, expected->payload, request->bytes) &&
	    request->look == was->look && request->moment == was->moment)
		return;
	describe(request, now);
	describe(was, before);
	if (!is_same)
		net_stop(net, NET_DIFFERS, "the program does something else than in the recording: %.90s, not %.90s",
		         now, before);
	else if (request->bytes != was->bytes || memcmp(payload, expected->payload, request->bytes))
		differ_in_payload(net, request, payload, expected);
	else
		net_stop(net, NET_DIFFERS, "the program does this at %lu ns, and in the recording at %lu ns: %.120s",
		         request->moment, was->moment, now);
}

void net_replay_compare(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	struct net_reading *reading = net->reading;
	char now[160];
	if (request->op == NETWORK_TAKEN)
		return;
	net_replay_feed(net);
	if (net->end || reading->first == reading->last) {
		describe(request, now);
		stop_at_end(net, now);
		return;
	}
	const struct net_expected *expected = &reading->expected[reading->first++];
	reading->expected_bytes -= expected->record.bytes;
	compare(net, request, payload, expected);
	free(expected->payload);
}

void net_replay_wait(struct net *net, uint64_t look)
{
	struct network_record next = {.op = NETWORK_SKIP};
	net_replay_feed(net);
	if (net->end)
		return;
	if (!net_ring_has_events(net)) {
		stop_at_end(net, "it waits for the network");
		return;
	}
	net_ring_next(net, &next);
	if (next.look != look)
		net_stop(net, NET_DIFFERS, "the program waits for the network, which it did not in the recording");
}
