/* SPDX-License-Identifier: MIT */
/* Ports: which socket has which, and which are free (bind(2), ip(7)). */
#ifndef KERNEL_NET_INET_PORT_H
#define KERNEL_NET_INET_PORT_H

#include "kernel/net/socket.h"

#define DNS_PORT 53

/** bind(2) for both types of sockets. Returns 0 or a negative errno. */
int inet_port_bind(struct socket *socket, const struct socket_address *name);

/** Whether another socket has the socket's address and does not share it. A listener does not share its address by
 * SO_REUSEADDR. */
bool inet_port_is_taken(const struct socket *socket);

/** Gives a socket without a port the next free one. Returns 0 or -EADDRINUSE. */
int inet_port_choose(struct socket *socket);

/** Gives a socket that connects or sends to a checked address a port and, if `connects`, its own address. Returns 0,
 * -EADDRINUSE, or -ENETUNREACH if no way leads from the socket's address to the other. */
int inet_port_route(struct socket *socket, const struct inet_address *to, bool connects);

/** Takes back the address and the port, as far as bind(2) did not choose them. */
void inet_port_release(struct socket *socket);

/** Whether a socket with the port receives what comes from one address to another, if no other fits better. */
bool inet_port_receives(const struct socket *socket, const struct inet_address *to, const struct inet_address *from);

/** The socket of a type that receives what comes from one address to another, without a reference; NULL: none. Of
 * several that fit equally well, the one that was bound last. If they share the port by SO_REUSEPORT, the sender's port
 * modulo their number counts them, from 0, in the order in which they were bound. */
struct socket *inet_port_find(int type, const struct inet_address *to, const struct inet_address *from);

#endif
