/* SPDX-License-Identifier: MIT */
/* The list of what is under way. Few things are under way at a time, and most arrive later than those that were sent
 * before, so a search for the place of a new one begins at the end. */
#include "kernel/net/fault/net_delay.h"

#include "kernel/end.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_fault.h"
#include "kernel/net/inet_port.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

struct held {
	struct list all;
	uint64_t moment_ns; /* of the arrival */
	struct net_delay_item item;
};

static struct list all = {&all, &all};

bool net_delay_is_on(void)
{
	const struct boot_faults *faults = net_fault_options();
	return faults->delay_most_ns || faults->dns_most_ns || faults->partitions[0].end_ns;
}

static uint64_t hash_address(const struct inet_address *address)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < sizeof(address->bytes); i++)
		hash = hash * 257 + address->bytes[i];
	return hash << 32 | UINT32_MAX; /* no process has this number */
}

/* Where something comes from and where it goes: a process of the guest, or an address outside; and the two ports. */
struct way {
	uint64_t from, to;
	uint16_t from_port, to_port;
	uint64_t connection;
};

static uint64_t socket_place(const struct socket *socket, const struct inet_address *address)
{
	return socket && socket->owner ? socket->owner : hash_address(address);
}

/* A datagram and a connection attempt have no receiver yet: it is whoever has the port now. */
static struct way way_of(const struct net_delay_item *item)
{
	const struct inet_address *from = item->connection ? &item->from->inet.local : &item->message->from;
	const struct inet_address *to = item->connection ? &item->from->inet.remote : &item->message->to;
	const struct socket *receiver =
		item->to ? item->to : inet_port_find(item->connection ? LINUX_SOCK_STREAM : LINUX_SOCK_DGRAM, to, from);
	return (struct way){socket_place(item->from, from), socket_place(receiver, to), from->port, to->port,
	                    item->connection};
}

static struct way way_back(const struct way *way)
{
	return (struct way){way->to, way->from, way->to_port, way->from_port, way->connection};
}

/* Whether a partition cuts a way off. Processes are on one of two sides, and so are addresses outside. Within a
 * process, as in a test with all of its nodes in one, each connection is drawn, and each pair of ports of datagrams. */
static bool cuts(unsigned number, const struct way *way)
{
	const struct boot_partition *partition = &net_fault_options()->partitions[number];
	const uint64_t key = (number + 1) * 0x10000000000ULL;
	bool is_second, crosses;
	if (partition->kind == BOOT_PARTITION_ALL)
		return true;
	if (way->from != way->to) {
		is_second = net_fault_hash(key ^ way->from) & 1;
		crosses = is_second != (net_fault_hash(key ^ way->to) & 1);
	} else {
		uint16_t low = way->from_port < way->to_port ? way->from_port : way->to_port;
		uint64_t pair =
			way->connection ? way->connection : (uint64_t)(way->from_port ^ way->to_port) << 16 | low;
		uint64_t drawn = net_fault_hash(~key ^ pair);
		crosses = drawn & 1;
		is_second = (way->from_port == low) == (drawn >> 1 & 1);
	}
	return crosses && (partition->kind == BOOT_PARTITION_HALF || !is_second);
}

/* When the partition that covers a moment ends; the moment itself if none does. Partitions may overlap. */
static uint64_t after_partitions(uint64_t moment_ns, const struct way *way)
{
	const struct boot_partition *partitions = net_fault_options()->partitions;
	for (unsigned i = 0; i < BOOT_PARTITIONS_MAX;) {
		bool is_inside =
			moment_ns >= partitions[i].begin_ns && moment_ns < partitions[i].end_ns && cuts(i, way);
		moment_ns = is_inside ? partitions[i].end_ns : moment_ns;
		i = is_inside ? 0 : i + 1;
	}
	return moment_ns;
}

static uint64_t draw_delay(const struct way *way)
{
	const struct boot_faults *faults = net_fault_options();
	bool is_dns = !way->connection && (way->from_port == DNS_PORT || way->to_port == DNS_PORT);
	uint64_t delay = way->connection && !net_fault_concerns(way->connection)
	                         ? 0
	                         : net_fault_draw(faults->delay_least_ns, faults->delay_most_ns);
	return delay + (is_dns ? net_fault_draw(faults->dns_least_ns, faults->dns_most_ns) : 0);
}

