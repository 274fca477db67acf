/* SPDX-License-Identifier: MIT */
/* What goes through a file orders threads: who writes comes before who reads. Both ends of a pipe are one place; all
 * sockets but pairs are one, because a connection has an end in another descriptor. Closing a descriptor that another
 * thread uses is a race, at a word that stands for the descriptor. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "next.h"

#define FILES 1024U
#define SOCKETS FILES

static uint64_t descriptor[FILES]; /* a word's address stands for a descriptor; reports show its name */
static uint32_t places[FILES];     /* plus one; 0: its own */

static uint64_t key_of(int fd)
{
	const uint32_t place = (uint32_t)fd < FILES ? places[fd] : 0;
	return SYNC_FILE(place ? place - 1 : (uint32_t)fd);
}

/* A thread has made descriptors, which are at one place. */
static void opened(int fd, uint32_t place, uint64_t pc)
{
	if (fd < 0 || (uint32_t)fd >= FILES)
		return;
	places[fd] = place + 1;
	if (tsan_thread())
		shadow_allocate(tsan_self, (uint64_t)&descriptor[fd], sizeof(descriptor[fd]), pc);
}

static void uses(int fd, uint64_t pc)
{
	if ((uint32_t)fd < FILES)
		access_for(&descriptor[fd], sizeof(descriptor[fd]), 0, pc);
}

/* Before a call that writes to a file. */
static void sends(int fd, uint64_t pc)
{
	uses(fd, pc);
	release_at(key_of(fd));
}

/* Behind a call that has read. */
static void received(int fd, ssize_t got)
{
	if (got >= 0)
		acquire_at(key_of(fd));
}

static void read_into(const void *at, ssize_t got, uint64_t pc)
{
	if (got > 0)
		access_for(at, (uint64_t)got, ACCESS_WRITE, pc);
}

NEXT(read, NULL)
NEXT(write, NULL)
NEXT(pread, NULL)
NEXT(pwrite, NULL)
NEXT(readv, NULL)
NEXT(writev, NULL)
NEXT(recv, NULL)
NEXT(recvfrom, NULL)
NEXT(recvmsg, NULL)
NEXT(send, NULL)
NEXT(sendto, NULL)
NEXT(sendmsg, NULL)

EXPORT ssize_t read(int fd, void *to, size_t bytes)
{
	uses(fd, CALLER);
	const ssize_t got = next_read()(fd, to, bytes);
	received(fd, got);
	read_into(to, got, CALLER);
	return got;
}

EXPORT ssize_t write(int fd, const void *from, size_t bytes)
{
	access_for(from, bytes, 0, CALLER);
	sends(fd, CALLER);
	return next_write()(fd, from, bytes);
}

EXPORT ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
	uses(fd, CALLER);
	const ssize_t got = next_pread()(fd, to, bytes, offset);
	received(fd, got);
	read_into(to, got, CALLER);
	return got;
}

EXPORT ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
	access_for(from, bytes, 0, CALLER);
	sends(fd, CALLER);
	return next_pwrite()(fd, from, bytes, offset);
}

EXPORT ssize_t pread64(int fd, void *to, size_t bytes, off_t offset) __attribute__((alias("pread")));
EXPORT ssize_t pwrite64(int fd, const void *from, size_t bytes, off_t offset) __attribute__((alias("pwrite")));

EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
	uses(fd, CALLER);
	const ssize_t got = next_readv()(fd, parts, count);
	received(fd, got);
	return got;
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
	for (int i = 0; i < count; i++)
		access_for(parts[i].iov_base, parts[i].iov_len, 0, CALLER);
	sends(fd, CALLER);
	return next_writev()(fd, parts, count);
}

EXPORT ssize_t recv(int fd, void *to, size_t bytes, int flags)
{
	uses(fd, CALLER);
	const ssize_t got = next_recv()(fd, to, bytes, flags);
	received(fd, got);
	read_into(to, got, CALLER);
	return got;
}

EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t bytes, int flags, struct sockaddr *restrict from,
                        socklen_t *restrict length)
{
	uses(fd, CALLER);
	const ssize_t got = next_recvfrom()(fd, to, bytes, flags, from, length);
	received(fd, got);
	read_into(to, got, CALLER);
	return got;
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
	uses(fd, CALLER);
	const ssize_t got = next_recvmsg()(fd, message, flags);
	received(fd, got);
	return got;
}

EXPORT ssize_t send(int fd, const void *from, size_t bytes, int flags)
{
	access_for(from, bytes, 0, CALLER);
	sends(fd, CALLER);
	return next_send()(fd, from, bytes, flags);
}

