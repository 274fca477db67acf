/* SPDX-License-Identifier: MIT */
/* Creation of internet sockets, and their destinations. */
#include "kernel/net/inet.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/string.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet_group.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/outside/outside.h"

#define STREAM_SEND_BYTES 16384     /* the second number of net.ipv4.tcp_wmem */
#define STREAM_RECEIVE_BYTES 131072 /* the second number of net.ipv4.tcp_rmem */

/* The protocol of a type of sockets; 0 for a type without one. */
static int protocol_of(int type)
{
	return type == LINUX_SOCK_STREAM ? LINUX_IPPROTO_TCP : type == LINUX_SOCK_DGRAM ? LINUX_IPPROTO_UDP : 0;
}

int inet_create(int domain, int type, int protocol, struct socket **out)
{
	if (protocol < 0 || protocol >= 263) /* IPPROTO_MAX of Linux 6 */
		return -EINVAL;
	if (type == LINUX_SOCK_RAW)
		return -EPROTONOSUPPORT;
	outside_init();
	int own = protocol_of(type);
	if (!own)
		return -ESOCKTNOSUPPORT;
	if (protocol && protocol != own)
		return -EPROTONOSUPPORT;
	struct socket *socket =
		socket_create(type == LINUX_SOCK_STREAM ? &inet_stream_family : &inet_datagram_family, domain, type);
	if (!socket)
		return -ENOMEM;
	socket->protocol = own;
	socket->inet.tcp = LINUX_TCP_CLOSE;
	socket->inet.local = socket->inet.remote = inet_address_any(domain);
	list_init(&socket->inet.pending);
	list_init(&socket->inet.deferred);
	inet_option_init(socket);
	if (type == LINUX_SOCK_STREAM) {
		socket->send_bytes = STREAM_SEND_BYTES;
		socket->receive_bytes = STREAM_RECEIVE_BYTES;
	}
	*out = socket;
	return 0;
}

void inet_note_unreached(const struct socket *socket, const struct inet_address *to)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	struct network_address address = outside_address_to(to);
	unsigned i = 0;
	address.protocol = (uint8_t)socket->protocol;
	while (i < STATS_OUTSIDE && stats->outside[i].port && memcmp(&stats->outside[i], &address, sizeof(address)))
		i++;
	if (i < STATS_OUTSIDE)
		stats->outside[i] = address;
	stats->outside_addresses++;
}

int inet_destination(const struct socket *socket, const struct socket_address *name, struct inet_address *to)
{
	bool is_v4 = socket->domain == LINUX_AF_INET || (name->family == LINUX_AF_INET && !socket_connects(socket));
	int error = inet_address_read(name, is_v4 ? LINUX_AF_INET : LINUX_AF_INET6, to);
	if (error)
		return error;
	inet_address_complete(to);
	if (inet_address_is_broadcast(to) && !(socket->flags >> LINUX_SO_BROADCAST & 1))
		return -EACCES;
	if (inet_address_is_local(to) || outside_has_route(to, socket->inet.is_outside))
		return 0;
	if (inet_address_is_multicast(to) && !socket_connects(socket) && inet_group_interface(socket, to))
		return 0;
	inet_note_unreached(socket, to);
	return -ENETUNREACH;
}

void inet_name(const struct socket *socket, struct socket_address *name)
{
	inet_address_write(&socket->inet.local, socket->domain, name);
}

int inet_unsent(const struct socket *socket)
{
	const struct socket *peer = socket->peer;
	uint64_t window = peer ? peer->receive_bytes / 2 : 0;
	uint64_t under_way = net_delay_charged(socket), arrived = socket->charged - under_way;
	const uint64_t held = socket->inet.held ? socket->inet.held->charge : 0;
	arrived -= held;
	return (int)(under_way + held + (arrived > window ? arrived - window : 0));
}
