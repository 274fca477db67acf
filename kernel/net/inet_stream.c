/* SPDX-License-Identifier: MIT */
/* TCP inside the guest (tcp(7), RFC 9293). There are no segments: a connection is a pair of sockets, which exists when
 * connect has found room in a listener's queue. What one end does to the other passes through net_delay.h: it arrives
 * at once, or is under way for a while. */
#include "kernel/net/inet_stream.h"

#include "abi/errno.h"
#include "kernel/net/fault/net_delay.h"
#include "kernel/net/fault/net_fault.h"
#include "kernel/net/inet/inet_cork.h"
#include "kernel/net/inet/inet_defer.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/inet_control.h"
#include "kernel/net/inet_memory.h"
#include "kernel/net/inet_port.h"
#include "kernel/net/outside/outside.h"
#include "kernel/net/socket_error.h"
#include "kernel/sched/sched.h"
#include "kernel/vfs/async.h"

#define CONNECTED_SEND_BYTES 2626560 /* what Linux 6.1 makes of the send buffer of a connection on loopback */

static void begin_to_send(struct socket *socket)
{
	socket->state = SOCKET_CONNECTED;
	socket->inet.tcp = LINUX_TCP_ESTABLISHED;
	if (!socket->inet.has_send_bytes)
		socket->send_bytes = CONNECTED_SEND_BYTES;
}

void inet_stream_connect_pair(struct socket *socket, struct socket *other)
{
	begin_to_send(other);
	begin_to_send(socket);
	async_tell(socket->inode, ASYNC_OUT);
	socket_tell(socket, SOCKET_WRITABLE);
}

/* Makes the other end of a connection, and puts it into the listener's queue. Returns 0 or -ENOMEM. */
static int establish(struct socket *socket, struct socket *listener)
{
	struct socket *other = socket_create(listener->family, listener->domain, listener->type);
	if (!other)
		return -ENOMEM;
	other->protocol = listener->protocol;
	other->owner = listener->owner;
	other->flags = listener->flags;
	other->stamp = listener->stamp;
	other->priority = listener->priority;
	other->receive_least = listener->receive_least;
	other->send_bytes = listener->send_bytes;
	other->receive_bytes = listener->receive_bytes;
	other->receive_timeout_ns = listener->receive_timeout_ns;
	other->send_timeout_ns = listener->send_timeout_ns;
	other->linger[0] = listener->linger[0];
	other->linger[1] = listener->linger[1];
	other->inet = listener->inet;
	list_init(&other->inet.pending);
	list_init(&other->inet.deferred);
	other->inet.traffic = socket->inet.traffic = (struct inet_traffic){0};
	socket->inet.is_opener = true;
	other->inet.local = socket->inet.remote;
	other->inet.remote = socket->inet.local;
	other->inet.place = (struct list){NULL, NULL};
	other->inet.connection = socket->inet.connection;
	other->inet.arrival_ns = other->inet.arriving = 0;
	other->inet.has_held_timer = false;
	if (inet_table_add(other, true)) { /* never: the listener has the port */
		socket_put(other);
		return -ENOMEM;
	}
	inet_closed_forget(&other->inet.local, &other->inet.remote); /* RFC 9293, 3.6.1 */
	other->peer = socket_get(socket);
	socket->peer = socket_get(other);
	begin_to_send(other);
	if (!inet_defer_hold(listener, other))
		socket_add_connection(listener, other);
	inet_stream_connect_pair(socket, other);
	return 0;
}

void inet_stream_stop_waiting(struct socket *socket)
{
	struct socket *listener = socket->inet.listener;
	if (!listener)
		return;
	list_remove(&socket->waiting);
	socket->inet.listener = NULL;
	socket_put(listener);
	socket_put(socket);
}

/* Connects a socket to its own address: both ends open at once (RFC 9293, 3.5), and are one socket. */
static void establish_alone(struct socket *socket)
{
	socket->peer = socket_get(socket);
	socket->inet.tcp = LINUX_TCP_ESTABLISHED;
	if (!socket->inet.has_send_bytes)
		socket->send_bytes = CONNECTED_SEND_BYTES;
	socket_tell(socket, SOCKET_WRITABLE);
}

void inet_stream_refuse(struct socket *socket, int error)
{
	socket->error = error;
	inet_stream_end(socket);
	socket_tell(socket, SOCKET_ANYTHING);
}

