/* SPDX-License-Identifier: MIT */
/* There is no network: no address family is known, and no descriptor is a socket (socket(2), getaddrinfo(3)). */
#include <fcntl.h>
#include <netdb.h>
#include <stddef.h>
#include <sys/socket.h>

#include "libc-port/src/kernel.h"

int socket(int domain, int type, int protocol)
{
	(void)domain, (void)type, (void)protocol;
	return kernel_refuse(EAFNOSUPPORT);
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
	(void)fds;
	return socket(domain, type, protocol);
}

static int no_socket(int fd)
{
	return kernel_refuse(kcall_fcntl(fd, F_GETFD, 0) < 0 ? EBADF : ENOTSOCK);
}

int bind(int fd, const struct sockaddr *addr, socklen_t length)
{
	(void)addr, (void)length;
	return no_socket(fd);
}

int connect(int fd, const struct sockaddr *addr, socklen_t length)
{
	(void)addr, (void)length;
	return no_socket(fd);
}

int listen(int fd, int backlog)
{
	(void)backlog;
	return no_socket(fd);
}

int accept(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	(void)addr, (void)length;
	return no_socket(fd);
}

int accept4(int fd, struct sockaddr *restrict addr, socklen_t *restrict length, int flags)
{
	(void)flags;
	return accept(fd, addr, length);
}

int getsockname(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	(void)addr, (void)length;
	return no_socket(fd);
}

int getpeername(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	(void)addr, (void)length;
	return no_socket(fd);
}

ssize_t send(int fd, const void *buf, size_t size, int flags)
{
	(void)buf, (void)size, (void)flags;
	return no_socket(fd);
}

ssize_t recv(int fd, void *buf, size_t size, int flags)
{
	(void)buf, (void)size, (void)flags;
	return no_socket(fd);
}

ssize_t sendto(int fd, const void *buf, size_t size, int flags, const struct sockaddr *addr, socklen_t length)
{
	(void)addr, (void)length;
	return send(fd, buf, size, flags);
}

ssize_t recvfrom(int fd, void *restrict buf, size_t size, int flags, struct sockaddr *restrict addr,
                 socklen_t *restrict length)
{
	(void)addr, (void)length;
	return recv(fd, buf, size, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	(void)message, (void)flags;
	return no_socket(fd);
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	(void)message, (void)flags;
	return no_socket(fd);
}

int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict length)
{
	(void)level, (void)option, (void)value, (void)length;
	return no_socket(fd);
}

int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
	(void)level, (void)option, (void)value, (void)length;
	return no_socket(fd);
}

int shutdown(int fd, int how)
{
	(void)how;
	return no_socket(fd);
}
