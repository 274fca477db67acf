/* SPDX-License-Identifier: MIT */
/* Ports are chosen in ascending order from Linux's range (net.ipv4.ip_local_port_range); Linux begins at a random one.
 */
#include "kernel/net/inet_port.h"

#include "abi/errno.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/inet_option.h"
#include "kernel/sys/sys.h"

#define LO 1
#define ETH0 2

#define FIRST 32768
#define LAST 60999
#define PRIVILEGED 1024 /* ports below need root */

static bool has_switch(const struct socket *socket, int option)
{
	return socket->flags >> option & 1;
}

static bool is_v6_only(const struct socket *socket)
{
	return socket->domain == LINUX_AF_INET6 && inet_option_is_on(socket, INET_V6ONLY);
}

/* Whether a socket's own address includes another one. */
static bool covers(const struct socket *socket, const struct inet_address *address)
{
	const struct inet_address *own = &socket->inet.local;
	if (inet_address_is_same(own, address))
		return true;
	if (!inet_address_is_any(own))
		return false;
	if (inet_address_is_v4(own))
		return inet_address_is_v4(address);
	return !inet_address_is_v4(address) || !is_v6_only(socket);
}

/* Whether two sockets may have the same address (socket(7), SO_REUSEADDR, SO_REUSEPORT). */
static bool share(const struct socket *a, const struct socket *b)
{
	if (has_switch(a, LINUX_SO_REUSEPORT) && has_switch(b, LINUX_SO_REUSEPORT))
		return true;
	return has_switch(a, LINUX_SO_REUSEADDR) && has_switch(b, LINUX_SO_REUSEADDR) && b->state != SOCKET_LISTENING;
}

/* Whether a socket keeps another one from its address. */
static bool keeps_address_from(const struct socket *socket, const struct socket *other)
{
	return other != socket && (covers(other, &socket->inet.local) || covers(socket, &other->inet.local)) &&
	       !share(socket, other);
}

/* Whether a closed connection keeps a socket from its address. */
static bool is_kept(const struct socket *socket, const struct inet_closed *closed)
{
	const uint64_t both = socket->flags & closed->flags;
	return covers(socket, &closed->local) && !(both >> LINUX_SO_REUSEADDR & 1) && !(both >> LINUX_SO_REUSEPORT & 1);
}

bool inet_port_is_taken(const struct socket *socket)
{
	inet_closed_expire();
	struct inet_port *port = inet_table_find(socket->type, socket->inet.local.port);
	if (!port)
		return false;
	inet_table_each(other, &port->sockets) if (keeps_address_from(socket, other)) return true;
	inet_table_each(other, &port->accepted) if (keeps_address_from(socket, other)) return true;
	list_each (link, &port->closed)
		if (is_kept(socket, list_entry(link, struct inet_closed, of_port)))
			return true;
	return false;
}

/* The next free port. Those of closed connections are taken only when no other is left. 0: none. */
static uint16_t find_free(int type, bool with_closed)
{
	static uint16_t next[2] = {FIRST, FIRST};
	uint16_t *at = &next[type == LINUX_SOCK_DGRAM];
	for (int i = FIRST; i <= LAST; i++) {
		uint16_t number = *at;
		*at = number == LAST ? FIRST : (uint16_t)(number + 1);
		struct inet_port *port = inet_table_find(type, number);
		if (!port || (with_closed && inet_closed_free_port(port)))
			return number;
	}
	return 0;
}

int inet_port_choose(struct socket *socket)
{
	if (socket->inet.local.port)
		return 0;
	inet_closed_expire();
	uint16_t port = find_free(socket->type, false);
	if (!port)
		port = find_free(socket->type, true);
	if (!port)
		return -EADDRINUSE;
	socket->inet.local.port = port;
	int error = inet_table_add(socket, false);
	if (error)
		socket->inet.local.port = 0;
	return error;
}

/* Checks that an address can be bound. */
static int check_bindable(const struct socket *socket, const struct inet_address *address)
{
	if (inet_address_is_v4(address) && is_v6_only(socket))
		return -EINVAL;
	bool may = inet_address_is_any(address) || inet_address_is_local(address) ||
	           (socket->type == LINUX_SOCK_DGRAM &&
	            (inet_address_is_broadcast(address) || inet_address_is_multicast(address)));
	if (!may && !inet_option_is_on(socket, INET_FREEBIND))
		return -EADDRNOTAVAIL;
	return address->port && address->port < PRIVILEGED && sys_geteuid() ? -EACCES : 0;
}

