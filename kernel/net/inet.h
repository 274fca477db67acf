/* SPDX-License-Identifier: MIT */
/* Sockets of the families AF_INET and AF_INET6 (ip(7), ipv6(7)): what streams and datagrams share. */
#ifndef KERNEL_NET_INET_H
#define KERNEL_NET_INET_H

#include "kernel/net/socket_message.h"

extern const struct socket_family inet_stream_family, inet_datagram_family;

/** Makes a socket of a family, a type, LINUX_SOCK_*, and a protocol for the caller. Returns 0 or a negative errno. */
int inet_create(int domain, int type, int protocol, struct socket **out);

/** Notes an address that cannot be reached, for the monitor to report at the end: it is outside, without a way there;
 * or, with a way outside, it is the guest's own and nothing listens there. */
void inet_note_unreached(const struct socket *socket, const struct inet_address *to);

/** Checks the destination of a connection or a datagram. Returns 0, -EINVAL, -EAFNOSUPPORT, or -ENETUNREACH for an
 * address outside the guest, which the monitor reports at the end of the run. Completes a wildcard. */
int inet_destination(const struct socket *socket, const struct socket_address *name, struct inet_address *to);

/** Functions of struct socket_family. */
void inet_name(const struct socket *socket, struct socket_address *name);
int inet_unsent(const struct socket *socket);

#endif
