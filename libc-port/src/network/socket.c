/* SPDX-License-Identifier: MIT */
/* Sockets over the kernel's calls (socket(2), socket(7)). A program that calls none of these functions gets nothing of
 * the kernel's sockets. */
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

KERNEL_FUNCTION(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
KERNEL_FUNCTION(int, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
KERNEL_FUNCTION(int, bind, (int fd, const struct sockaddr *addr, socklen_t length), (fd, addr, (int)length))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, int, connect, (int fd, const struct sockaddr *addr, socklen_t length),
                   (fd, addr, (int)length))
KERNEL_FUNCTION(int, listen, (int fd, int backlog), (fd, backlog))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, int, accept, (int fd, struct sockaddr *restrict addr, socklen_t *restrict length),
                   (fd, addr, (int *)length))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, int, accept4,
                   (int fd, struct sockaddr *restrict addr, socklen_t *restrict length, int flags),
                   (fd, addr, (int *)length, flags))
KERNEL_FUNCTION(int, getsockname, (int fd, struct sockaddr *restrict addr, socklen_t *restrict length),
                (fd, addr, (int *)length))
KERNEL_FUNCTION(int, getpeername, (int fd, struct sockaddr *restrict addr, socklen_t *restrict length),
                (fd, addr, (int *)length))

ssize_t send(int fd, const void *buf, size_t size, int flags)
{
	return sendto(fd, buf, size, flags, NULL, 0);
}

ssize_t recv(int fd, void *buf, size_t size, int flags)
{
	return recvfrom(fd, buf, size, flags, NULL, NULL);
}

KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, sendto,
                   (int fd, const void *buf, size_t size, int flags, const struct sockaddr *addr, socklen_t length),
                   (fd, buf, size, flags, addr, (int)length))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, recvfrom,
                   (int fd, void *restrict buf, size_t size, int flags, struct sockaddr *restrict addr,
                    socklen_t *restrict length),
                   (fd, buf, size, flags, addr, (int *)length))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
                   (fd, (const struct linux_msghdr *)message, flags))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, ssize_t, recvmsg, (int fd, struct msghdr *message, int flags),
                   (fd, (struct linux_msghdr *)message, flags))
KERNEL_FUNCTION_BY(THREAD_RESTARTED, int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned count, int flags),
                   (fd, (struct linux_mmsghdr *)messages, count, flags))

int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
	return (int)kernel_result(THREAD_RESTARTED(
		kcall_recvmmsg(fd, (struct linux_mmsghdr *)messages, count, flags, (struct linux_timespec *)timeout)));
}

KERNEL_FUNCTION(int, getsockopt, (int fd, int level, int option, void *restrict value, socklen_t *restrict length),
                (fd, level, option, value, (int *)length))
KERNEL_FUNCTION(int, setsockopt, (int fd, int level, int option, const void *value, socklen_t length),
                (fd, level, option, value, (int)length))
KERNEL_FUNCTION(int, shutdown, (int fd, int how), (fd, how))

int sockatmark(int fd)
{
	int is_at_mark;
	return ioctl(fd, SIOCATMARK, &is_at_mark) < 0 ? -1 : is_at_mark;
}
