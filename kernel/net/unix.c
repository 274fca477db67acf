/* SPDX-License-Identifier: MIT */
/* Sockets of the family AF_UNIX (unix(7)). A connection exists when connect returns: it only waits to be accepted. */
#include "kernel/net/unix.h"

#include "abi/errno.h"
#include "kernel/vfs/async.h"
#include "kernel/net/unix_message.h"
#include "kernel/net/unix_name.h"
#include "kernel/net/unix_rights.h"
#include "kernel/sched/sched.h"

#define DATAGRAMS 10 /* net.unix.max_dgram_qlen */

static const struct socket_family unix_family;

static struct socket *create_unix(int type)
{
	struct socket *socket = socket_create(&unix_family, LINUX_AF_UNIX, type);
	if (socket)
		socket->backlog = DATAGRAMS;
	return socket;
}

int unix_create(int type, int protocol, struct socket **out)
{
	if (protocol && protocol != LINUX_AF_UNIX)
		return -EPROTONOSUPPORT;
	if (type == LINUX_SOCK_RAW)
		type = LINUX_SOCK_DGRAM;
	if (type != LINUX_SOCK_STREAM && type != LINUX_SOCK_DGRAM && type != LINUX_SOCK_SEQPACKET)
		return -ESOCKTNOSUPPORT;
	*out = create_unix(type);
	return *out ? 0 : -ENOMEM;
}

static void pair(struct socket *a, struct socket *b)
{
	a->peer = socket_get(b);
	b->peer = socket_get(a);
	a->state = b->state = SOCKET_CONNECTED;
	a->peer_credentials = b->peer_credentials = socket_credentials();
}

static int unix_bind(struct socket *socket, const struct socket_address *from)
{
	struct socket_address name;
	int error = unix_name_check(from, &name);
	return error ? error : unix_name_bind(socket, &name);
}

static int unix_listen(struct socket *socket)
{
	if (!socket->name.bytes || socket->state == SOCKET_CONNECTED)
		return -EINVAL;
	socket->peer_credentials = socket_credentials();
	return 0;
}

static bool can_connect(const void *context)
{
	const struct socket *listener = context;
	return listener->dead || (listener->shut & SOCKET_SHUT_RECEIVE) || !socket_is_full(listener);
}

/* Finds the listener of a name, with a reference, and waits until its backlog has room. Returns 0 or a negative errno.
 */
