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
	uint64_t looks;
	bool (*inside)(uint64_t until_ns); /* what else may come when no thread is ready: a key */
} outside;

/* Takes an event, and returns its payload as a message; NULL: it has none, or no memory is left for it. */
static struct message *take(const struct network_record *event)
{
	struct message *message = event->bytes ? kmalloc(sizeof(*message) + event->bytes) : NULL;
	if (message) {
		memset(message, 0, sizeof(*message));
		message->bytes = event->bytes;
	}
	outside_ring_take(message ? message->data : NULL);
	return message;
}

static void handle(const struct network_record *event)
{
	struct message *payload = take(event);
	switch (event->op) {
	case NETWORK_TIME:
		vclock_jump(vclock_now() + event->moment);
		break;
	case NETWORK_DATAGRAM_CAME:
	case NETWORK_DATAGRAM_REFUSED:
		outside_datagram_event(event, payload);
		break;
	default:
		outside_stream_event(event, payload);
		break;
	}
}

static void take_visible(void)
{
	struct network_record event;
	while (outside_ring_peek(outside.looks, &event))
		handle(&event);
}

/* kcall_look */
static void look(void)
{
	outside.looks++;
	take_visible();
}

/* sched_outside, called when no thread is ready. */
static bool wait(uint64_t until_ns)
{
	uint64_t now = vclock_now();
	bool is_last = until_ns > vclock_end();
	if (!outside.waiting || (outside.jumps && !is_last))
		return outside.inside && outside.inside(until_ns);
	outside.looks++;
	outside_ring_wait(outside.looks, is_last ? UINT64_MAX : until_ns > now ? until_ns - now : 0);
	take_visible();
	sched_expire();
	return true;
}

void outside_begin_waiting(void)
{
	outside.waiting++;
	kcall_look = look;
}

void outside_end_waiting(void)
{
	if (!--outside.waiting)
		kcall_look = NULL;
}

void outside_init(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	if (!(boot->flags & BOOT_FLAG_NETWORK) || sched_outside == wait)
		return;
	outside.has_route = boot->flags & BOOT_FLAG_ROUTE;
	outside.jumps = boot->flags & BOOT_FLAG_NET_JUMP;
	outside.inside = sched_outside;
	sched_outside = wait;
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