/* Refuses what waits for a listener's room, and resets what was not accepted. */
static void stop_listening(struct socket *socket)
{
	struct socket *connection;
	if (socket->inet.tcp == LINUX_TCP_LISTEN)
		outside_stream_unlisten(socket);
	while (!list_is_empty(&socket->inet.pending)) {
		struct socket *pending = list_entry(socket->inet.pending.next, struct socket, waiting);
		socket_get(pending);
		inet_stream_stop_waiting(pending);
		inet_stream_refuse(pending, ECONNREFUSED);
		socket_put(pending);
	}
	while ((connection = socket_take_connection(socket)))
		socket_close(connection, false);
	while ((connection = inet_defer_take(socket))) { /* as on Linux, its client learns that when it sends */
		inet_stream_end(connection);
		socket_close(connection, false);
	}
}

static void drop_messages(struct socket *socket)
{
	while (!list_is_empty(&socket->messages))
		socket_message_free(list_entry(socket->messages.next, struct message, queue));
}

/* Makes a socket as it was before it connected or listened (connect(2) with AF_UNSPEC). */
static void disconnect_stream(struct socket *socket)
{
	struct socket *peer = socket->peer;
	if (socket->inet.tcp == LINUX_TCP_LISTEN) {
		stop_listening(socket);
	} else if (socket->inet.tcp != LINUX_TCP_CLOSE) {
		if (peer)
			inet_stream_send_reset(socket, peer);
		socket->error = ECONNRESET;
	}
	inet_stream_stop_waiting(socket);
	drop_messages(socket);
	inet_cork_drop(socket);
	socket->peer = NULL;
	socket_put(peer);
	socket->inet.tcp = LINUX_TCP_CLOSE;
	socket->inet.connection = socket->inet.arrival_ns = 0;
	socket->state = SOCKET_UNCONNECTED;
	socket->shut = 0;
	socket->ended = socket->inet.has_finished = socket->inet.is_connecting = false;
	inet_port_release(socket);
	socket_tell(socket, SOCKET_ANYTHING);
}

static bool is_decided(const void *context)
{
	const struct socket *socket = context;
	return socket->inet.tcp != LINUX_TCP_SYN_SENT;
}

/* Waits for the result of a connection that was begun, and returns it once. */
static int await_connection(struct socket *socket, bool wait)
{
	uint64_t deadline = socket_deadline(socket->send_timeout_ns);
	while (!is_decided(socket)) {
		if (!wait)
			return -EINPROGRESS;
		int error = readiness_wait(&socket->sending, deadline, "room in a listener's queue (connect)",
		                           is_decided, socket);
		if (error)
			return error == -ETIMEDOUT ? -EINPROGRESS : error;
	}
	socket->inet.is_connecting = false;
	if (socket->inet.tcp != LINUX_TCP_CLOSE)
		return 0;
	int error = socket_take_error(socket);
	disconnect_stream(socket);
	return error ? error : -ECONNABORTED;
}

/* Whether a socket's own address and another one are the pair of no other connection. */
static bool is_new_pair(const struct socket *socket, const struct inet_address *to)
{
	inet_table_each(other, &socket->inet.port->sockets) if (other != socket && other->state == SOCKET_CONNECTED &&
	                                                        other->inet.tcp != LINUX_TCP_CLOSE &&
	                                                        other->inet.remote.port == to->port &&
	                                                        inet_address_is_same(&other->inet.remote, to) &&
	                                                        inet_address_is_same(&other->inet.local,
	                                                                             &socket->inet.local)) return false;
	return true;
}

/* Begins a connection. */
static int begin_connection(struct socket *socket, const struct inet_address *to)
{
	int error = inet_port_route(socket, to, true);
	if (error)
		return error == -EADDRINUSE ? -EADDRNOTAVAIL : error;
	if (!is_new_pair(socket, to))
		return -EADDRNOTAVAIL;
	inet_closed_forget(&socket->inet.local, to); /* as on Linux, if the program has bound the port */
	socket->inet.remote = *to;
	socket->inet.is_connecting = true;
	socket->state = SOCKET_CONNECTED;
	if (net_fault_happens(BOOT_FAULT_REFUSE)) {
		inet_stream_refuse(socket, ECONNREFUSED);
		return 0;
	}
	return inet_stream_attempt(socket);
}

