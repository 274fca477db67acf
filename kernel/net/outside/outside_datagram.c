/* SPDX-License-Identifier: MIT */
/* Datagrams to and from the outside. The monitor has a socket for each port that sends outside or is published. */
#include "abi/errno.h"
#include "abi/network.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet_datagram.h"
#include "kernel/net/inet_port.h"
#include "kernel/net/inet_table.h"
#include "kernel/net/outside/outside.h"
#include "kernel/net/outside/outside_ring.h"

void outside_datagram_begin(struct socket *socket)
{
	if (socket->inet.is_outside)
		return;
	socket->inet.is_outside = true;
	outside_begin_waiting();
}

void outside_datagram_open(struct socket *socket)
{
	if (outside_ring_is_published(LINUX_IPPROTO_UDP, socket->inet.local.port))
		outside_datagram_begin(socket);
}

void outside_datagram_send(struct message *message)
{
	struct network_record record = {.op = NETWORK_DATAGRAM, .bytes = (uint32_t)message->bytes};
	record.local = outside_address_to(&message->from);
	record.remote = outside_address_to(&message->to);
	outside_request(&record, message->data);
	socket_message_free(message);
}

/* Whether another socket of the port waits for the outside. */
static bool is_awaited_by_other(const struct socket *socket)
{
	const struct inet_port *port = inet_table_find(LINUX_SOCK_DGRAM, socket->inet.local.port);
	if (!port)
		return false;
	inet_table_each(other, &port->sockets) if (other != socket && other->inet.is_outside) return true;
	return false;
}

void outside_datagram_close(struct socket *socket)
{
	struct network_record record = {.op = NETWORK_FORGET};
	if (!socket->inet.is_outside)
		return;
	net_delay_hurry(socket);
	record.local = outside_address_to(&socket->inet.local);
	socket->inet.is_outside = false;
	if (!is_awaited_by_other(socket))
		outside_request(&record, NULL);
	outside_end_waiting();
}

void outside_datagram_event(const struct network_record *event, struct message *message)
{
	const struct inet_address to = outside_address_from(&event->local), from = outside_address_from(&event->remote);
	if (!message && !event->bytes)
		message = kzalloc(sizeof(*message));
	if (!message) /* without memory it is lost, as datagrams are */
		return;
	message->from = from;
	message->to = to;
	if (event->op == NETWORK_DATAGRAM_CAME) {
		inet_datagram_come(message);
		return;
	}
	struct socket *socket = inet_port_find(LINUX_SOCK_DGRAM, &to, &from);
	message->from = to; /* it is about a datagram of the guest, whose data are not known */
	message->to = from;
	if (socket)
		inet_datagram_refuse(socket, message);
	kfree(message);
}
