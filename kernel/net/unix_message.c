/* SPDX-License-Identifier: MIT */
/* Sending by Unix sockets. Each message is charged with what Linux 6 allocates for it, because the charge decides when
 * a sender waits. */
#include "kernel/net/unix_message.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/unix_name.h"
#include "kernel/net/unix_rights.h"
#include "kernel/sched/sched.h"

/* Sizes of Linux's buffers: a header, and after its data the description of the pages with the rest. */
#define HEADER_BYTES 256
#define PAGES_BYTES 320
#define LINE_BYTES 64
#define DATA_SMALLEST 512
#define HEAD_OF_STREAM (PAGE_SIZE - PAGES_BYTES)
#define HEAD_OF_PACKET (4 * PAGE_SIZE - PAGES_BYTES)
#define PAGES_MAX 17
#define STREAM_PIECE (HEAD_OF_STREAM + 0x8000)
#define OVERFLOW_ID 65534 /* shown when credentials were not requested */

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

static uint64_t charge_of(const struct socket *socket, uint64_t bytes)
{
	bool stream = socket->type == LINUX_SOCK_STREAM;
	uint64_t head_max = stream ? HEAD_OF_STREAM : HEAD_OF_PACKET, paged = 0;
	if (bytes > head_max) {
		paged = bytes - head_max;
		if (!stream && paged > PAGES_MAX * PAGE_SIZE)
			paged = PAGES_MAX * PAGE_SIZE;
		paged = whole_pages(paged);
	}
	uint64_t head = bytes > paged ? bytes - paged : 0, data = DATA_SMALLEST;
	head = ((head + LINE_BYTES - 1) & ~(LINE_BYTES - 1UL)) + PAGES_BYTES;
	while (data < head)
		data *= 2;
	return data + HEADER_BYTES + paged;
}

