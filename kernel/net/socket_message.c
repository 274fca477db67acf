/* SPDX-License-Identifier: MIT */
/* Messages are copied from the sender before it waits, and to the receiver before they leave the queue. The family
 * charges each one to its sender, because the charge decides when a sender waits. */
#include "kernel/net/socket_message.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/vfs/async.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/fault/net_fault.h"
#include "kernel/net/inet_memory.h"
#include "kernel/net/socket_error.h"
#include "kernel/sched/sched.h"
#include "kernel/time/vclock.h"

#define JOINED_BYTES 4096 /* of memory, for small messages of a stream */

static struct list dead = {&dead, &dead}; /* messages being freed */
static bool is_freeing;

/* Copies a part of a vector's bytes, which must have that many. Returns 0 or -EFAULT. */
static int copy_vector_part(const struct linux_iovec *iov, size_t offset, uint8_t *data, size_t bytes, bool to_user)
{
	for (; bytes > 0; iov++) {
		if (offset >= iov->iov_len) {
			offset -= iov->iov_len;
			continue;
		}
		size_t run = iov->iov_len - offset;
		run = run < bytes ? run : bytes;
		char *at = (char *)iov->iov_base + offset;
		if (to_user ? copy_to_user(at, data, run) : copy_from_user(data, at, run))
			return -EFAULT;
		data += run;
		bytes -= run;
		offset = 0;
	}
	return 0;
}

size_t socket_message_total(const struct linux_iovec *iov, unsigned long count)
{
	size_t total = 0;
	for (unsigned long i = 0; i < count; i++)
		total += iov[i].iov_len;
	return total;
}

void socket_message_put_files(struct file **files, unsigned count)
{
	for (unsigned i = 0; files && i < count; i++)
		if (files[i])
			file_leave(files[i]);
	kfree(files);
}

void socket_message_discharge(struct message *message)
{
	struct socket *sender = message->sender;
	if (!message->charge)
		return;
	if (sender->protocol == LINUX_IPPROTO_TCP)
		inet_memory_discharge(sender, message->charge);
	else
		sender->charged -= message->charge;
	message->charge = 0;
	if (!sender->dead && socket_is_writable(sender))
		socket_tell(sender, SOCKET_WRITABLE);
}

/* Frees dead messages and the files they carry. A socket among these may hold the last reference to others: nested
 * calls leave them to the outermost call, so that the depth is bounded. */
static void bury(void)
{
	if (is_freeing)
		return;
	is_freeing = true;
	while (!list_is_empty(&dead)) {
		struct message *message = list_entry(dead.next, struct message, queue);
		list_remove(&message->queue);
		socket_message_put_files(message->files, message->file_count);
		kfree(message);
	}
	is_freeing = false;
}

bool socket_message_is_freeing(void)
{
	return is_freeing;
}

void socket_message_free(struct message *message)
{
	struct socket *receiver = message->receiver;
	if (list_has(&message->queue)) {
		bool was_full = socket_is_full(receiver);
		list_remove(&message->queue);
		if (receiver->urgent == message)
			receiver->urgent = NULL;
		receiver->queued--;
		receiver->family->taken(message, was_full);
	}
	socket_message_discharge(message);
	socket_put(message->sender);
	list_add_last(&dead, &message->queue);
	bury();
}

int socket_message_make(const struct socket_send *send, size_t offset, size_t bytes, struct message **out)
{
	struct message *message = kmalloc(sizeof(*message) + bytes);
	if (!message)
		return -ENOBUFS;
	memset(message, 0, sizeof(*message));
	message->bytes = bytes;
	if (copy_vector_part(send->iov, offset, message->data, bytes, false)) {
		kfree(message);
		return -EFAULT;
	}
	*out = message;
	return 0;
}

struct message *socket_message_copy(const struct message *from, size_t offset, size_t bytes)
{
	struct message *message = kzalloc(sizeof(*message) + bytes);
	if (!message)
		return NULL;
	message->from = from->from;
	message->to = from->to;
	message->ttl = from->ttl;
	message->tos = from->tos;
	message->bytes = bytes;
	memcpy(message->data, from->data + offset, bytes);
	return message;
}

