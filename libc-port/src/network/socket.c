/* SPDX-License-Identifier: MIT */
/* Sockets over the kernel's calls (socket(2), socket(7)). A program that calls none of these functions gets nothing of
 * the kernel's sockets. */
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

int socket(int domain, int type, int protocol)
{
	return (int)kernel_result(kcall_socket(domain, type, protocol));
}

int socketpair(int domain, int type, int protocol, int fds[2])
{
	return (int)kernel_result(kcall_socketpair(domain, type, protocol, fds));
}

int bind(int fd, const struct sockaddr *addr, socklen_t length)
{
	return (int)kernel_result(kcall_bind(fd, addr, (int)length));
}

int connect(int fd, const struct sockaddr *addr, socklen_t length)
{
	return (int)kernel_result(THREAD_RESTARTED(kcall_connect(fd, addr, (int)length)));
}

int listen(int fd, int backlog)
{
	return (int)kernel_result(kcall_listen(fd, backlog));
}

int accept(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	return (int)kernel_result(THREAD_RESTARTED(kcall_accept(fd, addr, (int *)length)));
}

int accept4(int fd, struct sockaddr *restrict addr, socklen_t *restrict length, int flags)
{
	return (int)kernel_result(THREAD_RESTARTED(kcall_accept4(fd, addr, (int *)length, flags)));
}

int getsockname(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	return (int)kernel_result(kcall_getsockname(fd, addr, (int *)length));
}

int getpeername(int fd, struct sockaddr *restrict addr, socklen_t *restrict length)
{
	return (int)kernel_result(kcall_getpeername(fd, addr, (int *)length));
}

ssize_t send(int fd, const void *buf, size_t size, int flags)
{
	return sendto(fd, buf, size, flags, NULL, 0);
}

ssize_t recv(int fd, void *buf, size_t size, int flags)
{
	return recvfrom(fd, buf, size, flags, NULL, NULL);
}

ssize_t sendto(int fd, const void *buf, size_t size, int flags, const struct sockaddr *addr, socklen_t length)
{
	return kernel_result(THREAD_RESTARTED(kcall_sendto(fd, buf, size, flags, addr, (int)length)));
}

ssize_t recvfrom(int fd, void *restrict buf, size_t size, int flags, struct sockaddr *restrict addr,
                 socklen_t *restrict length)
{
	return kernel_result(THREAD_RESTARTED(kcall_recvfrom(fd, buf, size, flags, addr, (int *)length)));
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	return kernel_result(THREAD_RESTARTED(kcall_sendmsg(fd, (const struct linux_msghdr *)message, flags)));
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	return kernel_result(THREAD_RESTARTED(kcall_recvmsg(fd, (struct linux_msghdr *)message, flags)));
}

int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
	return (int)kernel_result(THREAD_RESTARTED(kcall_sendmmsg(fd, (struct linux_mmsghdr *)messages, count, flags)));
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
	return (int)kernel_result(THREAD_RESTARTED(
		kcall_recvmmsg(fd, (struct linux_mmsghdr *)messages, count, flags, (struct linux_timespec *)timeout)));
}

int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict length)
{
	return (int)kernel_result(kcall_getsockopt(fd, level, option, value, (int *)length));
}

int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
	return (int)kernel_result(kcall_setsockopt(fd, level, option, value, (int)length));
}

int shutdown(int fd, int how)
{
	return (int)kernel_result(kcall_shutdown(fd, how));
}

int sockatmark(int fd)
{
	int is_at_mark;
	return ioctl(fd, SIOCATMARK, &is_at_mark) < 0 ? -1 : is_at_mark;
}
