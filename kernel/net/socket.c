/* SPDX-License-Identifier: MIT */
/* Creation and release of sockets, and the file operations that are the same for all: poll, ioctl. */
#include "kernel/net/socket.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/anon.h"
#include "kernel/vfs/async.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/socket_error.h"
#include "kernel/net/socket_stored.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

#define SOCKET_MAGIC 0x534f434b
#define KIB 1024
#define BUFFER_BYTES 212992 /* net.core.wmem_default */

static struct mount socket_mount = {.dev = 8, .next_ino = 1, .magic = SOCKET_MAGIC};
static struct list all = {&all, &all};

struct socket *socket_create(const struct socket_family *family, int domain, int type)
{
	struct socket *socket = kzalloc(sizeof(*socket));
	if (!socket)
		return NULL;
	socket->refs = 1;
	socket->family = family;
	socket->domain = domain;
	socket->type = type;
	socket->send_bytes = socket->receive_bytes = BUFFER_BYTES;
	socket->receive_least = 1;
	socket->peek_offset = -1;
	socket->peer_credentials = (struct linux_ucred){0, UINT32_MAX, UINT32_MAX};
	static uint64_t cookies;
	socket->cookie = ++cookies;
	socket->owner = process_current->id;
	socket_stored_init(socket);
	list_init(&socket->messages);
	list_init(&socket->errors);
	list_init(&socket->connections);
	list_add_last(&all, &socket->all);
	return socket;
}

void socket_put(struct socket *socket)
{
	if (!socket || --socket->refs > 0)
		return;
	list_remove(&socket->all);
	kfree(socket);
}

struct socket *socket_next(const struct socket *socket)
{
	const struct list *next = socket ? socket->all.next : all.next;
	return next == &all ? NULL : list_entry(next, struct socket, all);
}

struct linux_ucred socket_credentials(void)
{
	return (struct linux_ucred){(int32_t)sys_getpid(), (uint32_t)sys_geteuid(), (uint32_t)sys_getegid()};
}

uint64_t socket_deadline(uint64_t timeout_ns)
{
	uint64_t now = vclock_now();
	return timeout_ns && timeout_ns < SCHED_FOREVER - now ? now + timeout_ns : SCHED_FOREVER;
}

void socket_tell(struct socket *socket, unsigned int events)
{
	if (socket->inode)
		inode_tell(socket->inode, events);
	readiness_wake_all(&socket->receiving);
	readiness_wake_all(&socket->sending);
	readiness_wake_all(&readiness_polling);
	if (socket->family->told)
		socket->family->told(socket);
}

void socket_tell_one(struct socket *socket, unsigned int events)
{
	if (socket->inode)
		inode_tell(socket->inode, events);
	readiness_wake_one(&socket->receiving);
	readiness_wake_all(&readiness_polling);
}

void socket_pay_delivery(const struct socket *receiver, size_t bytes)
{
	const struct socket_family *family = receiver->family;
	vclock_advance(family->message_ns + (bytes + KIB - 1) / KIB * family->kib_ns);
}

void socket_add_connection(struct socket *listener, struct socket *connection)
{
	list_add_last(&listener->connections, &connection->waiting);
	listener->queued++;
	socket_pay_delivery(listener, 0);
	async_tell(listener->inode, ASYNC_IN);
	socket_tell_one(listener, SOCKET_READABLE);
}

struct socket *socket_take_connection(struct socket *listener)
{
	if (list_is_empty(&listener->connections))
		return NULL;
	struct socket *connection = list_entry(listener->connections.next, struct socket, waiting);
	list_remove(&connection->waiting);
	listener->queued--;
	return connection;
}

int socket_take_error(struct socket *socket)
{
	int error = socket->error;
	socket->error = 0;
	return -error;
}

bool socket_is_writable(const struct socket *socket)
{
	return socket->family->is_writable(socket);
}

bool socket_is_full(const struct socket *socket)
{
	return socket->queued > socket->backlog;
}

