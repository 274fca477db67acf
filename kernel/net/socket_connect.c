/* SPDX-License-Identifier: MIT */
/* Calls that create and connect sockets: socket(2), socketpair(2), bind(2), listen(2), connect(2), accept(2),
 * shutdown(2), getsockname(2). A connection exists when connect returns: it only waits to be accepted. */
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/files/anon.h"
#include "kernel/linux/signal/async.h"
#include "kernel/net/socket.h"
#include "kernel/net/socket_message.h"
#include "kernel/net/socket_name.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/vfs.h"

#define AF_INET 2
#define AF_INET6 10
#define TYPE_FLAGS (LINUX_O_NONBLOCK | LINUX_O_CLOEXEC)

/* Gets the socket of a descriptor, and its file without a reference. Returns 0, -EBADF or -ENOTSOCK. */
static int get(int fd, struct socket **socket, struct file **file)
{
	*file = anon_get(fd);
	*socket = *file ? socket_of(*file) : NULL;
	return *socket ? 0 : *file ? -ENOTSOCK : -EBADF;
}

/* Checks the arguments of socket and socketpair. Returns the type, or a negative errno. */
static int check_type(int family, int type, int protocol)
{
	int kind = type & LINUX_SOCK_TYPE_MASK;
	if (type & ~(LINUX_SOCK_TYPE_MASK | TYPE_FLAGS))
		return -EINVAL;
	if (family < 0 || family >= LINUX_AF_MAX)
		return -EAFNOSUPPORT;
	if (kind >= LINUX_SOCK_MAX)
		return -EINVAL;
	if (family != LINUX_AF_UNIX)
		return -EAFNOSUPPORT;
	if (protocol && protocol != LINUX_AF_UNIX)
		return -EPROTONOSUPPORT;
	if (kind == LINUX_SOCK_RAW)
		return LINUX_SOCK_DGRAM;
	bool known = kind == LINUX_SOCK_STREAM || kind == LINUX_SOCK_DGRAM || kind == LINUX_SOCK_SEQPACKET;
	return known ? kind : -ESOCKTNOSUPPORT;
}

static bool is_internet(int family, int type, int protocol)
{
	int kind = type & LINUX_SOCK_TYPE_MASK;
	return (family == AF_INET || family == AF_INET6) && !protocol &&
	       (kind == LINUX_SOCK_STREAM || kind == LINUX_SOCK_DGRAM);
}

/* Opens a file for a socket; takes its reference in any case. */
static int open_file(struct socket *socket, int flags, struct file **file)
{
	int error = socket ? socket_open(socket, flags, file) : -ENOMEM;
	if (error && socket)
		socket_put(socket);
	return error;
}

long sys_socket(int family, int type, int protocol)
{
	struct file *file;
	int kind = check_type(family, type, protocol);
	if (kind == -EAFNOSUPPORT && (family == AF_INET || family == AF_INET6)) {
		struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
		stats->internet_sockets++; /* the monitor reports it at the end */
	}
	if (kind < 0)
		return kind;
	int error = open_file(socket_create(kind), type, &file);
	return error ? error : anon_install(file, type & LINUX_O_CLOEXEC);
}

long sys_socketpair(int family, int type, int protocol, int *user_fds)
{
	struct file *files[2];
	int fds[2], kind = check_type(family, type, protocol);
	if (kind == -EAFNOSUPPORT && is_internet(family, type, protocol))
		return -EOPNOTSUPP; /* sockets of this family have no pairs */
	if (kind < 0)
		return kind;
	fds[0] = fdtable_find(&vfs_current->fds, 0);
	fds[1] = fds[0] < 0 ? fds[0] : fdtable_find(&vfs_current->fds, (unsigned)fds[0] + 1);
	if (fds[1] < 0)
		return fds[1];
	int error = open_file(socket_create(kind), type, &files[0]);
	if (error)
		return error;
	error = open_file(socket_create(kind), type, &files[1]);
	if (!error && copy_to_user(user_fds, fds, sizeof(fds))) {
		file_put(files[1]);
		error = -EFAULT;
	}
	if (error) {
		file_put(files[0]);
		return error;
	}
	struct socket *a = files[0]->object, *b = files[1]->object;
	socket_pair(a, b);
	a->peer_credentials = b->peer_credentials = socket_credentials();
	for (int i = 0; i < 2; i++)
		fdtable_install(&vfs_current->fds, fds[i], files[i], type & LINUX_O_CLOEXEC);
	return 0;
}

long sys_bind(int fd, const void *user_name, int bytes)
{
	struct socket_address name;
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	if (!error)
		error = socket_name_copy(user_name, bytes, &name);
	return error ? error : socket_name_bind(socket, &name);
}

