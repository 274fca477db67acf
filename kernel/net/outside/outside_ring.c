/* SPDX-License-Identifier: MIT */
#include "kernel/net/outside/outside_ring.h"

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/sched/context.h"
#include "kernel/time/vclock.h"

static struct network_area *area(void)
{
	return phys_to_virt(LAYOUT_NETWORK);
}

static void *request_at(uint64_t position)
{
	return (uint8_t *)area() + NETWORK_REQUESTS_AT + position % NETWORK_REQUESTS_BYTES;
}

/* Finds the next record of the monitor's at or behind a tail, which passes what is skipped. */
static struct network_record *find_record(uint64_t *tail, const uint64_t *head, uint32_t ring, uint64_t size)
{
	while (__atomic_load_n(head, __ATOMIC_ACQUIRE) != *tail) {
		uint64_t left = size - *tail % size;
		struct network_record *record = (void *)((uint8_t *)area() + ring + *tail % size);
		if (left >= sizeof(*record) && record->op != NETWORK_SKIP)
			return record;
		*tail += left;
	}
	return NULL;
}

struct put {
	const struct network_record *request;
	const void *payload;
};

/* In a replay, passes the next expected request if it is this one. */
static bool pass_expected(const struct network_record *request, const void *payload)
{
	uint64_t tail = area()->expected_tail;
	const struct network_record *expected =
		find_record(&tail, &area()->expected_head, NETWORK_EXPECTED_AT, NETWORK_EXPECTED_BYTES);
	if (!expected || memcmp(expected, request, sizeof(*request)) || memcmp(expected + 1, payload, request->bytes))
		return false;
	__atomic_store_n(&area()->expected_tail, tail + NETWORK_RECORD_BYTES(request->bytes), __ATOMIC_RELEASE);
	return true;
}

static uint64_t put_request(const void *argument)
{
	const struct put *put = argument;
	uint32_t bytes = put->request->bytes;
	bool is_reading = put->request->op == NETWORK_TAKEN || put->request->op == NETWORK_ASK;
	if (area()->compares && (is_reading || pass_expected(put->request, put->payload)))
		return 0;
	uint64_t head = area()->requests_head, skip = network_skip(head, NETWORK_REQUESTS_BYTES, bytes);
	uint64_t end = head + skip + NETWORK_RECORD_BYTES(bytes);
	while (end - __atomic_load_n(&area()->requests_tail, __ATOMIC_ACQUIRE) > NETWORK_REQUESTS_BYTES)
		doorbell_ring(DOORBELL_NETWORK_TURN, 0, 0);
	if (skip >= sizeof(struct network_record))
		*(struct network_record *)request_at(head) = (struct network_record){.op = NETWORK_SKIP};
	struct network_record *record = request_at(head + skip);
	*record = *put->request;
	memcpy(record + 1, put->payload, bytes);
	__atomic_store_n(&area()->requests_head, end, __ATOMIC_RELEASE);
	if (area()->is_eager)
		doorbell_ring(DOORBELL_NETWORK_TURN, 0, 0);
	return 0;
}

void outside_ring_put(const struct network_record *request, const void *payload)
{
	const struct put argument = {request, payload};
	context_on_policy_stack(put_request, &argument);
}

static uint64_t turn(const void *)
{
	return (uint64_t)doorbell_ring(DOORBELL_NETWORK_TURN, 0, 0);
}

void outside_ring_turn(void)
{
	context_on_policy_stack(turn, NULL);
}

struct peek {
	uint64_t look;
	struct network_record *event;
};

/* Finds the next event, and passes what is skipped before it. */
static struct network_record *next_event(void)
{
	uint64_t tail = area()->events_tail;
	struct network_record *event =
		find_record(&tail, &area()->events_head, NETWORK_EVENTS_AT, NETWORK_EVENTS_BYTES);
	__atomic_store_n(&area()->events_tail, tail, __ATOMIC_RELEASE);
	return event;
}

static uint64_t peek(const void *argument)
{
	const struct peek *peek = argument;
	struct network_record *event = next_event();
	if (!event && area()->next_look <= peek->look) {
		doorbell_ring(DOORBELL_NETWORK_TURN, 0, 0);
		event = next_event();
	}
	if (!event || event->look > peek->look)
		return false;
	event->look = peek->look;
	if (event->op != NETWORK_TIME)
		event->moment = vclock_now();
	*peek->event = *event;
	return true;
}

bool outside_ring_peek(uint64_t look, struct network_record *event)
{
	const struct peek argument = {look, event};
	return context_on_policy_stack(peek, &argument);
}

static uint64_t take_ring_event(const void *payload)
{
	const struct network_record *event = next_event();
	if (payload)
		memcpy((void *)payload, event + 1, event->bytes);
	__atomic_store_n(&area()->events_tail, area()->events_tail + NETWORK_RECORD_BYTES(event->bytes),
	                 __ATOMIC_RELEASE);
	return 0;
}

void outside_ring_take(void *payload)
{
	context_on_policy_stack(take_ring_event, payload);
}

struct wait {
	uint64_t look, ns;
	bool wants_room;
};

static uint64_t wait_for_event(const void *argument)
{
	const struct wait *wait = argument;
	area()->wants_room = wait->wants_room;
	for (;;) {
		const struct network_record *event = next_event();
		if (event && event->look <= wait->look) /* a later one: the monitor ends the replay */
			return 0;
		doorbell_ring(DOORBELL_NETWORK_WAIT, wait->look, wait->ns);
	}
}

void outside_ring_wait(uint64_t look, uint64_t wait_ns, bool wants_room)
{
	const struct wait argument = {look, wait_ns, wants_room};
	context_on_policy_stack(wait_for_event, &argument);
}

static uint64_t has_clients(const void *)
{
	return area()->clients_wait;
}

bool outside_ring_has_clients(void)
{
	return context_on_policy_stack(has_clients, NULL);
}

bool outside_ring_is_published(uint8_t protocol, uint16_t port)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	for (unsigned i = 0; (boot->flags & BOOT_FLAG_NETWORK) && i < NETWORK_PUBLISHED_MAX; i++)
		if (area()->published[i].protocol == protocol && area()->published[i].port == port)
			return true;
	return false;
}