/* Connects a socket to what listens in the guest, or refuses it. Returns 0 or -ENOMEM. */
static int reach_listener(struct socket *socket)
{
	int error = 0;
	const struct inet_address *to = &socket->inet.remote;
	struct socket *listener = inet_port_find(LINUX_SOCK_STREAM, to, &socket->inet.local);
	bool is_own = to->port == socket->inet.local.port && inet_address_is_same(to, &socket->inet.local);
	if (!listener && is_own) {
		establish_alone(socket);
	} else if (!listener) {
		if (outside_is_open()) /* the program may mean the host's loopback */
			inet_note_unreached(socket, to);
		inet_stream_refuse(socket, ECONNREFUSED);
	} else if (!socket_is_full(listener)) {
		error = establish(socket, listener);
	} else {
		socket->inet.tcp = LINUX_TCP_SYN_SENT;
		socket->inet.listener = socket_get(listener);
		list_add_last(&listener->inet.pending, &socket_get(socket)->waiting);
	}
	return error;
}

/* Takes a socket to the listener, or to the way outside. */
static int reach_other_end(struct socket *socket)
{
	bool is_inside = socket->inet.flow || inet_address_is_local(&socket->inet.remote);
	int error = is_inside ? reach_listener(socket) : outside_stream_connect(socket);
	if (error)
		disconnect_stream(socket);
	return error;
}

/* An attempt arrives, unless the program has given it up. */
static void arrive_attempt(const struct net_delay_item *item)
{
	struct socket *socket = item->from;
	if (socket->dead || socket->inet.connection != item->connection)
		return;
	socket->inet.tcp = socket->inet.flow ? LINUX_TCP_SYN_SENT : LINUX_TCP_CLOSE;
	if (reach_other_end(socket))
		socket->error = ENOMEM;
}

static void pass_attempt(struct socket *socket)
{
	bool is_outside = socket->inet.flow || !inet_address_is_local(&socket->inet.remote);
	const struct net_delay_item item = {.arrive = arrive_attempt,
	                                    .from = socket,
	                                    .connection = socket->inet.connection,
	                                    .is_round_trip = !is_outside};
	socket->inet.tcp = LINUX_TCP_SYN_SENT;
	net_delay_pass(&item);
}

int inet_stream_attempt(struct socket *socket)
{
	static uint64_t connections;
	socket->inet.connection = ++connections;
	if (!net_delay_is_on())
		return reach_other_end(socket);
	pass_attempt(socket);
	return 0;
}

static int stream_connect(struct socket *socket, const struct socket_address *name, bool wait)
{
	struct inet_address to;
	if (name->bytes < sizeof(name->family))
		return -EINVAL;
	if (name->family == LINUX_AF_UNSPEC) {
		disconnect_stream(socket);
		return 0;
	}
	if (socket->inet.is_connecting && !wait && !is_decided(socket))
		return -EALREADY;
	if (socket->inet.is_connecting)
		return await_connection(socket, wait);
	if (socket->state != SOCKET_UNCONNECTED)
		return -EISCONN;
	int error = inet_destination(socket, name, &to);
	if (!error)
		error = begin_connection(socket, &to);
	if (error)
		return error == -EACCES ? -ENETUNREACH : error;
	return wait ? await_connection(socket, true) : -EINPROGRESS;
}

/* Connects those that waited for room, the longest wait first. With delays all of them try again, as TCP does. */
static void accepted(struct socket *listener)
{
	while (!list_is_empty(&listener->inet.pending) && !socket_is_full(listener)) {
		struct socket *socket = socket_get(list_entry(listener->inet.pending.next, struct socket, waiting));
		int error = net_delay_is_on() ? 0 : establish(socket, listener);
		if (!error)
			inet_stream_stop_waiting(socket);
		if (net_delay_is_on())
			pass_attempt(socket);
		socket_put(socket);
		if (error)
			return;
	}
}

static int stream_listen(struct socket *socket)
{
	if (socket->state == SOCKET_CONNECTED)
		return -EINVAL;
	int error = inet_port_choose(socket);
	if (!error && socket->state != SOCKET_LISTENING && inet_port_is_taken(socket))
		error = -EADDRINUSE;
	if (!error && socket->state != SOCKET_LISTENING)
		outside_stream_listen(socket);
	if (!error)
		socket->inet.tcp = LINUX_TCP_LISTEN;
	return error;
}