EXPORT ssize_t sendto(int fd, const void *from, size_t bytes, int flags, const struct sockaddr *to, socklen_t length)
{
	access_for(from, bytes, 0, CALLER);
	sends(fd, CALLER);
	return next_sendto()(fd, from, bytes, flags, to, length);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	sends(fd, CALLER);
	return next_sendmsg()(fd, message, flags);
}

/* --- descriptors --- */

NEXT(pipe, NULL)
NEXT(pipe2, NULL)
NEXT(socketpair, NULL)
NEXT(socket, NULL)
NEXT(accept, NULL)
NEXT(accept4, NULL)
NEXT(connect, NULL)
NEXT(dup, NULL)
NEXT(dup2, NULL)
NEXT(dup3, NULL)
NEXT(close, NULL)
NEXT(eventfd, NULL)
NEXT(epoll_create1, NULL)

static int opened_two(int fds[2], int error, uint64_t pc)
{
	for (unsigned i = 0; !error && i < 2; i++)
		opened(fds[i], (uint32_t)fds[0], pc);
	return error;
}

EXPORT int pipe(int fds[2])
{
	return opened_two(fds, next_pipe()(fds), CALLER);
}

EXPORT int pipe2(int fds[2], int flags)
{
	return opened_two(fds, next_pipe2()(fds, flags), CALLER);
}

EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
	return opened_two(fds, next_socketpair()(domain, type, protocol, fds), CALLER);
}

EXPORT int socket(int domain, int type, int protocol)
{
	const int fd = next_socket()(domain, type, protocol);
	opened(fd, SOCKETS, CALLER);
	return fd;
}

EXPORT int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes)
{
	uses(fd, CALLER);
	const int made = next_accept()(fd, address, bytes);
	received(fd, made);
	opened(made, SOCKETS, CALLER);
	return made;
}

EXPORT int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes, int flags)
{
	uses(fd, CALLER);
	const int made = next_accept4()(fd, address, bytes, flags);
	received(fd, made);
	opened(made, SOCKETS, CALLER);
	return made;
}

EXPORT int connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
	sends(fd, CALLER);
	return next_connect()(fd, address, bytes);
}

static int duplicated(int fd, int made, uint64_t pc)
{
	if (made >= 0 && made != fd)
		opened(made, (uint32_t)fd < FILES && places[fd] ? places[fd] - 1 : (uint32_t)fd, pc);
	return made;
}

EXPORT int dup(int fd)
{
	uses(fd, CALLER);
	return duplicated(fd, next_dup()(fd), CALLER);
}

/* Programs replace a descriptor that another thread uses, so that it uses the new file. To replace is to use the
 * number, too: a thread that closes it meanwhile may close either file. */
static int replaced(int fd, int made, uint64_t pc)
{
	if (made >= 0 && made != fd && (uint32_t)made < FILES) {
		places[made] = 1 + ((uint32_t)fd < FILES && places[fd] ? places[fd] - 1 : (uint32_t)fd);
		shadow_forget((uint64_t)&descriptor[made], sizeof(descriptor[made]));
		uses(made, pc);
	}
	return made;
}

EXPORT int dup2(int fd, int to)
{
	uses(fd, CALLER);
	return replaced(fd, next_dup2()(fd, to), CALLER);
}

EXPORT int dup3(int fd, int to, int flags)
{
	uses(fd, CALLER);
	return replaced(fd, next_dup3()(fd, to, flags), CALLER);
}

/* What follows is about another file with this number, which may be opened by a function that is not seen. */
EXPORT int close(int fd)
{
	if ((uint32_t)fd < FILES) {
		access_for(&descriptor[fd], sizeof(descriptor[fd]), ACCESS_WRITE, CALLER);
		release_at(key_of(fd));
		shadow_forget((uint64_t)&descriptor[fd], sizeof(descriptor[fd]));
		places[fd] = 0;
	}
	return next_close()(fd);
}

EXPORT int eventfd(unsigned int count, int flags)
{
	const int fd = next_eventfd()(count, flags);
	opened(fd, (uint32_t)fd, CALLER);
	return fd;
}

EXPORT int epoll_create1(int flags)
{
	const int fd = next_epoll_create1()(flags);
	opened(fd, (uint32_t)fd, CALLER);
	return fd;
}

/* --- waiting for descriptors: what is ready was written before --- */

NEXT(epoll_ctl, NULL)
NEXT(epoll_wait, NULL)

EXPORT int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	sends(epoll, CALLER);
	return next_epoll_ctl()(epoll, operation, fd, event);
}

EXPORT int epoll_wait(int epoll, struct epoll_event *events, int max, int timeout)
{
	uses(epoll, CALLER);
	const int got = next_epoll_wait()(epoll, events, max, timeout);
	received(epoll, got);
	return got;
}
