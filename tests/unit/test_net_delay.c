/* SPDX-License-Identifier: MIT */
/* What is under way between sockets, against a model: order, delays, partitions, a lack of memory, references. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/end.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/fault/net_fault.h"
#include "kernel/net/inet_port.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

#define SOCKETS 4
#define ROUNDS 20000

static struct boot_faults faults;
static uint64_t now_ns;
static bool is_full;
static unsigned updates, arrived;
static struct socket sockets[SOCKETS];
static int last_of[SOCKETS];     /* value of the last arrival at each */
static uint64_t sent_at[ROUNDS]; /* by the item's value */
struct timer_source timer_arrivals = {.soonest_ns = UINT64_MAX};

void *__real_kmalloc(size_t bytes);
void *__wrap_kmalloc(size_t bytes);

void *__wrap_kmalloc(size_t bytes)
{
	return is_full ? NULL : __real_kmalloc(bytes);
}

uint64_t vclock_now(void)
{
	return now_ns;
}

void timer_update(void)
{
	updates++;
}

void socket_put(struct socket *socket)
{
	if (socket)
		socket->refs--;
}

const struct boot_faults *net_fault_options(void)
{
	return &faults;
}

uint64_t net_fault_draw(uint64_t least, uint64_t most)
{
	return least + (uint64_t)rand() % (most - least + 1);
}

/* Hashes in the test are even for 0 to 3, and odd for 4 to 7, and so on. */
uint64_t net_fault_hash(uint64_t key)
{
	return (key & UINT32_MAX) >> 2;
}

bool net_fault_concerns(uint64_t connection)
{
	(void)connection;
	return true;
}

static struct socket *receiver; /* who has the port of a datagram or an attempt */

struct socket *inet_port_find(int type, const struct inet_address *to, const struct inet_address *from)
{
	(void)type, (void)to, (void)from;
	return receiver;
}

static int begin(void **state)
{
	(void)state;
	faults = (struct boot_faults){0};
	memset(sockets, 0, sizeof(sockets));
	memset(last_of, -1, sizeof(last_of));
	now_ns = arrived = 0;
	is_full = false;
	receiver = NULL;
	return 0;
}

static bool is_parted(uint64_t ns)
{
	for (int i = 0; i < BOOT_PARTITIONS_MAX; i++)
		if (ns >= faults.partitions[i].begin_ns && ns < faults.partitions[i].end_ns)
			return true;
	return false;
}

static void arrive(const struct net_delay_item *item)
{
	arrived++;
	if (item->connection && item->to) {
		int *last = &last_of[item->to - sockets];
		assert_true(item->value > *last);
		*last = item->value;
	}
	if (!is_full) {
		assert_false(is_parted(now_ns));
		assert_true(now_ns >= sent_at[item->value] + faults.delay_least_ns);
	}
}

/* Lets time pass as the scheduler does: from timer to timer. */
static void pass_until(uint64_t ns)
{
	while (timer_arrivals.soonest_ns <= ns) {
		now_ns = timer_arrivals.soonest_ns > now_ns ? timer_arrivals.soonest_ns : now_ns;
		timer_arrivals.expire();
	}
	now_ns = ns > now_ns ? ns : now_ns;
}

static bool send(int value, uint64_t connection, struct socket *to)
{
	static struct message message;
	const struct net_delay_item item = {.arrive = arrive,
	                                    .from = &sockets[0],
	                                    .to = to,
	                                    .message = &message,
	                                    .connection = connection,
	                                    .value = value};
	sent_at[value] = now_ns;
	return net_delay_pass(&item);
}

static void nothing_is_held_without_faults(void **state)
{
	(void)state;
	unsigned before = updates;
	assert_false(net_delay_is_on());
	for (int i = 0; i < 100; i++)
		assert_true(send(i, 1, &sockets[1]));
	assert_int_equal(arrived, 100);
	assert_int_equal(updates, before);
	assert_int_equal(timer_arrivals.soonest_ns, UINT64_MAX);
}

/* Many items to all sockets, at random moments, sometimes without memory. */
static void all_arrive_in_order(void **state)
{
	unsigned lost = 0, parted = 0;
	(void)state;
	srand(1);
	faults = (struct boot_faults){.delay_least_ns = 50,
	                              .delay_most_ns = 900,
	                              .partitions = {{20000, 40000}, {30000, 45000}, {0, 10}, {90000, 90001}}};
	for (int i = 0; i < ROUNDS; i++) {
		bool is_stream = rand() % 3, has_passed;
		is_full = rand() % 50 == 0;
		has_passed = send(i, is_stream ? 7 : 0, is_stream ? &sockets[rand() % SOCKETS] : NULL);
		is_full = false;
		assert_true(has_passed || !is_stream);
		lost += !has_passed;
		parted += is_parted(now_ns);
		pass_until(now_ns + (uint64_t)(rand() % 20));
		assert_true(arrived + lost <= (unsigned)i + 1);
	}
	assert_true(parted > 1000 && lost > 300);
	pass_until(now_ns + 100000);
	assert_int_equal(arrived + lost, ROUNDS);
	for (int i = 0; i < SOCKETS; i++) {
		assert_int_equal(sockets[i].refs, 0);
		assert_int_equal(sockets[i].inet.arriving, 0);
	}
	assert_int_equal(timer_arrivals.soonest_ns, UINT64_MAX);
}

