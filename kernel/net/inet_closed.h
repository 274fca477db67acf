/* SPDX-License-Identifier: MIT */
/* Connections that were closed by this end first and keep their pair of addresses for a minute (RFC 9293, TIME-WAIT and
 * FIN-WAIT-2 without a socket). They end by comparison of moments: no timer, and no run lasts longer for them. */
#ifndef KERNEL_NET_INET_CLOSED_H
#define KERNEL_NET_INET_CLOSED_H

#include "kernel/net/inet_table.h"

struct inet_closed {
	struct list of_port, of_all;
	struct inet_closed *next; /**< in its bucket of pairs */
	struct inet_port *port;
	struct inet_address local, remote;
	int domain;
	int tcp;         /**< LINUX_TCP_TIME_WAIT, or LINUX_TCP_FIN_WAIT2 until the peer has closed, too */
	uint64_t end_ns; /**< when it ends */
	uint64_t flags;  /**< those of its socket: SO_REUSEADDR and SO_REUSEPORT */
};

/** Keeps the pair of addresses of a socket that has closed its connection, in this state. Nothing happens without
 * memory, or if very many are kept already. */
void inet_closed_keep(const struct socket *socket, int tcp);

/** The peer of a connection without a socket has closed it, too: the time begins anew. */
void inet_closed_finish(const struct inet_address *local, const struct inet_address *remote);

/** Forgets a pair of addresses, if it is kept. */
void inet_closed_forget(const struct inet_address *local, const struct inet_address *remote);

/** Forgets all those that have only them left of a port. Returns whether the port is free now. */
bool inet_closed_free_port(struct inet_port *port);

/** Iterates over all, the one that ends first is first. NULL: the first one; returns NULL after the last. Those whose
 * time has come are no longer there. */
const struct inet_closed *inet_closed_next(const struct inet_closed *closed);

/** Forgets those whose time has come. */
void inet_closed_expire(void);

#endif