static int stream_peer_name(const struct socket *socket, bool closed_too, struct socket_address *name)
{
	int tcp = socket->inet.tcp;
	bool has = socket->state == SOCKET_CONNECTED && tcp != LINUX_TCP_CLOSE && tcp != LINUX_TCP_SYN_SENT;
	if (!has && !closed_too)
		return -ENOTCONN;
	inet_address_write(&socket->inet.remote, socket->domain, name);
	return 0;
}

static int stream_shutdown(struct socket *socket, int shut)
{
	int error = 0;
	switch (socket->inet.tcp) {
	case LINUX_TCP_LISTEN:
		if (shut & SOCKET_SHUT_RECEIVE)
			disconnect_stream(socket);
		return 0;
	case LINUX_TCP_SYN_SENT:
		disconnect_stream(socket);
		return 0;
	case LINUX_TCP_CLOSE:
		error = -ENOTCONN;
		break;
	default:
		break;
	}
	socket->shut |= shut;
	if (shut & SOCKET_SHUT_SEND)
		inet_stream_finish(socket);
	socket_tell(socket, SOCKET_ANYTHING);
	return error;
}

static void stream_close(struct socket *socket, bool was_accepted)
{
	bool lost = !was_accepted || !list_is_empty(&socket->messages) || (socket->linger[0] && !socket->linger[1]);
	stop_listening(socket);
	inet_stream_stop_waiting(socket);
	/* the peer may have another connection by now */
	bool is_open = socket->inet.tcp != LINUX_TCP_CLOSE && socket->peer;
	if (is_open && lost) {
		inet_stream_send_reset(socket, socket->peer);
		inet_stream_end(socket);
	} else if (is_open) {
		inet_stream_finish(socket);
	}
	inet_cork_drop(socket);
	if (socket->inet.tcp == LINUX_TCP_FIN_WAIT2)
		inet_closed_keep(socket, LINUX_TCP_FIN_WAIT2);
	inet_table_remove(socket);
}

/* As on Linux, writable when at most two thirds of the buffer are used, and what has no room at the receiver is less
 * than TCP_NOTSENT_LOWAT. */
static bool is_stream_writable(const struct socket *socket)
{
	int32_t unsent_most = inet_option_value(socket, INET_NOTSENT_LOWAT);
	if (unsent_most > 0 && socket->charged && inet_unsent(socket) >= unsent_most)
		return false;
	return socket->state != SOCKET_LISTENING && socket->charged * 3 <= inet_memory_buffer(socket) * 2;
}

static unsigned int stream_poll(const struct socket *socket)
{
	unsigned int events = socket->error || !list_is_empty(&socket->errors) ? LINUX_POLLERR : 0;
	if (socket->inet.tcp == LINUX_TCP_LISTEN)
		return list_is_empty(&socket->connections) ? 0 : SOCKET_READABLE;
	if (socket->shut == SOCKET_SHUT_BOTH || socket->inet.tcp == LINUX_TCP_CLOSE)
		events |= LINUX_POLLHUP;
	if (socket->shut & SOCKET_SHUT_RECEIVE)
		events |= LINUX_POLLRDHUP | SOCKET_READABLE;
	if (socket->inet.tcp == LINUX_TCP_SYN_SENT)
		return events;
	if (socket_message_has(socket) &&
	    (socket->receive_least == 1 || socket_message_unread(socket) >= socket->receive_least))
		events |= SOCKET_READABLE;
	if (socket->urgent)
		events |= LINUX_POLLPRI;
	if ((socket->shut & SOCKET_SHUT_SEND) || is_stream_writable(socket))
		events |= LINUX_POLLOUT | LINUX_POLLWRNORM;
	return events;
}

static int check_stream_receive(struct socket *socket)
{
	bool is_open = socket->inet.tcp != LINUX_TCP_CLOSE || socket->error || (socket->shut & SOCKET_SHUT_RECEIVE);
	return socket->inet.tcp == LINUX_TCP_LISTEN || !is_open ? -ENOTCONN : 0;
}

static void describe_stream(const struct message *, struct socket_receive *receive)
{
	receive->from.bytes = 0; /* a stream has no addresses */
}

static void stream_taken(struct message *, bool)
{
}

static int set_stream_option(struct socket *socket, int level, int option, const void *value, int bytes)
{
	int error = inet_option_set(socket, level, option, value, bytes);
	if (!error)
		inet_cork_option(socket, level, option);
	return error;
}