static void a_partition_holds_streams_and_loses_datagrams(void **state)
{
	(void)state;
	faults = (struct boot_faults){.partitions = {{100, 200}, {200, 300}}};
	assert_true(send(0, 1, &sockets[1]));
	assert_int_equal(arrived, 1);
	now_ns = 150;
	assert_true(send(1, 1, &sockets[1]));
	assert_false(send(2, 0, NULL));
	assert_int_equal(sockets[1].refs, 1);
	assert_int_equal(timer_arrivals.soonest_ns, 300);
	now_ns = 305; /* late: the timer has not been looked at */
	assert_true(send(3, 1, &sockets[1]));
	assert_int_equal(arrived, 1);
	pass_until(305);
	assert_int_equal(arrived, 3);
	assert_int_equal(last_of[1], 3);
}

static void a_round_trip_takes_two_delays(void **state)
{
	const struct net_delay_item item = {
		.arrive = arrive, .from = &sockets[0], .connection = 1, .is_round_trip = true};
	(void)state;
	faults = (struct boot_faults){.delay_least_ns = 70, .delay_most_ns = 70, .partitions = {{60, 80}}};
	assert_true(net_delay_pass(&item));
	assert_int_equal(timer_arrivals.soonest_ns, 150); /* the first one arrives at 80 */
	pass_until(1000);
	assert_int_equal(arrived, 1);
}

static void what_leaves_can_hurry(void **state)
{
	(void)state;
	faults = (struct boot_faults){.delay_least_ns = 1000, .delay_most_ns = 1000};
	for (int i = 0; i < 6; i++) {
		static struct message message;
		const struct net_delay_item item = {.arrive = arrive,
		                                    .from = &sockets[i % 2],
		                                    .message = &message,
		                                    .value = i,
		                                    .is_leaving = i != 5};
		sent_at[i] = 0;
		assert_true(net_delay_pass(&item));
	}
	is_full = true; /* arrivals are early */
	net_delay_hurry(&sockets[0]);
	assert_int_equal(arrived, 3);
	end_hooks.arrive();
	assert_int_equal(arrived, 5);
	assert_int_equal(sockets[0].refs, 0);
	is_full = false;
	pass_until(1000);
	assert_int_equal(arrived, 6);
}

static void count_arrival(const struct net_delay_item *item)
{
	(void)item;
	arrived++;
}

/* When what is sent from one socket to another at 150 arrives, with a partition from 100 to 200. */
static uint64_t arrival(enum boot_partition_kind kind, unsigned from, unsigned to)
{
	const struct net_delay_item item = {
		.arrive = count_arrival, .from = &sockets[from], .to = &sockets[to], .connection = 1};
	unsigned before = arrived;
	sockets[to].inet.arrival_ns = 0;
	faults = (struct boot_faults){.partitions = {{100, 200, kind}}};
	now_ns = 150;
	assert_true(net_delay_pass(&item));
	if (arrived > before)
		return now_ns;
	uint64_t moment = timer_arrivals.soonest_ns;
	pass_until(1000);
	return moment;
}

static void a_partition_can_have_sides(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 3; i++)
		sockets[i].owner = i == 2 ? 4 : i + 1; /* 0 and 1 are on one side, 2 is on the other */
	assert_int_equal(arrival(BOOT_PARTITION_ALL, 0, 1), 200);
	assert_int_equal(arrival(BOOT_PARTITION_HALF, 0, 1), 150);
	assert_int_equal(arrival(BOOT_PARTITION_HALF, 0, 2), 200);
	assert_int_equal(arrival(BOOT_PARTITION_HALF, 2, 1), 200);
	assert_int_equal(arrival(BOOT_PARTITION_ONEWAY, 0, 2), 200);
	assert_int_equal(arrival(BOOT_PARTITION_ONEWAY, 2, 0), 150);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(nothing_is_held_without_faults, begin),
	cmocka_unit_test_setup(all_arrive_in_order, begin),
	cmocka_unit_test_setup(a_partition_holds_streams_and_loses_datagrams, begin),
	cmocka_unit_test_setup(a_partition_can_have_sides, begin),
	cmocka_unit_test_setup(a_round_trip_takes_two_delays, begin),
	cmocka_unit_test_setup(what_leaves_can_hurry, begin),
};

TAP_MAIN(tests)
