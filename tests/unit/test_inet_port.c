/* SPDX-License-Identifier: MIT */
/* Ports are found by hash: with thousands in use, a search looks at few sockets, whatever their number. Closed
 * connections keep their ports by moments alone. */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "abi/errno.h"
#include "kernel/net/inet/inet_defer.h"
#include "kernel/net/inet/inet_info.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/inet_port.h"
#include "kernel/time/timespec.h"

/* Not under test. */
int32_t inet_defer_count(int32_t seconds)
{
	return seconds;
}

int32_t inet_defer_seconds(int32_t count)
{
	return count;
}

void inet_info_get(const struct socket *socket, void *value, int *bytes)
{
	(void)socket, (void)value, (void)bytes;
}

#define MANY 10000

static struct socket sockets[MANY], server;
static uint64_t now_ns;
static unsigned compared; /* addresses */

uint64_t vclock_now(void);
long sys_geteuid(void);
bool __real_inet_address_is_same(const struct inet_address *a, const struct inet_address *b);
bool __wrap_inet_address_is_same(const struct inet_address *a, const struct inet_address *b);

uint64_t vclock_now(void)
{
	return now_ns;
}

long sys_geteuid(void)
{
	return 0;
}

bool __wrap_inet_address_is_same(const struct inet_address *a, const struct inet_address *b)
{
	compared++;
	return __real_inet_address_is_same(a, b);
}

static struct socket *init(struct socket *socket, int type)
{
	memset(socket, 0, sizeof(*socket));
	socket->type = type;
	socket->domain = LINUX_AF_INET;
	socket->inet.local = socket->inet.remote = inet_address_any(LINUX_AF_INET);
	return socket;
}

static int bind_to(struct socket *socket, uint16_t port)
{
	struct socket_address name = {.bytes = sizeof(name.in),
	                              .in = {.sin_family = LINUX_AF_INET, .sin_port = __builtin_bswap16(port)}};
	return inet_port_bind(socket, &name);
}

static void ports_in_use_cost_nothing(void **state)
{
	struct inet_address from = inet_address_any(LINUX_AF_INET), to;
	(void)state;
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(bind_to(init(&sockets[i], LINUX_SOCK_DGRAM), 0), 0);
		assert_int_equal(sockets[i].inet.local.port, 32768 + i);
	}
	compared = 0;
	for (int i = 0; i < MANY; i++) {
		to = inet_address_any(LINUX_AF_INET);
		to.port = (uint16_t)(32768 + i);
		assert_ptr_equal(inet_port_find(LINUX_SOCK_DGRAM, &to, &from), &sockets[i]);
	}
	assert_true(compared <= 4 * MANY);
	for (int i = 0; i < MANY; i++)
		inet_table_remove(&sockets[i]);
	assert_null(inet_table_find(LINUX_SOCK_DGRAM, 32768));
}

static void connections_hide_no_listener(void **state)
{
	struct inet_address to = inet_address_any(LINUX_AF_INET), from = to;
	(void)state;
	assert_int_equal(bind_to(init(&server, LINUX_SOCK_STREAM), 80), 0);
	server.state = SOCKET_LISTENING;
	for (int i = 0; i < MANY; i++) {
		init(&sockets[i], LINUX_SOCK_STREAM)->inet.local = server.inet.local;
		sockets[i].state = SOCKET_CONNECTED;
		assert_int_equal(inet_table_add(&sockets[i], true), 0);
	}
	compared = 0;
	to.port = 80;
	assert_ptr_equal(inet_port_find(LINUX_SOCK_STREAM, &to, &from), &server);
	assert_true(compared <= 4);
	for (int i = 0; i < MANY; i++)
		inet_table_remove(&sockets[i]);
	inet_table_remove(&server);
}

/* As many connections as there are ports, closed by the client: then ports of closed ones are given out again. */
static void closed_connections_keep_ports(void **state)
{
	const unsigned ports = 60999 - 32768 + 1;
	struct socket *client = &sockets[0];
	(void)state;
	compared = 0;
	for (unsigned i = 0; i < ports; i++) {
		init(client, LINUX_SOCK_STREAM)->inet.remote.port = 80;
		assert_int_equal(inet_port_choose(client), 0);
		inet_closed_keep(client, LINUX_TCP_TIME_WAIT);
		inet_table_remove(client);
		assert_non_null(inet_table_find(LINUX_SOCK_STREAM, client->inet.local.port));
	}
	assert_true(compared <= 4 * ports);
	uint16_t first = client->inet.local.port == 60999 ? 32768 : (uint16_t)(client->inet.local.port + 1);
	assert_int_equal(inet_port_choose(init(client, LINUX_SOCK_STREAM)), 0);
	assert_int_equal(client->inet.local.port, first);
	inet_table_remove(client);
	assert_int_equal(bind_to(init(client, LINUX_SOCK_STREAM), 40000), -EADDRINUSE);
	now_ns += 60UL * NS_PER_S - 1;
	assert_int_equal(bind_to(init(client, LINUX_SOCK_STREAM), 40000), -EADDRINUSE);
	now_ns++;
	assert_int_equal(bind_to(init(client, LINUX_SOCK_STREAM), 40000), 0);
	inet_table_remove(client);
	assert_null(inet_closed_next(NULL));
	assert_null(inet_table_find(LINUX_SOCK_STREAM, 40001));
}

/* Sockets that share a port by SO_REUSEPORT are counted by the sender's port, in the order in which they were bound. */
static void senders_port_chooses(void **state)
{
	struct inet_address to = inet_address_any(LINUX_AF_INET), from = to;
	(void)state;
	for (int i = 0; i < 3; i++) {
		init(&sockets[i], LINUX_SOCK_DGRAM)->flags = 1UL << LINUX_SO_REUSEPORT;
		assert_int_equal(bind_to(&sockets[i], 5000), 0);
	}
	to.port = 5000;
	for (from.port = 0; from.port < 30; from.port++)
		assert_ptr_equal(inet_port_find(LINUX_SOCK_DGRAM, &to, &from), &sockets[from.port % 3]);
	assert_int_equal(bind_to(init(&sockets[3], LINUX_SOCK_DGRAM), 5000), -EADDRINUSE);
	for (int i = 0; i < 3; i++)
		inet_table_remove(&sockets[i]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ports_in_use_cost_nothing),
	cmocka_unit_test(connections_hide_no_listener),
	cmocka_unit_test(closed_connections_keep_ports),
	cmocka_unit_test(senders_port_chooses),
};

TAP_MAIN(tests)