int inet_port_bind(struct socket *socket, const struct socket_address *from)
{
	struct socket_address name = *from;
	struct inet_address address;
	if (name.bytes >= sizeof(name.in) && socket->domain == LINUX_AF_INET && name.family == LINUX_AF_UNSPEC &&
	    !name.in.sin_addr)
		name.family = LINUX_AF_INET; /* as on Linux, for old programs */
	int error = inet_address_read(&name, socket->domain, &address);
	if (!error)
		error = check_bindable(socket, &address);
	if (error)
		return error;
	if (socket->inet.local.port || socket->state != SOCKET_UNCONNECTED)
		return -EINVAL;
	const struct inet_address old = socket->inet.local;
	socket->inet.local = address;
	if (!address.port)
		error = inet_port_choose(socket);
	else if (inet_port_is_taken(socket))
		error = -EADDRINUSE;
	else
		error = inet_table_add(socket, false);
	if (error) {
		socket->inet.local = old;
		return error;
	}
	socket->inet.has_address = !inet_address_is_any(&address);
	socket->inet.has_port = address.port;
	return 0;
}

int inet_port_route(struct socket *socket, const struct inet_address *to, bool connects)
{
	struct inet_address *own = &socket->inet.local;
	bool is_any = inet_address_is_any(own);
	if (inet_address_is_v4(to) && is_v6_only(socket))
		return -ENETUNREACH;
	if (!is_any && inet_address_is_v4(own) != inet_address_is_v4(to))
		return -ENETUNREACH;
	bool has_port = own->port;
	int error = inet_port_choose(socket);
	if (!error && !has_port && own->port == to->port && connects && socket_connects(socket)) {
		/* On Linux, which begins at a random port, hardly any socket connects to itself by chance. */
		inet_table_remove(socket);
		own->port = 0;
		error = inet_port_choose(socket);
	}
	if (error || !is_any || !connects)
		return error;
	const struct inet_address source = inet_address_source(to);
	__builtin_memcpy(own->bytes, source.bytes, sizeof(own->bytes));
	return 0;
}

void inet_port_release(struct socket *socket)
{
	struct inet *inet = &socket->inet;
	uint16_t port = inet->has_port ? inet->local.port : 0;
	if (!inet->has_address)
		inet->local = inet_address_any(socket->domain);
	inet->local.port = port;
	if (!port)
		inet_table_remove(socket);
	inet->remote = inet_address_any(socket->domain);
}

/* How well a socket fits; 0: not at all. A connected socket precedes one with an address, and that one a wildcard. */
static int fit(const struct socket *socket, const struct inet_address *to, const struct inet_address *from)
{
	const struct inet *inet = &socket->inet;
	bool is_connected = socket->state == SOCKET_CONNECTED;
	if (!covers(socket, to))
		return 0;
	if (is_connected && (socket->type == LINUX_SOCK_STREAM || inet->remote.port != from->port ||
	                     !inet_address_is_same(&inet->remote, from)))
		return 0;
	return 1 + (inet_address_is_v4(to) == (socket->domain == LINUX_AF_INET)) +
	       2 * !inet_address_is_any(&inet->local) + 4 * is_connected;
}

/* Whether what comes from an address to another one comes by the interface to which a socket is bound. */
static bool has_interface(const struct socket *socket, const struct inet_address *to, const struct inet_address *from)
{
	return !socket->interface || inet_address_is_multicast(to) ||
	       socket->interface == (inet_address_is_local(from) ? LO : ETH0);
}

bool inet_port_receives(const struct socket *socket, const struct inet_address *to, const struct inet_address *from)
{
	return has_interface(socket, to, from) && fit(socket, to, from);
}

struct socket *inet_port_find(int type, const struct inet_address *to, const struct inet_address *from)
{
	struct inet_port *port = inet_table_find(type, to->port);
	struct socket *found = NULL;
	int best = 0;
	unsigned equals = 0;
	if (!port)
		return NULL;
	inet_table_each(socket, &port->sockets)
	{
		if (type == LINUX_SOCK_STREAM && socket->state != SOCKET_LISTENING)
			continue;
		int score = has_interface(socket, to, from) ? fit(socket, to, from) : 0;
		if (!score || score < best)
			continue;
		equals = score > best ? 1 : equals + 1;
		found = socket;
		best = score;
	}
	if (equals < 2 || !has_switch(found, LINUX_SO_REUSEPORT))
		return found;
	unsigned skip = from->port % equals;
	inet_table_each(socket, &port->sockets) if ((type != LINUX_SOCK_STREAM || socket->state == SOCKET_LISTENING) &&
	                                            fit(socket, to, from) == best && skip-- == 0) return socket;
	return found;
}