/* Wakes the senders of a datagram socket, whose queue has room again. */
void unix_message_tell_place(struct socket *receiver)
{
	if (receiver->type == LINUX_SOCK_STREAM)
		return;
	readiness_wake_all(&receiver->arriving);
	for (struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (socket->peer == receiver && receiver->peer != socket && socket_is_writable(socket))
			socket_tell(socket, SOCKET_WRITABLE);
}

/* Sends a message to its receiver; the first part also carries files and the like. */
static void deliver(struct socket *socket, struct socket *receiver, struct message *message, struct socket_send *send,
                    bool is_urgent)
{
	bool asked = (socket->flags | receiver->flags) >> LINUX_SO_PASSCRED & 1;
	message->credentials = send->has_credentials ? send->credentials
	                       : asked               ? socket_credentials()
	                                             : (struct linux_ucred){0, OVERFLOW_ID, OVERFLOW_ID};
	message->files = send->files;
	message->file_count = send->files ? send->file_count : 0;
	send->files = NULL;
	unix_rights_sent(message->files, message->file_count);
	message->sender = socket_get(socket);
	message->charge = charge_of(socket, message->bytes);
	socket->charged += message->charge;
	socket_message_deliver(receiver, message, is_urgent);
}

static long send_stream(struct socket *socket, struct socket_send *send)
{
	size_t bytes = socket_message_total(send->iov, send->count), sent = 0;
	uint64_t deadline = socket_deadline(socket->send_timeout_ns);
	bool is_urgent = send->flags & LINUX_MSG_OOB;
	int error = 0;
	if (is_urgent && !bytes)
		return -EOPNOTSUPP;
	if (send->to.bytes)
		return socket->state == SOCKET_CONNECTED ? -EISCONN : -EOPNOTSUPP;
	if (!socket->peer)
		return -ENOTCONN;
	if (socket->shut & SOCKET_SHUT_SEND)
		return -EPIPE;
	while (sent < bytes && !error) {
		struct message *message;
		size_t most = socket->send_bytes / 2 - 64, piece = bytes - sent;
		most = most < STREAM_PIECE ? most : STREAM_PIECE;
		piece = piece < most ? piece : most;
		if (is_urgent && sent + piece == bytes && piece > 1) /* the last byte alone */
			piece--;
		error = socket_message_make(send, sent, piece, &message);
		if (error)
			break;
		error = socket_message_wait_for_memory(socket, send->wait, deadline);
		if (!error && (socket->peer->dead || (socket->peer->shut & SOCKET_SHUT_RECEIVE)))
			error = -EPIPE;
		if (error) {
			kfree(message);
			break;
		}
		sent += piece;
		deliver(socket, socket->peer, message, send, is_urgent && sent == bytes);
	}
	return sent ? (long)sent : error;
}

/* Finds the receiver of a datagram, with a reference. */
static int find_datagram_receiver(struct socket *socket, const struct socket_send *send, struct socket **receiver)
{
	if (send->to.bytes && !socket_connects(socket))
		return unix_name_find(&send->to, socket->type, receiver);
	if (!socket->peer)
		return -ENOTCONN;
	*receiver = socket_get(socket->peer);
	return 0;
}

/* A wait for room in another socket's queue. */
struct sender {
	const struct socket *socket, *receiver;
};

static bool has_place(const void *context)
{
	const struct sender *sender = context;
	const struct socket *receiver = sender->receiver;
	return receiver->dead || (receiver->shut & SOCKET_SHUT_RECEIVE) || (sender->socket->shut & SOCKET_SHUT_SEND) ||
	       receiver->peer == sender->socket || receiver == sender->socket || !socket_is_full(receiver);
}

static int wait_for_place(struct socket *socket, struct socket *receiver, bool wait, uint64_t deadline)
{
	const struct sender sender = {socket, receiver};
	while (!has_place(&sender)) {
		if (!wait)
			return -EAGAIN;
		int error = readiness_wait(&receiver->arriving, deadline, "a place in a socket's queue (send)",
		                           has_place, &sender);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
	return 0;
}

/* Called when a datagram socket finds its peer closed. As on Linux, it loses all messages received from any sender. */
static void lose_peer(struct socket *socket)
{
	socket_put(socket->peer);
	socket->peer = NULL;
	socket->state = SOCKET_UNCONNECTED;
	while (!list_is_empty(&socket->messages))
		socket_message_free(list_entry(socket->messages.next, struct message, queue));
	socket_tell(socket, SOCKET_WRITABLE);
}

/* Waits until the receiver has room for a complete message. Returns 0 or a negative errno. */
static int wait_for_receiver(struct socket *socket, struct socket *receiver, const struct socket_send *send,
                             uint64_t deadline)
{
	if (receiver->peer && receiver->peer != socket && socket->type == LINUX_SOCK_DGRAM)
		return -EPERM;
	int error = wait_for_place(socket, receiver, send->wait, deadline);
	if (error)
		return error;
	if (receiver->dead && !socket_connects(socket)) {
		if (socket->peer == receiver)
			lose_peer(socket);
		return -ECONNREFUSED;
	}
	return receiver->dead || (receiver->shut & SOCKET_SHUT_RECEIVE) ? -EPIPE : 0;
}

static long send_packet(struct socket *socket, struct socket_send *send)
{
	size_t bytes = socket_message_total(send->iov, send->count);
	uint64_t deadline = socket_deadline(socket->send_timeout_ns);
	struct message *message;
	struct socket *receiver;
	if (socket_connects(socket)) {
		int error = socket_take_error(socket);
		if (error || socket->state != SOCKET_CONNECTED)
			return error ? error : -ENOTCONN;
	}
	if (!send->to.bytes && !socket->peer)
		return -ENOTCONN;
	if (bytes > socket->send_bytes - 32)
		return -EMSGSIZE;
	int error = socket_message_make(send, 0, bytes, &message);
	if (error)
		return error;
	error = socket_message_wait_for_memory(socket, send->wait, deadline);
	if (!error)
		error = find_datagram_receiver(socket, send, &receiver);
	if (error) {
		kfree(message);
		return error;
	}
	error = wait_for_receiver(socket, receiver, send, deadline);
	if (error)
		kfree(message);
	else
		deliver(socket, receiver, message, send, false);
	socket_put(receiver);
	return error ? error : (long)bytes;
}

/* Checks the address to which a message is sent. */
static int check_name(struct socket_send *send)
{
	if (!send->to.bytes)
		return 0;
	const struct socket_address to = send->to;
	return unix_name_check(&to, &send->to);
}

long unix_message_send(struct socket *socket, struct socket_send *send)
{
	int wrong = check_name(send);
	if (wrong)
		return wrong;
	if (send->flags & LINUX_MSG_OOB && socket->type != LINUX_SOCK_STREAM)
		return socket_connects(socket) && socket->state != SOCKET_CONNECTED ? -ENOTCONN : -EOPNOTSUPP;
	if (((socket->flags >> LINUX_SO_PASSCRED) & 1) &&
	    !socket->name.bytes) { /* a socket that requests credentials needs a name */
		const struct socket_address any = {.bytes = 2, .un = {.sun_family = LINUX_AF_UNIX}};
		int error = socket_connects(socket) ? 0 : unix_name_bind(socket, &any);
		if (error)
			return error;
	}
	return socket->type == LINUX_SOCK_STREAM ? send_stream(socket, send) : send_packet(socket, send);
}
