/* SPDX-License-Identifier: MIT */
/* Calls that create and connect sockets: socket(2), socketpair(2), bind(2), listen(2), connect(2), accept(2),
 * shutdown(2), getsockname(2). */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/anon.h"
#include "kernel/net/inet.h"
#include "kernel/net/netlink.h"
#include "kernel/net/socket.h"
#include "kernel/net/socket_name.h"
#include "kernel/net/unix.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/vfs.h"

#define TYPE_FLAGS (LINUX_O_NONBLOCK | LINUX_O_CLOEXEC)

/* Gets the socket of a descriptor, and its file without a reference. Returns 0, -EBADF or -ENOTSOCK. */
static int get_socket(int fd, struct socket **socket, struct file **file)
{
	*file = anon_get(fd);
	*socket = *file ? socket_of(*file) : NULL;
	return *socket ? 0 : *file ? -ENOTSOCK : -EBADF;
}

/* Checks the arguments of socket and socketpair, and makes a socket. Returns 0 or a negative errno. */
static int create_socket(int domain, int type, int protocol, struct socket **socket)
{
	int kind = type & LINUX_SOCK_TYPE_MASK;
	if (type & ~(LINUX_SOCK_TYPE_MASK | TYPE_FLAGS))
		return -EINVAL;
	if (domain < 0 || domain >= LINUX_AF_MAX)
		return -EAFNOSUPPORT;
	if (kind >= LINUX_SOCK_MAX)
		return -EINVAL;
	switch (domain) {
	case LINUX_AF_UNIX:
		return unix_create(kind, protocol, socket);
	case LINUX_AF_INET:
	case LINUX_AF_INET6:
		return inet_create(domain, kind, protocol, socket);
	case LINUX_AF_NETLINK:
		return netlink_create(kind, protocol, socket);
	default:
		return -EAFNOSUPPORT;
	}
}

/* Opens a file for a new socket. Returns 0 or a negative errno. */
static int create_file(int domain, int type, int protocol, struct file **file)
{
	struct socket *socket;
	int error = create_socket(domain, type, protocol, &socket);
	if (error)
		return error;
	error = socket_open(socket, type, file);
	if (error)
		socket_close(socket, true);
	return error;
}

long sys_socket(int domain, int type, int protocol)
{
	struct file *file;
	int error = create_file(domain, type, protocol, &file);
	return error ? error : anon_install(file, type & LINUX_O_CLOEXEC);
}

/* Connects the sockets of two new files, and stores the descriptors for the program. */
static int connect_pair(struct file **files, const int *fds, int *user_fds)
{
	struct socket *a = files[0]->object, *b = files[1]->object;
	if (!a->family->pair)
		return -EOPNOTSUPP;
	if (copy_to_user(user_fds, fds, 2 * sizeof(*fds)))
		return -EFAULT;
	a->family->pair(a, b);
	return 0;
}

long sys_socketpair(int domain, int type, int protocol, int *user_fds)
{
	struct file *files[2];
	int fds[2], error = create_file(domain, type, protocol, &files[0]);
	if (error)
		return error;
	fds[0] = fdtable_find(&process_current->files->fds, 0);
	fds[1] = fds[0] < 0 ? fds[0] : fdtable_find(&process_current->files->fds, (unsigned)fds[0] + 1);
	error = fds[1] < 0 ? fds[1] : create_file(domain, type, protocol, &files[1]);
	if (!error) {
		error = connect_pair(files, fds, user_fds);
		if (error)
			file_put(files[1]);
	}
	if (error) {
		file_put(files[0]);
		return error;
	}
	for (int i = 0; i < 2; i++)
		fdtable_install(&process_current->files->fds, fds[i], files[i], type & LINUX_O_CLOEXEC);
	return 0;
}

long sys_bind(int fd, const void *user_name, int bytes)
{
	struct socket_address name;
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (!error)
		error = socket_name_copy(user_name, bytes, &name);
	return error ? error : socket->family->bind(socket, &name);
}

long sys_listen(int fd, int backlog)
{
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (error)
		return error;
	if (!socket_connects(socket))
		return -EOPNOTSUPP;
	error = socket->family->listen(socket);
	if (error)
		return error;
	socket->state = SOCKET_LISTENING;
	socket->backlog = (unsigned)backlog < LINUX_SOMAXCONN ? (unsigned)backlog : LINUX_SOMAXCONN;
	readiness_wake_all(&socket->arriving);
	return 0;
}

long sys_connect(int fd, const void *user_name, int bytes)
{
	struct socket_address name;
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (!error)
		error = socket_name_copy(user_name, bytes, &name);
	if (error)
		return error;
	file_get(file);
	error = socket->family->connect(socket, &name, !(file->flags & LINUX_O_NONBLOCK));
	file_put(file);
	return error;
}

static bool can_accept(const void *context)
{
	const struct socket *socket = context;
	return !list_is_empty(&socket->connections) || (socket->shut & SOCKET_SHUT_RECEIVE) ||
	       socket->state != SOCKET_LISTENING;
}

/* Takes the next connection, with the queue's reference. Returns 0 or a negative errno. */
static int next_connection(struct socket *socket, bool wait, struct socket **connection)
{
	uint64_t deadline = socket_deadline(socket->receive_timeout_ns);
	while (list_is_empty(&socket->connections)) {
		if (socket->shut & SOCKET_SHUT_RECEIVE || socket->state != SOCKET_LISTENING)
			return -EINVAL;
		if (!wait)
			return -EAGAIN;
		int error = readiness_wait(&socket->receiving, deadline, "a connection (accept)", can_accept, socket);
		if (error)
			return error == -ETIMEDOUT ? -EAGAIN : error;
	}
	*connection = socket_take_connection(socket);
	if (!list_is_empty(&socket->connections))
		readiness_wake_one(&socket->receiving);
	if (socket->family->accepted)
		socket->family->accepted(socket);
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
	if (user_name) {
		struct socket_address name;
		error = connection->family->peer_name(connection, true, &name);
		if (!error)
			error = socket_name_store(&name, user_name, bytes);
	}
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
	int error = get_socket(fd, &socket, &file);
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
	struct socket_address address;
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (error)
		return error;
	socket->family->name(socket, &address);
	return socket_name_store(&address, name, bytes);
}

long sys_getpeername(int fd, void *name, int *bytes)
{
	struct socket_address address;
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (error)
		return error;
	error = socket->family->peer_name(socket, false, &address);
	return error ? error : socket_name_store(&address, name, bytes);
}

long sys_shutdown(int fd, int how)
{
	struct socket *socket;
	struct file *file;
	int error = get_socket(fd, &socket, &file);
	if (error)
		return error;
	if (how < 0 || how > 2)
		return -EINVAL;
	return socket->family->shutdown(socket, how + 1); /* SHUT_RD, SHUT_WR, SHUT_RDWR */
}