/* Waits until a connection that was begun exists. */
static int wait_for_connection(struct socket *socket, struct socket_send *send)
{
	if (send->flags & LINUX_MSG_FASTOPEN && socket->state == SOCKET_UNCONNECTED) {
		int error = send->to.bytes ? stream_connect(socket, &send->to, true) : -EINVAL;
		if (error)
			return error;
	}
	if (send->flags & LINUX_MSG_FASTOPEN && is_decided(socket) && !send->to.bytes)
		return -EISCONN;
	while (!is_decided(socket)) {
		if (!send->wait)
			return -EAGAIN;
		int error = readiness_wait(&socket->sending, socket_deadline(socket->send_timeout_ns),
		                           "a connection (send)", is_decided, socket);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
	int error = socket_take_error(socket);
	bool is_open = socket->inet.tcp != LINUX_TCP_CLOSE && socket->inet.tcp != LINUX_TCP_LISTEN;
	return error ? error : is_open && !(socket->shut & SOCKET_SHUT_SEND) ? 0 : -EPIPE;
}

/* Sends a part of the data, of which the last byte may be urgent. */
static int send_piece(struct socket *socket, const struct socket_send *send, size_t offset, size_t bytes,
                      bool is_urgent)
{
	struct message *message;
	int error = socket_message_make(send, offset, bytes, &message);
	if (!error && !(send->flags & LINUX_MSG_OOB))
		error = inet_cork_add(socket, send->flags, &message);
	if (error || !message)
		return error;
	inet_stream_send_message(socket, message, is_urgent);
	if (socket->inet.tcp != LINUX_TCP_CLOSE && net_fault_concerns(socket->inet.connection) &&
	    net_fault_happens(BOOT_FAULT_RESET)) {
		if (socket->peer)
			inet_stream_send_reset(socket, socket->peer);
		inet_stream_reset(socket);
	}
	return 0;
}

/* Returns the number of bytes, or a negative errno; -EPIPE without a signal. */
static long stream_send(struct socket *socket, struct socket_send *send)
{
	size_t bytes = socket_message_total(send->iov, send->count), sent = 0;
	uint64_t deadline = socket_deadline(socket->send_timeout_ns);
	bool is_urgent = send->flags & LINUX_MSG_OOB;
	int error = wait_for_connection(socket, send);
	while (sent < bytes && !error) {
		if (is_urgent || socket->charged >= inet_memory_buffer(socket))
			inet_cork_release(socket);
		error = socket_message_wait_for_memory(socket, send->wait, deadline);
		if (error)
			break;
		size_t piece = bytes - sent, room = inet_memory_buffer(socket) - socket->charged;
		piece = piece < room ? piece : room;
		piece = piece < INET_STREAM_PIECE ? piece : INET_STREAM_PIECE;
		size_t most = send->wait ? piece : net_fault_shorten(socket->inet.connection, piece);
		bool is_short = most < piece;
		piece = most;
		if (is_urgent && sent + piece == bytes && piece > 1) /* the last byte alone */
			piece--;
		if (!is_urgent)
			piece = inet_cork_piece(socket, send->flags, piece);
		error = send_piece(socket, send, sent, piece, is_urgent && sent + piece == bytes);
		if (!error)
			sent += piece;
		if (is_short)
			break;
	}
	if (sent && send->flags & LINUX_MSG_ZEROCOPY && socket->flags >> LINUX_SO_ZEROCOPY & 1)
		socket_error_copied(socket);
	return sent ? (long)sent : error;
}

const struct socket_family inet_stream_family = {
	.message_ns = DELIVERY_TCP_NS,
	.kib_ns = DELIVERY_TCP_KIB_NS,
	.bind = inet_port_bind,
	.listen = stream_listen,
	.connect = stream_connect,
	.accepted = accepted,
	.name = inet_name,
	.peer_name = stream_peer_name,
	.shutdown = stream_shutdown,
	.close = stream_close,
	.poll = stream_poll,
	.is_writable = is_stream_writable,
	.send = stream_send,
	.check_receive = check_stream_receive,
	.describe = describe_stream,
	.put_control = inet_control_put_stream,
	.taken = stream_taken,
	.unsent = inet_unsent,
	.set_option = set_stream_option,
	.get_option = inet_option_get,
};