long sys_listen(int fd, int backlog)
{
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	if (error)
		return error;
	if (!socket_connects(socket))
		return -EOPNOTSUPP;
	if (!socket->name.bytes || socket->state == SOCKET_CONNECTED)
		return -EINVAL;
	socket->state = SOCKET_LISTENING;
	socket->backlog = (unsigned)backlog < LINUX_SOMAXCONN ? (unsigned)backlog : LINUX_SOMAXCONN;
	socket->peer_credentials = socket_credentials();
	readiness_wake_all(&socket->arriving);
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
		int error = socket_name_find(name, socket->type, listener);
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
	struct socket *other = error ? NULL : socket_create(socket->type);
	if (!other) {
		socket_put(listener);
		return error ? error : -ENOMEM;
	}
	socket_pair(socket, other);
	other->name = listener->name;
	other->flags = listener->flags & 1UL << LINUX_SO_PASSCRED;
	other->peer_credentials = socket_credentials();
	socket->peer_credentials = listener->peer_credentials;
	list_add_last(&listener->connections, &other->waiting);
	listener->queued++;
	async_tell(listener->inode, ASYNC_IN);
	socket_tell(listener, SOCKET_READABLE);
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
	int error = socket_name_find(name, socket->type, &peer);
	if (!error && peer->peer && peer->peer != socket) {
		socket_put(peer);
		error = -EPERM;
	}
	if (!error)
		set_peer(socket, peer);
	return error;
}

long sys_connect(int fd, const void *user_name, int bytes)
{
	struct socket_address name;
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	if (!error)
		error = socket_name_copy(user_name, bytes, &name);
	if (error)
		return error;
	file_get(file);
	error = socket_connects(socket) ? connect_stream(socket, &name, !(file->flags & LINUX_O_NONBLOCK))
	                                : connect_datagram(socket, &name);
	file_put(file);
	return error;
}

static bool can_accept(const void *context)
{
	const struct socket *socket = context;
	return !list_is_empty(&socket->connections) || (socket->shut & SOCKET_SHUT_RECEIVE);
}

/* Takes the next connection, with the queue's reference. Returns 0 or a negative errno. */
static int next_connection(struct socket *socket, bool wait, struct socket **connection)
{
	uint64_t deadline = socket_deadline(socket->receive_timeout_ns);
	while (list_is_empty(&socket->connections)) {
		if (socket->shut & SOCKET_SHUT_RECEIVE)
			return -EINVAL;
		if (!wait)
			return -EAGAIN;
		int error = readiness_wait(&socket->receiving, deadline, "a connection (accept)", can_accept, socket);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
	*connection = list_entry(socket->connections.next, struct socket, waiting);
	list_remove(&(*connection)->waiting);
	socket->queued--;
	readiness_wake_all(&socket->arriving);
	return 0;
}

static long accept_one(struct socket *socket, const struct file *file, void *user_name, int *bytes, int flags)
{
	struct socket *connection;
	struct file *made;
	if (!socket_connects(socket))
		return -EOPNOTSUPP;
	if (socket->state != SOCKET_LISTENING)
		return -EINVAL;
	int error = next_connection(socket, !(file->flags & LINUX_O_NONBLOCK), &connection);
	if (error)
		return error;
	error = socket_open(connection, flags, &made);
	if (error) {
		socket_close(connection, false);
		return error;
	}
	const struct socket_address none = {.bytes = 0};
	if (user_name)
		error = socket_name_store(connection->peer ? &connection->peer->name : &none, user_name, bytes);
	if (error) {
		file_put(made);
		return error;
	}
	return anon_install(made, flags & LINUX_O_CLOEXEC);
}

long sys_accept4(int fd, void *name, int *bytes, int flags)
{
	struct socket *socket;
	struct file *file;
	if (flags & ~TYPE_FLAGS)
		return -EINVAL;
	int error = get(fd, &socket, &file);
	if (error)
		return error;
	file_get(file);
	long result = accept_one(socket, file, name, bytes, flags);
	file_put(file);
	return result;
}

long sys_accept(int fd, void *name, int *bytes)
{
	return sys_accept4(fd, name, bytes, 0);
}

long sys_getsockname(int fd, void *name, int *bytes)
{
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	return error ? error : socket_name_store(&socket->name, name, bytes);
}

long sys_getpeername(int fd, void *name, int *bytes)
{
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	if (error)
		return error;
	return socket->peer ? socket_name_store(&socket->peer->name, name, bytes) : -ENOTCONN;
}

long sys_shutdown(int fd, int how)
{
	struct socket *socket;
	struct file *file;
	int error = get(fd, &socket, &file);
	if (error)
		return error;
	if (how < 0 || how > 2)
		return -EINVAL;
	int shut = how + 1; /* SHUT_RD, SHUT_WR, SHUT_RDWR */
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
