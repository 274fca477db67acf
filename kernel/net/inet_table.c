/* SPDX-License-Identifier: MIT */
/* The bucket of a port is its number's low bits, so that ports given out in ascending order spread evenly. */
#include "kernel/net/inet_table.h"

#include "abi/errno.h"
#include "kernel/mm/kmalloc.h"

#define BUCKETS 4096

static struct inet_port *buckets[BUCKETS];

struct inet_port *inet_table_find(int type, uint16_t number)
{
	struct inet_port *port = buckets[number % BUCKETS];
	while (port && (port->number != number || port->type != type))
		port = port->next;
	return port;
}

static struct inet_port *make_port(int type, uint16_t number)
{
	struct inet_port **bucket = &buckets[number % BUCKETS], *port = kzalloc(sizeof(*port));
	if (!port)
		return NULL;
	port->type = type;
	port->number = number;
	list_init(&port->sockets);
	list_init(&port->accepted);
	list_init(&port->closed);
	port->next = *bucket;
	*bucket = port;
	return port;
}

int inet_table_add(struct socket *socket, bool was_accepted)
{
	uint16_t number = socket->inet.local.port;
	struct inet_port *port = inet_table_find(socket->type, number);
	if (!port)
		port = make_port(socket->type, number);
	if (!port)
		return -ENOMEM;
	list_add_last(was_accepted ? &port->accepted : &port->sockets, &socket->inet.place);
	socket->inet.port = port;
	return 0;
}

void inet_table_remove(struct socket *socket)
{
	struct inet_port *port = socket->inet.port;
	if (!port)
		return;
	list_remove(&socket->inet.place);
	socket->inet.port = NULL;
	inet_table_drop(port);
}

void inet_table_drop(struct inet_port *port)
{
	struct inet_port **at = &buckets[port->number % BUCKETS];
	if (!list_is_empty(&port->sockets) || !list_is_empty(&port->accepted) || !list_is_empty(&port->closed))
		return;
	while (*at != port)
		at = &(*at)->next;
	*at = port->next;
	kfree(port);
}
