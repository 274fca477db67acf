/* SPDX-License-Identifier: MIT */
/* Ports in use, found by hash: the sockets that have a port, and the closed connections that still keep it. */
#ifndef KERNEL_NET_INET_TABLE_H
#define KERNEL_NET_INET_TABLE_H

#include "kernel/net/socket.h"

/** A port of one type of sockets. It exists while something is in one of its lists. */
struct inet_port {
	struct inet_port *next; /**< in its bucket */
	int type;               /**< LINUX_SOCK_* */
	uint16_t number;
	struct list sockets;  /**< by socket->inet.place, in the order in which they got the port */
	struct list accepted; /**< by socket->inet.place: connections that have a listener's port */
	struct list closed;   /**< by inet_closed.of_port (inet_closed.h) */
};

/** Iterates over the sockets of a list of a port. */
#define inet_table_each(each, list) \
	for (struct socket *each = inet_table_at((list)->next, (list)); each; \
	     each = inet_table_at(each->inet.place.next, (list)))

/** The socket of a link; NULL: the link is the list itself. */
static inline struct socket *inet_table_at(struct list *link, const struct list *list)
{
	return link == list ? NULL : list_entry(link, struct socket, inet.place);
}

/** The port of a number; NULL: nothing has it. */
struct inet_port *inet_table_find(int type, uint16_t number);

/** Enters a socket under the port of its own address. A socket that was accepted enters its listener's port. Returns 0
 * or -ENOMEM, for which there is no reason if something has the port already. */
int inet_table_add(struct socket *socket, bool was_accepted);

/** Removes a socket from its port, if it has one. */
void inet_table_remove(struct socket *socket);

/** Frees a port in which nothing is left. */
void inet_table_drop(struct inet_port *port);

#endif
