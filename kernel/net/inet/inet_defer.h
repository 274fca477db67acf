/* SPDX-License-Identifier: MIT */
/* Connections that a listener with TCP_DEFER_ACCEPT does not accept before data arrive (tcp(7)). */
#ifndef KERNEL_NET_INET_INET_DEFER_H
#define KERNEL_NET_INET_INET_DEFER_H

#include "kernel/net/socket.h"

/** The option counts retransmissions of TCP, and the program seconds. Both functions round up. */
int32_t inet_defer_count(int32_t seconds);
int32_t inet_defer_seconds(int32_t count);

/** Holds a new connection, with the caller's reference, until data arrive or the time of the option is over. Returns
 * false without the option, or without memory; the caller then adds it to the queue. */
bool inet_defer_hold(struct socket *listener, struct socket *connection);

/** Data or an end have arrived: adds the connection to the listener's queue. Does nothing for others. */
void inet_defer_release(struct socket *connection);

/** Removes a connection from those that are held, because it is reset. Returns whether it was held; the caller then has
 * the reference. */
bool inet_defer_drop(struct socket *connection);

/** Takes one of the connections that a closed listener holds, with its reference; NULL: none. */
struct socket *inet_defer_take(struct socket *listener);

#endif
