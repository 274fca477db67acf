/* SPDX-License-Identifier: MIT */
/* Bytes of a connection that wait for a full segment: TCP_CORK, MSG_MORE (tcp(7), send(2)). */
#ifndef KERNEL_NET_INET_INET_CORK_H
#define KERNEL_NET_INET_INET_CORK_H

#include "kernel/net/socket_message.h"

/** How many of the next `bytes` bytes inet_cork_add takes at once, at least one. */
size_t inet_cork_piece(const struct socket *socket, int flags, size_t bytes);

/** Adds the next bytes of a connection, a piece of that size, to those that wait; `flags` are those of send(2).
 * *message is then what can be sent now, or NULL. Returns 0, or -ENOBUFS with the message freed. */
int inet_cork_add(struct socket *socket, int flags, struct message **message);

/** Sends what waits. */
void inet_cork_release(struct socket *socket);

/** Frees what waits. */
void inet_cork_drop(struct socket *socket);

/** After setsockopt(2): the end of TCP_CORK and the beginning of TCP_NODELAY send what waits. */
void inet_cork_option(struct socket *socket, int level, int option);

#endif