/* Decides when something that is sent now arrives. Returns false if it is lost. */
static bool decide_arrival(const struct net_delay_item *item, uint64_t *moment_ns)
{
	struct way way = way_of(item);
	uint64_t moment = vclock_now();
	for (int trips = item->is_round_trip ? 2 : 1; trips; trips--) {
		uint64_t sent = after_partitions(moment, &way);
		uint64_t due = sent + draw_delay(&way);
		uint64_t arrival = after_partitions(due, &way);
		if (!item->connection && (sent != moment || arrival != due))
			return false;
		moment = arrival;
		way = way_back(&way);
	}
	if (item->connection && item->to && moment < item->to->inet.arrival_ns)
		moment = item->to->inet.arrival_ns;
	*moment_ns = moment;
	return true;
}

static struct held *first_held(void)
{
	return list_is_empty(&all) ? NULL : list_entry(all.next, struct held, all);
}

/* Sets the timer to the next arrival. */
static void arm_arrivals(void)
{
	const struct held *next = first_held();
	timer_arrivals.soonest_ns = next ? next->moment_ns : UINT64_MAX;
}

static void held_arrives(struct held *held)
{
	const struct net_delay_item item = held->item;
	list_remove(&held->all);
	kfree(held);
	if (item.to)
		item.to->inet.arriving--;
	item.arrive(&item);
	socket_put(item.from);
	socket_put(item.to);
}

/* timer_arrivals.expire: the caller looks up the time of the next timer afterwards. */
static void expire_held(void)
{
	struct held *next;
	while ((next = first_held()) && next->moment_ns <= vclock_now())
		held_arrives(next);
	arm_arrivals();
}

/* The first thing under way to a socket, or that a socket has sent to the outside; NULL for both: anything to the
 * outside. */
static struct held *find_under_way(const struct socket *to, const struct socket *from)
{
	list_each (link, &all) {
		struct held *held = list_entry(link, struct held, all);
		if (to ? held->item.to == to : held->item.is_leaving && (!from || held->item.from == from))
			return held;
	}
	return NULL;
}

static void arrive_now(const struct socket *to, const struct socket *from)
{
	struct held *held;
	while ((held = find_under_way(to, from)))
		held_arrives(held);
	arm_arrivals();
	timer_update();
}

void net_delay_hurry(const struct socket *from)
{
	if (find_under_way(NULL, from))
		arrive_now(NULL, from);
}

static void hurry_all(void)
{
	net_delay_hurry(NULL);
}

/* Puts something into the list, behind what arrives at the same moment. */
static void hold(struct held *held)
{
	const struct net_delay_item *item = &held->item;
	struct list *place = &all;
	while (place->previous != &all && list_entry(place->previous, struct held, all)->moment_ns > held->moment_ns)
		place = place->previous;
	list_add_before(place, &held->all);
	if (item->from)
		socket_get(item->from);
	if (item->to) {
		socket_get(item->to)->inet.arriving++;
		if (item->connection)
			item->to->inet.arrival_ns = held->moment_ns;
	}
	timer_arrivals.expire = expire_held;
	end_hooks.arrive = hurry_all;
	if (first_held() == held) {
		arm_arrivals();
		timer_update();
	}
}

bool net_delay_hold(const struct net_delay_item *item, uint64_t moment_ns)
{
	struct held *held = kmalloc(sizeof(*held));
	if (!held)
		return false;
	*held = (struct held){.moment_ns = moment_ns, .item = *item};
	hold(held);
	return true;
}

bool net_delay_pass(const struct net_delay_item *item)
{
	uint64_t moment_ns = 0;
	bool is_ordered = item->connection && item->to;
	if (!net_delay_is_on()) {
		item->arrive(item);
		return true;
	}
	if (!decide_arrival(item, &moment_ns))
		return false;
	struct held *held = NULL;
	if (moment_ns > vclock_now() || (is_ordered && item->to->inet.arriving))
		held = kmalloc(sizeof(*held));
	if (held) {
		*held = (struct held){.moment_ns = moment_ns, .item = *item};
		hold(held);
		return true;
	}
	if (is_ordered && item->to->inet.arriving) /* without memory there is no delay, but still the order */
		arrive_now(item->to, NULL);
	item->arrive(item);
	return true;
}

uint64_t net_delay_charged(const struct socket *from)
{
	uint64_t bytes = 0;
	list_each (link, &all) {
		const struct net_delay_item *item = &list_entry(link, struct held, all)->item;
		if (item->message && item->message->sender == from)
			bytes += item->message->charge;
	}
	return bytes;
}
