/* SPDX-License-Identifier: MIT */
/* Options of internet sockets (ip(7), ipv6(7), tcp(7), udp(7)). */
#ifndef KERNEL_NET_INET_OPTION_H
#define KERNEL_NET_INET_OPTION_H

#include "kernel/net/socket.h"

/** Options that the kernel itself asks for. */
enum inet_option {
	INET_V6ONLY,
	INET_FREEBIND,
	INET_PKTINFO,
	INET_V6_PKTINFO,
	INET_RECVERR,
	INET_V6_RECVERR,
	INET_MAXSEG,
	INET_MULTICAST_ALL,
	INET_MULTICAST_LOOP,
	INET_V6_MULTICAST_LOOP,
	INET_TOS,
	INET_TTL,
	INET_MULTICAST_TTL,
	INET_V6_HOPS,
	INET_V6_MULTICAST_HOPS,
	INET_V6_TCLASS,
	INET_RECVTTL,
	INET_RECVTOS,
	INET_RECVORIGDSTADDR,
	INET_V6_RECVHOPLIMIT,
	INET_V6_RECVTCLASS,
	INET_V6_RECVORIGDSTADDR,
	INET_V6_DONTFRAG,
	INET_NOTSENT_LOWAT,
	INET_LINGER2,
	INET_WINDOW_CLAMP,
	INET_FASTOPEN,
	INET_FASTOPEN_CONNECT,
	INET_TCP_INQ,
	INET_DEFER_ACCEPT, /* its value is a count: see inet_defer.h */
	INET_V6_MULTICAST_ALL,
	INET_UDP_CORK,
	INET_UDP_SEGMENT,
	INET_UDP_GRO,
	INET_NODELAY,
	INET_CORK,
	INET_OPTION_ASKED
};

/** Gives a new socket the defaults. */
void inet_option_init(struct socket *socket);

/** The value of an option. */
int32_t inet_option_value(const struct socket *socket, enum inet_option option);

/** Whether an option is not 0. */
bool inet_option_is_on(const struct socket *socket, enum inet_option option);

/** The bytes of a full segment of a connection (TCP_MAXSEG). */
int32_t inet_option_segment(const struct socket *socket);

/** The functions of struct socket_family. */
int inet_option_set(struct socket *socket, int level, int option, const void *value, int bytes);
int inet_option_get(struct socket *socket, int level, int option, void *value, int *bytes);

#endif