static int find_listener(const struct socket *socket, const struct socket_address *name, bool wait,
                         struct socket **listener)
{
	uint64_t deadline = socket_deadline(socket->send_timeout_ns);
	for (;;) {
		int error = unix_name_find(name, socket->type, listener);
		if (error)
			return error;
		if ((*listener)->state != SOCKET_LISTENING || ((*listener)->shut & SOCKET_SHUT_RECEIVE))
			error = -ECONNREFUSED;
		else if (!socket_is_full(*listener))
			return 0;
		else
			error = wait ? readiness_wait(&(*listener)->arriving, deadline,
			                              "a place in a socket's backlog (connect)", can_connect, *listener)
			             : -EAGAIN;
		socket_put(*listener);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
}

static int check_unconnected(const struct socket *socket)
{
	if (socket->state == SOCKET_CONNECTED)
		return -EISCONN;
	return socket->state == SOCKET_UNCONNECTED ? 0 : -EINVAL;
}

static int connect_stream(struct socket *socket, const struct socket_address *name, bool wait)
{
	struct socket *listener;
	if (name->un.sun_family != LINUX_AF_UNIX)
		return -EINVAL;
	int error = find_listener(socket, name, wait, &listener);
	if (error)
		return error;
	error = check_unconnected(socket);
	struct socket *other = error ? NULL : create_unix(socket->type);
	if (!other) {
		socket_put(listener);
		return error ? error : -ENOMEM;
	}
	pair(socket, other);
	socket->peer_credentials = listener->peer_credentials;
	other->peer_credentials = socket_credentials();
	other->name = listener->name;
	other->flags = listener->flags & 1UL << LINUX_SO_PASSCRED;
	socket_add_connection(listener, other);
	socket_tell(socket, SOCKET_WRITABLE);
	socket_put(listener);
	return 0;
}

static void set_peer(struct socket *socket, struct socket *peer)
{
	socket_put(socket->peer);
	socket->peer = peer;
	socket->state = peer ? SOCKET_CONNECTED : SOCKET_UNCONNECTED;
}

static int connect_datagram(struct socket *socket, const struct socket_address *name)
{
	struct socket *peer;
	if (name->un.sun_family == LINUX_AF_UNSPEC) {
		set_peer(socket, NULL);
		return 0;
	}
	int error = unix_name_find(name, socket->type, &peer);
	if (!error && peer->peer && peer->peer != socket) {
		socket_put(peer);
		error = -EPERM;
	}
	if (!error)
		set_peer(socket, peer);
	return error;
}

static int unix_connect(struct socket *socket, const struct socket_address *from, bool wait)
{
	struct socket_address name;
	int error = unix_name_check(from, &name);
	if (error)
		return error;
	return socket_connects(socket) ? connect_stream(socket, &name, wait) : connect_datagram(socket, &name);
}

static void unix_name(const struct socket *socket, struct socket_address *name)
{
	const struct socket_address none = {.bytes = sizeof(none.family), .family = LINUX_AF_UNIX};
	*name = socket->name.bytes ? socket->name : none;
}

static int unix_peer_name(const struct socket *socket, bool closed_too, struct socket_address *name)
{
	const struct socket_address none = {.bytes = sizeof(none.family), .family = LINUX_AF_UNIX};
	if (socket->peer)
		unix_name(socket->peer, name);
	else if (closed_too)
		*name = none;
	return socket->peer || closed_too ? 0 : -ENOTCONN;
}

static int unix_shutdown(struct socket *socket, int shut)
{
	struct socket *peer = socket->peer;
	socket->shut |= shut;
	readiness_wake_all(&socket->arriving);
	socket_tell(socket, SOCKET_ANYTHING);
	if (peer && socket_connects(socket)) {
		peer->shut |= (shut & SOCKET_SHUT_RECEIVE ? SOCKET_SHUT_SEND : 0) |
		              (shut & SOCKET_SHUT_SEND ? SOCKET_SHUT_RECEIVE : 0);
		if (shut & SOCKET_SHUT_SEND)
			async_tell(peer->inode, shut == SOCKET_SHUT_BOTH ? ASYNC_HUP : ASYNC_IN);
		socket_tell(peer, SOCKET_ANYTHING);
	}
	return 0;
}

static void unix_close(struct socket *socket, bool was_accepted)
{
	struct socket *peer = socket->peer;
	bool lost = !was_accepted || !list_is_empty(&socket->messages);
	socket->peer = NULL;
	if (peer && socket_connects(socket)) {
		peer->shut = SOCKET_SHUT_BOTH;
		if (lost)
			peer->error = ECONNRESET;
		async_tell(peer->inode, ASYNC_HUP);
		socket_tell(peer, SOCKET_ANYTHING);
	}
}

static bool is_unix_writable(const struct socket *socket)
{
	return socket->state != SOCKET_LISTENING && socket->charged * 4 <= socket->send_bytes;
}

/* Whether poll reports room in the queue to which this socket sends. */
static bool finds_place(const struct socket *socket)
{
	const struct socket *peer = socket->peer;
	return socket->type == LINUX_SOCK_STREAM || !peer || peer->peer == socket || !socket_is_full(peer);
}

static unsigned int unix_poll(const struct socket *socket)
{
	unsigned int events = socket->error ? LINUX_POLLERR : 0;
	if (socket->shut == SOCKET_SHUT_BOTH)
		events |= LINUX_POLLHUP;
	if (socket->shut & SOCKET_SHUT_RECEIVE)
		events |= LINUX_POLLRDHUP | SOCKET_READABLE;
	if (!list_is_empty(&socket->messages) || !list_is_empty(&socket->connections))
		events |= SOCKET_READABLE;
	if (socket->urgent)
		events |= LINUX_POLLPRI;
	if (socket_connects(socket) && socket->state == SOCKET_UNCONNECTED)
		events |= LINUX_POLLHUP;
	if (is_unix_writable(socket) && finds_place(socket))
		events |= SOCKET_WRITABLE;
	return events;
}

static int check_unix_receive(struct socket *socket)
{
	if (!socket_connects(socket) || socket->state == SOCKET_CONNECTED)
		return 0;
	return socket->type == LINUX_SOCK_STREAM ? -EINVAL : -ENOTCONN;
}

static void describe_unix(const struct message *message, struct socket_receive *receive)
{
	receive->from = message->sender->name;
}

static void unix_taken(struct message *message, bool was_full)
{
	if (was_full)
		unix_message_tell_place(message->receiver);
}

static int unix_unsent(const struct socket *socket)
{
	return (int)socket->charged;
}

static int set_unix_option(struct socket *, int, int, const void *, int)
{
	return -EOPNOTSUPP;
}

static int get_unix_option(struct socket *, int, int, void *, int *)
{
	return -EOPNOTSUPP;
}

static const struct socket_family unix_family = {
	.message_ns = DELIVERY_UNIX_NS,
	.kib_ns = DELIVERY_UNIX_KIB_NS,
	.bind = unix_bind,
	.listen = unix_listen,
	.connect = unix_connect,
	.pair = pair,
	.name = unix_name,
	.peer_name = unix_peer_name,
	.shutdown = unix_shutdown,
	.close = unix_close,
	.closed = unix_rights_closed,
	.poll = unix_poll,
	.is_writable = is_unix_writable,
	.send = unix_message_send,
	.check_receive = check_unix_receive,
	.describe = describe_unix,
	.taken = unix_taken,
	.unsent = unix_unsent,
	.set_option = set_unix_option,
	.get_option = get_unix_option,
};
