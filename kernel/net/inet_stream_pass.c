/* SPDX-License-Identifier: MIT */
/* What one end of a connection does to the other: it sends messages, its end and resets, and they arrive (RFC 9293). */
#include "kernel/net/inet_stream.h"

#include "abi/errno.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/inet/inet_cork.h"
#include "kernel/net/inet/inet_defer.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/inet_memory.h"
#include "kernel/net/net_interface.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/async.h"

void inet_stream_end(struct socket *socket)
{
	socket->inet.tcp = LINUX_TCP_CLOSE;
	socket->shut = SOCKET_SHUT_BOTH;
}

void inet_stream_reset(struct socket *socket)
{
	if (socket->dead)
		inet_closed_forget(&socket->inet.local, &socket->inet.remote);
	if (socket->dead || socket->inet.tcp == LINUX_TCP_CLOSE)
		return;
	socket->error = socket->inet.tcp == LINUX_TCP_CLOSE_WAIT ? EPIPE : ECONNRESET;
	inet_stream_end(socket);
	inet_cork_drop(socket);
	async_tell(socket->inode, ASYNC_HUP);
	socket_tell(socket, SOCKET_ANYTHING);
}

/* Sends something from one end of a connection to the other. The end outside learns at once that the program gives up
 * before they are connected. */
static void pass_to_end(void (*arrive)(const struct net_delay_item *item), struct socket *from, struct socket *to,
                        struct message *message, int value)
{
	const struct net_delay_item item = {.arrive = arrive,
	                                    .from = from,
	                                    .to = to,
	                                    .message = message,
	                                    .connection = from->inet.connection,
	                                    .value = value,
	                                    .is_leaving = to->inet.flow};
	if (to->inet.flow && to->inet.tcp == LINUX_TCP_SYN_SENT)
		arrive(&item);
	else
		net_delay_pass(&item);
}

static void arrive_reset(const struct net_delay_item *item)
{
	struct socket *to = item->to;
	if (to->inet.connection != item->connection)
		return;
	inet_stream_reset(to);
	if (inet_defer_drop(to))
		socket_close(to, false);
}

void inet_stream_send_reset(struct socket *from, struct socket *to)
{
	if (from == to)
		inet_stream_reset(to);
	else
		pass_to_end(arrive_reset, from, to, NULL, 0);
}

/* A connection to itself ends in both directions at once (RFC 9293, simultaneous close). */
static void finish_alone(struct socket *socket)
{
	if (socket->inet.tcp == LINUX_TCP_CLOSE)
		return;
	inet_stream_end(socket);
	socket->ended = true;
	inet_closed_keep(socket, LINUX_TCP_TIME_WAIT);
	if (!socket->dead)
		socket_tell(socket, SOCKET_ANYTHING);
}

/* An end (FIN) arrives. If both have arrived now, the connection is closed. */
static void arrive_end(const struct net_delay_item *item)
{
	struct socket *from = item->from, *to = item->to;
	bool is_same = from->inet.connection == item->connection, is_closed = false;
	if (to->inet.connection != item->connection || to->inet.tcp == LINUX_TCP_CLOSE)
		return;
	if (from == to) {
		finish_alone(to);
		return;
	}
	to->ended = true;
	to->shut |= SOCKET_SHUT_RECEIVE;
	inet_defer_release(to);
	if (to->inet.has_finished) {
		is_closed = is_same && from->ended;
		if (is_closed)
			inet_stream_end(from);
		inet_stream_end(to);
		if (to->dead)
			inet_closed_finish(&to->inet.local, &to->inet.remote);
		else
			inet_closed_keep(to, LINUX_TCP_TIME_WAIT);
	} else {
		to->inet.tcp = LINUX_TCP_CLOSE_WAIT;
	}
	if (!to->dead) {
		async_tell(to->inode, to->shut == SOCKET_SHUT_BOTH ? ASYNC_HUP : ASYNC_IN);
		socket_tell(to, SOCKET_ANYTHING);
	}
	if (is_closed && !from->dead && net_delay_is_on()) /* otherwise it is the one that acts */
		socket_tell(from, SOCKET_ANYTHING);
}

void inet_stream_finish(struct socket *socket)
{
	inet_cork_release(socket);
	bool is_last = socket->inet.tcp == LINUX_TCP_CLOSE_WAIT;
	if (socket->peer == socket && socket->dead) { /* nobody reads what is under way to it */
		finish_alone(socket);
	} else if (socket->peer == socket) {
		pass_to_end(arrive_end, socket, socket, NULL, 0);
	} else if (!socket->inet.has_finished && socket->inet.tcp != LINUX_TCP_CLOSE) {
		socket->inet.has_finished = true;
		socket->inet.tcp = is_last ? LINUX_TCP_LAST_ACK : LINUX_TCP_FIN_WAIT2;
		pass_to_end(arrive_end, socket, socket->peer, NULL, 0);
	}
}

/* A message arrives. A closed socket answers it by a reset. */
static void arrive_message(const struct net_delay_item *item)
{
	struct socket *from = item->from, *to = item->to;
	struct message *message = item->message;
	if (!to->dead && to->inet.connection == item->connection && to->inet.tcp != LINUX_TCP_CLOSE) {
		to->inet.traffic.received_bytes += message->bytes;
		to->inet.traffic.received_pieces++;
		to->inet.traffic.received_ns = vclock_now();
		socket_message_deliver(to, message, item->value);
		inet_defer_release(to);
		return;
	}
	inet_memory_discharge(from, message->charge);
	message->charge = 0;
	socket_message_free(message);
	if (to->dead && to != from) {
		inet_closed_forget(&to->inet.local, &to->inet.remote);
		inet_stream_send_reset(to, from);
	}
}

/* An end outside has its data from there. */
static void count_sent(const struct socket *from, uint64_t bytes)
{
	bool is_v6 = from->domain == LINUX_AF_INET6 && !inet_address_is_v4(&from->inet.remote);
	if (from->inet.flow)
		net_interface_count_received(is_v6, true, bytes);
	else
		net_interface_count_sent(from->peer->inet.flow, is_v6, true, bytes);
}

void inet_stream_send_message(struct socket *from, struct message *message, bool is_urgent)
{
	message->sender = socket_get(from);
	message->joins = !is_urgent;
	inet_memory_charge(from, message->bytes - message->charge);
	message->charge = message->bytes;
	from->inet.traffic.sent_bytes += message->bytes;
	from->inet.traffic.sent_pieces++;
	from->inet.traffic.sent_ns = vclock_now();
	count_sent(from, message->bytes);
	pass_to_end(arrive_message, from, from->peer, message, is_urgent);
}
