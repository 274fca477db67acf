/* SPDX-License-Identifier: MIT */
/* The rings. The guest can write anything into them at any moment: the monitor keeps its own positions, copies a header
 * before it checks it, and hands payloads only to calls that take any bytes. */
#include <errno.h>
#include <string.h>

#include "guest/guest_memory.h"
#include "net/net_state.h"

/* Data and new connections use this much of the ring of events at most. The other half is for the events that a flow
 * has only a few of, so that these always have room. */
#define DATA_MOST (NETWORK_EVENTS_BYTES / 2)
#define RECORD sizeof(struct network_record)

static uint8_t *at(struct net *net, uint32_t ring, uint64_t position, uint64_t size)
{
	return net->memory.base + ring + position % size;
}

static uint64_t read_position(const uint64_t *position)
{
	return __atomic_load_n(position, __ATOMIC_ACQUIRE);
}

uint64_t net_ring_requested(struct net *net)
{
	return read_position(&net->area->requests_head);
}

int net_ring_request(struct net *net, uint64_t head, struct network_record *request, const uint8_t **payload)
{
	const uint64_t size = NETWORK_REQUESTS_BYTES;
	uint64_t tail = net->requests_tail;
	for (;;) {
		uint64_t left = size - tail % size, have = head - tail;
		if (!have)
			return 0;
		if (have > size)
			return net_fail(net, "the guest says that its requests take %lu bytes of a ring of %lu", have,
			                size);
		if (left >= RECORD)
			guest_memory_copy(request, at(net, NETWORK_REQUESTS_AT, tail, size), RECORD);
		if (left >= RECORD && request->op != NETWORK_SKIP) {
			net->requests_tail = tail;
			if (request->bytes > NETWORK_PAYLOAD_MAX || NETWORK_RECORD_BYTES(request->bytes) > have ||
			    NETWORK_RECORD_BYTES(request->bytes) > left)
				return net_fail(net,
				                "the guest made a network request of %u bytes, which are not there",
				                request->bytes);
			*payload = at(net, NETWORK_REQUESTS_AT, tail, size) + RECORD;
			return 1;
		}
		if (left > have)
			return net_fail(net, "the guest made a network request that ends behind its ring");
		tail += left;
	}
}

void net_ring_done(struct net *net, const struct network_record *request)
{
	net->requests_tail += NETWORK_RECORD_BYTES(request->bytes);
	__atomic_store_n(&net->area->requests_tail, net->requests_tail, __ATOMIC_RELEASE);
}

/* Bytes of events that the guest has not taken; a wrong position counts as a full ring. */
static uint64_t untaken(struct net *net)
{
	uint64_t bytes = net->events_head - read_position(&net->area->events_tail);
	if (bytes > NETWORK_EVENTS_BYTES)
		net_fail(net, "the guest says that it has taken events that do not exist yet");
	return bytes > NETWORK_EVENTS_BYTES ? NETWORK_EVENTS_BYTES : bytes;
}

uint64_t net_ring_taken(struct net *net)
{
	return net->events_head - untaken(net);
}

bool net_ring_has_events(struct net *net)
{
	return untaken(net) > net->passed;
}

bool net_ring_wakes(struct net *net)
{
	/* A replay gives what was there at the look, and what a full ring has must be taken before more comes. */
	bool is_any = net->config->replay || net->is_full || __atomic_load_n(&net->area->wants_room, __ATOMIC_RELAXED);
	return net_ring_has_events(net) && (is_any || net->wakes > net_ring_taken(net));
}

/* Bytes of the ring that are in use: with a recording, those that were not recorded, too. */
static uint64_t used(struct net *net)
{
	return net->config->recording ? net->events_head - net->recorded : untaken(net);
}

const uint8_t *net_ring_payload(struct net *net, uint64_t position)
{
	return at(net, NETWORK_EVENTS_AT, position, NETWORK_EVENTS_BYTES) + RECORD;
}

void net_ring_next(struct net *net, struct network_record *event)
{
	uint64_t position = net_ring_taken(net), left = NETWORK_EVENTS_BYTES - position % NETWORK_EVENTS_BYTES;
	if (left >= RECORD)
		guest_memory_copy(event, at(net, NETWORK_EVENTS_AT, position, NETWORK_EVENTS_BYTES), RECORD);
	if (left < RECORD || event->op == NETWORK_SKIP)
		guest_memory_copy(event, at(net, NETWORK_EVENTS_AT, position + left, NETWORK_EVENTS_BYTES), RECORD);
}

void net_ring_when(struct net *net, uint64_t position, struct network_record *record)
{
	struct network_record now;
	guest_memory_copy(&now, at(net, NETWORK_EVENTS_AT, position, NETWORK_EVENTS_BYTES), RECORD);
	record->look = now.look;
	if (record->op != NETWORK_TIME)
		record->moment = now.moment;
}

/* Passes the rest of the ring, which is too short for a record. */
static void skip(struct net *net, uint64_t bytes)
{
	const struct network_record record = {.op = NETWORK_SKIP};
	if (!bytes)
		return;
	net->passed += bytes;
	if (bytes >= RECORD)
		memcpy(at(net, NETWORK_EVENTS_AT, net->events_head, NETWORK_EVENTS_BYTES), &record, RECORD);
	net->events_head += bytes;
	__atomic_store_n(&net->area->events_head, net->events_head, __ATOMIC_RELEASE);
}

bool net_ring_has_room(struct net *net)
{
	if (used(net) > DATA_MOST)
		net->is_full = true;
	return !net->is_full;
}

uint8_t *net_ring_reserve(struct net *net, size_t least, size_t *room)
{
	const uint64_t size = NETWORK_EVENTS_BYTES;
	uint64_t left = size - net->events_head % size, passed = left < NETWORK_RECORD_BYTES(least) ? left : 0;
	uint64_t most =
		net->config->replay && !net->peers ? size : DATA_MOST; /* a replay has all that was there at a look */
	if (used(net) + passed + NETWORK_RECORD_BYTES(least) > most) {
		net->is_full = true;
		return NULL;
	}
	skip(net, passed);
	left = size - net->events_head % size - RECORD;
	left = left < NETWORK_PAYLOAD_MAX ? left : NETWORK_PAYLOAD_MAX;
	*room = left;
	return at(net, NETWORK_EVENTS_AT, net->events_head, size) + RECORD;
}

void net_ring_commit(struct net *net, const struct network_record *event)
{
	memcpy(at(net, NETWORK_EVENTS_AT, net->events_head, NETWORK_EVENTS_BYTES), event, RECORD);
	net->passed = 0;
	if (net->config->recording)
		net_record_note(net, event, net->events_head);
	net->events_head += NETWORK_RECORD_BYTES(event->bytes);
	if (event->op != NETWORK_SENT)
		net->wakes = net->events_head;
	__atomic_store_n(&net->area->events_head, net->events_head, __ATOMIC_RELEASE);
}

void net_ring_put(struct net *net, const struct network_record *event)
{
	uint64_t passed = network_skip(net->events_head, NETWORK_EVENTS_BYTES, 0);
	if (used(net) + passed + RECORD > NETWORK_EVENTS_BYTES) {
		net_fail(net, "the guest takes no events of the network, and its ring is full");
		return;
	}
	skip(net, passed);
	net_ring_commit(net, event);
}