/* The memory that a socket may be charged for. */
static uint64_t send_buffer(const struct socket *socket)
{
	return socket->protocol == LINUX_IPPROTO_TCP ? inet_memory_buffer(socket) : socket->send_bytes;
}

static bool can_send_message(const void *context)
{
	const struct socket *socket = context;
	return socket->error || (socket->shut & SOCKET_SHUT_SEND) || socket_is_writable(socket);
}

int socket_message_wait_for_memory(struct socket *socket, bool wait, uint64_t deadline)
{
	for (;;) {
		int error = socket_take_error(socket);
		if (error)
			return error;
		if (socket->shut & SOCKET_SHUT_SEND)
			return -EPIPE;
		if (socket->charged < send_buffer(socket))
			return 0;
		if (!wait)
			return -EAGAIN;
		error = readiness_wait(&socket->sending, deadline, "room in a socket (send)", can_send_message, socket);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
}

/* Gives a small message that will not be the only one in its queue room for those behind it. Without memory it stays as
 * it is. */
static struct message *make_message_room(struct message *message)
{
	const size_t room = JOINED_BYTES - sizeof(*message);
	struct message *roomy = message->bytes < room ? kmalloc(JOINED_BYTES) : NULL;
	if (!roomy)
		return message;
	memcpy(roomy, message, sizeof(*message) + message->bytes);
	roomy->room = room;
	kfree(message);
	return roomy;
}

bool socket_message_queue(struct list *queue, struct message *message)
{
	struct message *last = list_is_empty(queue) ? NULL : list_entry(queue->previous, struct message, queue);
	bool joins =
		last && message->joins && last->joins && last->sender == message->sender && last->taken < last->bytes;
	if (joins && last->bytes + message->bytes <= last->room) {
		memcpy(last->data + last->bytes, message->data, message->bytes);
		last->bytes += message->bytes;
		last->charge += message->charge;
		last->arrived_ns = message->arrived_ns;
		socket_put(message->sender);
		kfree(message);
		return false;
	}
	if (joins)
		message = make_message_room(message);
	list_add_last(queue, &message->queue);
	return true;
}

/* As in Linux's TCP, an urgent byte that the next read would skip is lost when another one comes. */
static void drop_next_urgent(struct socket *receiver)
{
	const bool is_inline = receiver->flags >> LINUX_SO_OOBINLINE & 1;
	if (receiver->urgent && receiver->domain != LINUX_AF_UNIX && !is_inline &&
	    receiver->messages.next == &receiver->urgent->queue)
		socket_message_free(receiver->urgent);
}

void socket_message_deliver(struct socket *receiver, struct message *message, bool is_urgent)
{
	size_t bytes = message->bytes;
	message->receiver = receiver;
	message->arrived_ns = vclock_realtime();
	if (is_urgent) {
		drop_next_urgent(receiver);
		receiver->urgent = message;
	}
	receiver->queued += socket_message_queue(&receiver->messages, message);
	socket_pay_delivery(receiver, bytes);
	if (is_urgent)
		async_tell_urgent(receiver->inode);
	if (!socket_connects(receiver) || !receiver->receiving.first) /* as on Linux, no signal while a reader waits */
		async_tell(receiver->inode, ASYNC_IN);
	if (receiver->type == LINUX_SOCK_STREAM)
		socket_tell(receiver, SOCKET_READABLE | (is_urgent ? LINUX_POLLPRI : 0));
	else
		socket_tell_one(receiver, SOCKET_READABLE);
}

/* Whether a message of a stream is an urgent byte, which reads without MSG_OOB skip, or the place of one that was read.
 */
static bool is_mark(const struct socket *socket, const struct message *message)
{
	bool is_inline = socket->flags >> LINUX_SO_OOBINLINE & 1;
	return socket->type == LINUX_SOCK_STREAM &&
	       (message->taken == message->bytes || (message == socket->urgent && !is_inline));
}

bool socket_message_has(const struct socket *socket)
{
	list_each (link, &socket->messages)
		if (!is_mark(socket, list_entry(link, struct message, queue)))
			return true;
	return false;
}

/* The first datagram that MSG_PEEK shows at the socket's offset, and where in it; NULL: none. A datagram of no bytes is
 * shown once. */
static struct message *find_peeked(const struct socket *socket, size_t *skip)
{
	*skip = socket->peek_offset < 0 ? 0 : (size_t)socket->peek_offset;
	list_each (link, &socket->messages) {
		struct message *message = list_entry(link, struct message, queue);
		bool is_behind = *skip >= message->bytes && (message->bytes || *skip || message->is_peeked);
		if (socket->peek_offset < 0 || !is_behind)
			return message;
		*skip -= message->bytes;
	}
	return NULL;
}

/* Whether a receive with some flags would find data. */
static bool has_data(const struct socket *socket, bool peek)
{
	size_t skip;
	if (!peek || socket->peek_offset < 0)
		return socket_message_has(socket);
	if (socket->type == LINUX_SOCK_STREAM)
		return socket_message_unread(socket) > socket->peek_offset;
	return find_peeked(socket, &skip);
}

/* Moves the offset of MSG_PEEK after bytes were received. */
static void move_offset(struct socket *socket, bool peek, size_t bytes)
{
	int64_t offset = socket->peek_offset;
	if (offset < 0)
		return;
	offset += peek ? (int64_t)bytes : -(int64_t)bytes;
	socket->peek_offset = offset < 0 ? 0 : offset > INT32_MAX ? INT32_MAX : (int32_t)offset;
}

/* A wait for data. */
struct reader {
	const struct socket *socket;
	bool peek;
};

static bool can_receive_message(const void *context)
{
	const struct reader *reader = context;
	const struct socket *socket = reader->socket;
	return has_data(socket, reader->peek) || socket->error || (socket->shut & SOCKET_SHUT_RECEIVE);
}

/* Waits for a message. An error comes before datagrams, but after the bytes of a stream. Returns 1, 0 if no message can
 * come any more, or a negative errno. */
static int wait_for_message(struct socket *socket, const struct socket_receive *receive, uint64_t deadline)
{
	const struct reader reader = {socket, receive->flags & LINUX_MSG_PEEK};
	bool wait = receive->wait;
	for (;;) {
		bool has = has_data(socket, reader.peek);
		if (has && socket->type == LINUX_SOCK_STREAM)
			return 1;
		if (socket->ended)
			return 0;
		int error = socket_take_error(socket);
		if (!error && has)
			return 1;
		if (error)
			return error;
		bool ended = socket->shut & SOCKET_SHUT_RECEIVE;
		if (ended && (wait || socket_connects(socket)))
			return 0;
		if (!wait)
			return -EAGAIN;
		error = readiness_wait(&socket->receiving, deadline, "data from a socket (receive)",
		                       can_receive_message, &reader);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
}

/* Passes the files of a message to the receiver. MSG_PEEK gets copies. */
static int take_files(struct message *message, struct socket_receive *receive)
{
	bool peek = receive->flags & LINUX_MSG_PEEK;
	receive->file_count = message->file_count;
	receive->files = message->files;
	if (!peek) {
		message->files = NULL;
	} else if (message->files) {
		receive->files = kmalloc(message->file_count * sizeof(struct file *));
		if (!receive->files)
			return -ENOMEM;
		for (unsigned i = 0; i < message->file_count; i++)
			receive->files[i] = file_get(message->files[i]);
	}
	return 0;
}

static void take_name(const struct message *message, struct socket_receive *receive)
{
	message->receiver->family->describe(message, receive);
	receive->credentials = message->credentials;
}

static void take_arrival(const struct message *message, struct socket_receive *receive)
{
	receive->has_arrival = true;
	receive->arrived_ns = message->arrived_ns;
	receive->lost = message->lost;
	receive->ttl = message->ttl;
	receive->tos = message->tos;
	receive->segment = message->segment;
}

static bool is_same_sender(const struct message *message, const struct socket_receive *receive)
{
	return message->credentials.pid == receive->credentials.pid &&
	       message->credentials.uid == receive->credentials.uid &&
	       message->credentials.gid == receive->credentials.gid;
}

/* Takes bytes from one message of a stream, after `skip` unread ones. Returns their number or a negative errno. Sets
 * *last if the read must end after this message. */
static long take_piece(struct message *message, struct socket_receive *receive, size_t offset, size_t skip, size_t most,
                       bool *last)
{
	size_t run = message->bytes - message->taken - skip;
	run = run < most ? run : most;
	bool discards = receive->flags & LINUX_MSG_TRUNC && message->receiver->protocol == LINUX_IPPROTO_TCP;
	if (!discards && copy_vector_part(receive->iov, offset, message->data + message->taken + skip, run, true))
		return -EFAULT;
	*last = message->files != NULL;
	if (message->taken + run == message->bytes) /* as on Linux, the moment is that of what was read completely */
		take_arrival(message, receive);
	if (message->files && take_files(message, receive))
		return -ENOMEM;
	if (!(receive->flags & LINUX_MSG_PEEK)) {
		message->taken += run;
		if (message->taken == message->bytes)
			socket_message_free(message);
	}
	return (long)run;
}

/* Receives the urgent byte alone. Its place stays in the queue, because other reads end there. */
static long receive_urgent(struct socket *socket, struct socket_receive *receive)
{
	struct message *message = socket->urgent;
	if (!message || socket->flags >> LINUX_SO_OOBINLINE & 1)
		return -EINVAL;
	if (!socket_message_total(receive->iov, receive->count) ||
	    copy_vector_part(receive->iov, 0, message->data, 1, true))
		return -EFAULT;
	receive->told |= LINUX_MSG_OOB;
	if (!(receive->flags & LINUX_MSG_PEEK)) {
		message->taken = message->bytes;
		socket->urgent = NULL;
	}
	return 1;
}

/* Whether a read that already has bytes ends before a message: at the urgent byte, or at the place of one that was read
 * if no other is pending. */
static bool ends_before(const struct socket *socket, const struct message *message)
{
	return message == socket->urgent || (message->taken == message->bytes && !socket->urgent);
}

static long receive_stream(struct socket *socket, struct socket_receive *receive)
{
	size_t bytes = socket_message_total(receive->iov, receive->count), done = 0;
	uint64_t deadline = socket_deadline(socket->receive_timeout_ns);
	size_t least = receive->flags & LINUX_MSG_WAITALL ? bytes : (size_t)socket->receive_least;
	bool peek = receive->flags & LINUX_MSG_PEEK, last = false;
	size_t skip = peek && socket->peek_offset > 0 ? (size_t)socket->peek_offset : 0;
	struct list *at = &socket->messages;
	if (receive->flags & LINUX_MSG_OOB)
		return receive_urgent(socket, receive);
	const int whole = LINUX_MSG_WAITALL | LINUX_MSG_PEEK | LINUX_MSG_TRUNC;
	if (socket->domain != LINUX_AF_UNIX && !(receive->flags & whole))
		bytes = net_fault_shorten(socket->inet.connection, bytes);
	least = least < bytes ? least : bytes;
	/* A receive of no bytes also waits for a message. */
	for (bool none = !bytes; (done < bytes || none) && !last;) {
		struct list *next = peek ? at->next : socket->messages.next;
		if (next == &socket->messages) {
			if (done && (done >= least || peek))
				break;
			long error = wait_for_message(socket, receive, deadline);
			if (error <= 0)
				return done ? (long)done : error;
			at = &socket->messages;
			skip = peek && socket->peek_offset > 0 ? (size_t)socket->peek_offset : 0;
			continue;
		}
		struct message *message = list_entry(next, struct message, queue);
		if (done && ends_before(socket, message))
			break;
		if (is_mark(socket, message)) {
			at = next;
			if (!peek)
				socket_message_free(message);
			continue;
		}
		if (skip && skip >= message->bytes - message->taken) {
			skip -= message->bytes - message->taken;
			at = next;
			continue;
		}
		if (!done)
			take_name(message, receive);
		else if (!is_same_sender(message, receive))
			break;
		at = next;
		long piece = take_piece(message, receive, done, skip, bytes - done, &last);
		if (piece < 0)
			return done ? (long)done : piece;
		skip = 0;
		done += (size_t)piece;
		none = false;
	}
	move_offset(socket, peek, done);
	return (long)done;
}

long socket_message_copy_out(struct socket_receive *receive, uint8_t *data, size_t bytes)
{
	size_t room = socket_message_total(receive->iov, receive->count), run = bytes < room ? bytes : room;
	if (bytes > room)
		receive->told |= LINUX_MSG_TRUNC;
	return copy_vector_part(receive->iov, 0, data, run, true) ? -EFAULT : (long)run;
}

static long receive_packet(struct socket *socket, struct socket_receive *receive)
{
	int error = socket_take_error(socket);
	if (!error)
		error = wait_for_message(socket, receive, socket_deadline(socket->receive_timeout_ns));
	if (error <= 0)
		return error;
	bool peek = receive->flags & LINUX_MSG_PEEK;
	size_t skip = 0;
	struct message *message =
		peek ? find_peeked(socket, &skip) : list_entry(socket->messages.next, struct message, queue);
	take_name(message, receive);
	take_arrival(message, receive);
	long run = socket_message_copy_out(receive, message->data + skip, message->bytes - skip);
	error = run < 0 ? (int)run : take_files(message, receive);
	long result = error ? error : receive->flags & LINUX_MSG_TRUNC ? (long)message->bytes : run;
	message->is_peeked = true;
	if (!error) /* AF_UNIX counts the whole datagram that was read */
		move_offset(socket, peek, !peek && socket->domain == LINUX_AF_UNIX ? message->bytes : (size_t)run);
	if (!peek)
		socket_message_free(message);
	if (!list_is_empty(&socket->messages))
		readiness_wake_one(&socket->receiving);
	return result;
}

long socket_message_send(struct socket *socket, struct socket_send *send)
{
	return socket->family->send(socket, send);
}

long socket_message_receive(struct socket *socket, struct socket_receive *receive)
{
	bool is_urgent = receive->flags & LINUX_MSG_OOB;
	if (receive->flags & LINUX_MSG_ERRQUEUE && socket->domain != LINUX_AF_UNIX)
		return socket_error_receive(socket, receive);
	int error = socket->family->check_receive(socket);
	if (error == -ENOTCONN && is_urgent && socket->inet.tcp == LINUX_TCP_CLOSE && socket->domain != LINUX_AF_UNIX)
		return -EINVAL; /* no urgent byte came */
	if (error)
		return error;
	if (is_urgent && socket->domain == LINUX_AF_UNIX && socket->type != LINUX_SOCK_STREAM)
		return -EOPNOTSUPP;
	return socket->type == LINUX_SOCK_STREAM ? receive_stream(socket, receive) : receive_packet(socket, receive);
}

bool socket_message_at_mark(const struct socket *socket)
{
	const struct list *first = socket->messages.next, *second = first->next;
	if (first == &socket->messages)
		return false;
	const struct message *message = list_entry(first, struct message, queue);
	bool is_place = socket->type == LINUX_SOCK_STREAM && message->taken == message->bytes;
	return message == socket->urgent || (is_place && (!socket->urgent || second == &socket->urgent->queue));
}

int socket_message_unread(const struct socket *socket)
{
	size_t bytes = 0;
	list_each (link, &socket->messages) {
		const struct message *message = list_entry(link, struct message, queue);
		bytes += message->bytes - message->taken;
		if (socket->type == LINUX_SOCK_DGRAM)
			break;
	}
	return (int)bytes;
}
