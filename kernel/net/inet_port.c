/* SPDX-License-Identifier: MIT */
/* Ports are chosen in ascending order from Linux's range (net.ipv4.ip_local_port_range); Linux begins at a random one.
 */
#include "kernel/net/inet_port.h"

#include "abi/errno.h"
#include "kernel/net/inet_option.h"
#include "kernel/sys/sys.h"

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

static bool has_port(const struct socket *socket, int type, uint16_t port)
{
	return socket->domain != LINUX_AF_UNIX && socket->type == type && !socket->dead &&
	       socket->inet.local.port == port;
}

/* Whether two sockets may have the same address (socket(7), SO_REUSEADDR, SO_REUSEPORT). */
static bool share(const struct socket *a, const struct socket *b)
{
	if (has_switch(a, LINUX_SO_REUSEPORT) && has_switch(b, LINUX_SO_REUSEPORT))
		return true;
	return has_switch(a, LINUX_SO_REUSEADDR) && has_switch(b, LINUX_SO_REUSEADDR) && b->state != SOCKET_LISTENING;
}

bool inet_port_is_taken(const struct socket *socket)
{
	for (struct socket *other = socket_next(NULL); other; other = socket_next(other)) {
		if (other == socket || !has_port(other, socket->type, socket->inet.local.port))
			continue;
		if (!covers(other, &socket->inet.local) && !covers(socket, &other->inet.local))
			continue;
		if (!share(socket, other))
			return true;
	}
	return false;
}

static bool is_used(int type, uint16_t port)
{
	for (struct socket *other = socket_next(NULL); other; other = socket_next(other))
		if (has_port(other, type, port))
			return true;
	return false;
}

int inet_port_choose(struct socket *socket)
{
	static uint16_t next[2] = {FIRST, FIRST};
	uint16_t *at = &next[socket->type == LINUX_SOCK_DGRAM];
	if (socket->inet.local.port)
		return 0;
	for (int i = FIRST; i <= LAST; i++) {
		uint16_t port = *at;
		*at = port == LAST ? FIRST : (uint16_t)(port + 1);
		if (is_used(socket->type, port))
			continue;
		socket->inet.local.port = port;
		return 0;
	}
	return -EADDRINUSE;
}

/* Checks that an address can be bound. */
static int check(const struct socket *socket, const struct inet_address *address)
{
	if (inet_address_is_v4(address) && is_v6_only(socket))
		return -EINVAL;
	bool may = inet_address_is_any(address) || inet_address_is_local(address) ||
	           (socket->type == LINUX_SOCK_DGRAM && inet_address_is_broadcast(address));
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
		error = check(socket, &address);
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
	int error = inet_port_choose(socket);
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

struct socket *inet_port_find(int type, const struct inet_address *to, const struct inet_address *from)
{
	struct socket *found = NULL;
	int best = 0;
	unsigned equals = 0;
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket)) {
		if (!has_port(socket, type, to->port) ||
		    (type == LINUX_SOCK_STREAM && socket->state != SOCKET_LISTENING))
			continue;
		int score = fit(socket, to, from);
		if (!score || score < best)
			continue;
		equals = score > best ? 1 : equals + 1;
		/* Of sockets that share a port, the sender's port chooses one; otherwise the newest receives. */
		if (score > best || !has_switch(socket, LINUX_SO_REUSEPORT) || from->port % equals == 0)
			found = socket;
		best = score;
	}
	return found;
}
