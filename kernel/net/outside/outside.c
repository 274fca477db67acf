/* SPDX-License-Identifier: MIT */
/* Events of the outside become visible at looks: at the end of a kernel call, and when no thread is ready. */
#include "kernel/net/outside/outside.h"

#include "abi/boot.h"
#include "abi/layout.h"
#include "abi/network.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/outside/outside_ring.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/kcall.h"
#include "kernel/time/vclock.h"

static struct {
	bool has_route, jumps;
	unsigned waiting; /* flows, ports and sockets that wait for the outside */
	unsigned looking; /* these, and standard input, which is not waited for all the time */
	uint64_t looks;
	/* Handles an event of the network. NULL before there is a socket: an image without sockets lacks the code. */
	void (*network)(const struct network_record *event);
} outside;

/* Takes an event, and returns its payload as a message; NULL: it has none, or no memory is left for it. */
static struct message *take_payload(const struct network_record *event)
{
	struct message *message = event->bytes ? kmalloc(sizeof(*message) + event->bytes) : NULL;
	if (message) {
		memset(message, 0, sizeof(*message));
		message->bytes = event->bytes;
	}
	outside_ring_take(message ? message->data : NULL);
	return message;
}

static void handle_network(const struct network_record *event)
{
	struct message *payload = take_payload(event);
	if (event->op == NETWORK_DATAGRAM_CAME || event->op == NETWORK_DATAGRAM_REFUSED)
		outside_datagram_event(event, payload);
	else
		outside_stream_event(event, payload);
}

static void handle_event(const struct network_record *event)
{
	if (event->op == NETWORK_INPUT) {
		outside_input_event(event);
	} else if (event->op != NETWORK_TIME && outside.network) {
		outside.network(event);
	} else {
		outside_ring_take(NULL);
		if (event->op == NETWORK_TIME)
			vclock_jump(vclock_now() + event->moment);
	}
}

static void take_visible(void)
{
	struct network_record event;
	while (outside_ring_peek(outside.looks, &event))
		handle_event(&event);
}

void outside_look(void)
{
	outside.looks++;
	take_visible();
}

/* sched_outside, called when no thread is ready. */
static bool wait_outside(uint64_t until_ns)
{
	uint64_t now = vclock_now();
	bool is_last = until_ns > vclock_end();
	bool is_waiting = outside.waiting || outside_ring_has_clients();
	if (!(is_waiting && (!outside.jumps || is_last)) && !outside_input_is_awaited(is_last))
		return false;
	outside.looks++;
	outside_ring_wait(outside.looks,
	                  is_last          ? UINT64_MAX
	                  : until_ns > now ? until_ns - now
	                                   : 0,
	                  outside_stream_wants_room());
	take_visible();
	sched_expire();
	return true;
}

void outside_begin_looking(void)
{
	outside.looking++;
	kcall_look = outside_look;
	sched_outside = wait_outside;
}

void outside_end_looking(void)
{
	if (!--outside.looking)
		kcall_look = NULL;
}

void outside_forget_looks(void)
{
	if (outside.network) /* then the network looks, with or without --record */
		return;
	outside.looks = 0;
	sched_outside = NULL;
}

void outside_begin_waiting(void)
{
	outside.waiting++;
	outside_begin_looking();
}

void outside_end_waiting(void)
{
	outside.waiting--;
	outside_end_looking();
}

void outside_init(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	if (!(boot->flags & BOOT_FLAG_NETWORK) || outside.network)
		return;
	outside.has_route = boot->flags & BOOT_FLAG_ROUTE;
	outside.jumps = boot->flags & BOOT_FLAG_NET_JUMP;
	outside.network = handle_network;
	if (outside_ring_has_clients() && !sched_outside)
		sched_outside = wait_outside;
}

bool outside_is_open(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->flags & BOOT_FLAG_ROUTE;
}

bool outside_has_route(const struct inet_address *to, bool answers)
{
	return (outside.has_route || answers) && !inet_address_is_local(to) && !inet_address_is_broadcast(to) &&
	       !inet_address_is_multicast(to);
}

void outside_request(const struct network_record *request, const void *payload)
{
	struct network_record record = *request;
	record.look = outside.looks;
	record.moment = vclock_now();
	outside_ring_put(&record, payload);
}

struct network_address outside_address_to(const struct inet_address *from)
{
	struct network_address address = {.port = from->port};
	memcpy(address.bytes, from->bytes, sizeof(address.bytes));
	return address;
}

struct inet_address outside_address_from(const struct network_address *from)
{
	struct inet_address address = {.port = from->port};
	memcpy(address.bytes, from->bytes, sizeof(address.bytes));
	return address;
}