void socket_close(struct socket *socket, bool was_accepted)
{
	struct socket *peer = socket->peer, *connection;
	socket->dead = true;
	socket->named = false;
	socket->shut = SOCKET_SHUT_BOTH;
	socket->inode = NULL;
	socket->family->close(socket, was_accepted);
	socket->peer = NULL;
	while (!list_is_empty(&socket->messages))
		socket_message_free(list_entry(socket->messages.next, struct message, queue));
	socket_error_free(socket);
	while ((connection = socket_take_connection(socket)))
		socket_close(connection, false);
	socket->queued = 0;
	readiness_wake_all(&socket->arriving);
	inode_put(socket->bound);
	socket->bound = NULL;
	socket_put(peer);
	socket_put(socket);
}

static void socket_release(struct file *file)
{
	struct socket *socket = file->object;
	const struct socket_family *family = socket->family;
	socket_close(socket, true);
	if (family->closed)
		family->closed(NULL);
}

static void socket_left(struct file *file)
{
	struct socket *socket = file->object;
	if (socket->family->closed)
		socket->family->closed(socket);
}

static unsigned int socket_poll(struct file *file)
{
	const struct socket *socket = file->object;
	return socket->family->poll(socket);
}

static long socket_ioctl(struct file *file, unsigned long request, void *arg)
{
	const struct socket *socket = file->object;
	int bytes = 0;
	if (request == LINUX_SIOCOUTQ)
		bytes = socket->family->unsent(socket);
	else if (request == LINUX_SIOCATMARK && socket->type == LINUX_SOCK_STREAM)
		bytes = socket_message_at_mark(socket);
	else if (request != LINUX_FIONREAD && socket->domain == LINUX_AF_UNIX && net_interface_is_inet(request))
		return -ENOTTY;
	else if (request != LINUX_FIONREAD)
		return net_interface_ioctl(request, arg);
	else if (socket->state == SOCKET_LISTENING)
		return -EINVAL;
	else
		bytes = socket_message_unread(socket);
	return copy_to_user(arg, &bytes, sizeof(bytes));
}

static long transfer_message(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing)
{
	bool wait = !(file->flags & LINUX_O_NONBLOCK);
	if (writing) {
		struct socket_send send = {
			.iov = iov, .count = count, .wait = wait, .ttl = INET_UNSET, .tos = INET_UNSET};
		return socket_message_send(file->object, &send);
	}
	while (count && !iov[count - 1].iov_len)
		count--;
	if (!count) /* unlike recv(2), this does not wait */
		return 0;
	struct socket_receive receive = {.iov = iov, .count = count, .wait = wait};
	long result = socket_message_receive(file->object, &receive);
	socket_message_put_files(receive.files, receive.file_count);
	return result;
}

static long socket_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	const struct linux_iovec iov = {to, bytes};
	return transfer_message(file, &iov, 1, false);
}

static long socket_write(struct file *file, const void *from, size_t bytes, int64_t *)
{
	const struct linux_iovec iov = {(void *)from, bytes};
	return transfer_message(file, &iov, 1, true);
}

/* Operations of streams, and of other types, which break without a signal. */
static const struct file_ops socket_stream_ops = {
	.read = socket_read,
	.write = socket_write,
	.vector = transfer_message,
	.poll = socket_poll,
	.ioctl = socket_ioctl,
	.release = socket_release,
	.left = socket_left,
};

static const struct file_ops socket_packet_ops = {
	.read = socket_read,
	.write = socket_write,
	.vector = transfer_message,
	.poll = socket_poll,
	.ioctl = socket_ioctl,
	.release = socket_release,
	.left = socket_left,
	.quiet = true,
};

int socket_open(struct socket *socket, int flags, struct file **out)
{
	const struct file_ops *ops = socket->type == LINUX_SOCK_STREAM ? &socket_stream_ops : &socket_packet_ops;
	int error = anon_open_on(&socket_mount, LINUX_S_IFSOCK | 0777, ops, socket,
	                         LINUX_O_RDWR | (flags & LINUX_O_NONBLOCK), out);
	if (error < 0)
		return error;
	socket->inode = (*out)->inode;
	return 0;
}

struct socket *socket_of(const struct file *file)
{
	bool is = file->ops == &socket_stream_ops || file->ops == &socket_packet_ops;
	return is ? file->object : NULL;
}
