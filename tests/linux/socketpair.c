/* SPDX-License-Identifier: MIT */
/* natively: root */
/* socketpair(2): the three types, how much they take, ends that are closed or shut down, files and names that are sent.
 */
/* also for native images */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int broken;

static void on_pipe(int sig)
{
	broken += sig == SIGPIPE;
}

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT | POLLRDHUP | POLLPRI | POLLRDNORM | POLLWRNORM, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static int option(int fd, int name)
{
	int value = -1;
	socklen_t bytes = sizeof(value);
	return getsockopt(fd, SOL_SOCKET, name, &value, &bytes) ? -1 : value;
}

static int unread(int fd)
{
	int bytes = -1;
	return ioctl(fd, FIONREAD, &bytes) ? -1 : bytes;
}

/* Nobody is sent a signal, but servers ask for it between their processes, and must not be refused. */
static void signalled(void)
{
	int fds[2], on = 1, off = 0, file = open("/", O_RDONLY);
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	SAY(ioctl(fds[0], FIOASYNC, &on));
	SAY(fcntl(fds[0], F_GETFL));
	SAY(fcntl(fds[1], F_GETFL));
	SAY(fcntl(fds[0], F_SETOWN, getpid()));
	SAY(ioctl(fds[0], FIONBIO, &on));
	SAY(fcntl(fds[0], F_GETFL));
	SAY(ioctl(fds[0], FIOASYNC, &off));
	SAY(fcntl(fds[0], F_GETFL));
	SAY(ioctl(fds[0], FIOASYNC, (int *)8));
	SAY(ioctl(file, FIOASYNC, &on));
	SAY(ioctl(file, FIOASYNC, &off));
	SAY(ioctl(99, FIOASYNC, &on));
	close(file);
	close(fds[0]);
	close(fds[1]);
}

static void errors(void)
{
	int fds[2], null = open("/dev/null", O_RDWR), value = 1;
	socklen_t bytes = sizeof(value);
	char buf[8];
	SAY(socket(AF_UNIX, 4, 0));
	SAY(socket(AF_UNIX, SOCK_STREAM, 3));
	SAY(socketpair(AF_INET, SOCK_STREAM, 0, fds));
	SAY(socketpair(AF_INET6, SOCK_DGRAM, 0, fds));
	SAY(socketpair(AF_INET, 99, 0, fds));
	SAY(socket(AF_UNIX, SOCK_STREAM | 0x100, 0));
	SAY(socket(99, SOCK_STREAM, 0));
	SAY(socketpair(AF_UNIX, SOCK_STREAM, 0, (int *)8));
	SAY(recv(null, buf, 1, 0));
	SAY(recv(99, buf, 1, 0));
	SAY(send(null, buf, 1, 0));
	SAY(shutdown(null, 0));
	SAY(listen(null, 0));
	SAY(accept(null, NULL, NULL));
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	SAY(fcntl(fd, F_GETFD));
	SAY(fcntl(fd, F_GETFL));
	SAY(events_of(fd));
	SAY(recv(fd, buf, 1, 0));
	SAY(read(fd, buf, 1));
	SAY(send(fd, buf, 1, 0));
	SAY(write(fd, buf, 1));
	SAY(listen(fd, 1));
	SAY(accept(fd, NULL, NULL));
	SAY(shutdown(fd, 3));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(getpeername(fd, (struct sockaddr *)buf, &bytes));
	SAY(getsockopt(fd, SOL_SOCKET, 999, &value, &bytes));
	SAY(getsockopt(fd, 6, 1, &value, &bytes));
	SAY(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, 2));
	SAY(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &value, 4));
	SAY(option(fd, SO_REUSEADDR));
	SAY(option(fd, SO_TYPE));
	SAY(option(fd, SO_DOMAIN));
	SAY(option(fd, SO_PROTOCOL));
	SAY(option(fd, SO_ERROR));
	SAY(option(fd, SO_ACCEPTCONN));
	SAY(option(fd, SO_SNDBUF));
	SAY(option(fd, SO_RCVBUF));
	value = 10000;
	SAY(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &value, 4));
	SAY(option(fd, SO_SNDBUF));
	value = 1;
	SAY(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &value, 4));
	SAY(option(fd, SO_SNDBUF));
	close(fd);
	fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	SAY(events_of(fd));
	SAY(recv(fd, buf, 1, 0));
	SAY(send(fd, buf, 1, 0));
	close(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	SAY(events_of(fd));
	SAY(recv(fd, buf, 1, MSG_DONTWAIT));
	SAY(send(fd, buf, 1, 0));
	SAY(listen(fd, 1));
	close(fd);
	SAY(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	SAY(recv(fds[0], buf, 1, MSG_OOB | MSG_DONTWAIT) < 0);
	close(fds[0]);
	close(fds[1]);
	close(null);
}

/* Until it would have to wait. */
static void fill(int type, size_t bytes)
{
	static char data[300000];
	int fds[2], count = 0, charged;
	long total = 0, done;
	if (socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, fds))
		return;
	while ((done = write(fds[0], data, bytes)) > 0) {
		total += done;
		count++;
	}
	ioctl(fds[0], TIOCOUTQ, &charged);
	printf("type %d, %zu bytes: %d writes, %ld bytes, charged %d, then %s; events %x\n", type, bytes, count, total,
	       charged, errno_name(errno), events_of(fds[0]));
	for (int i = 0; i < count && events_of(fds[0]) == 0; i++)
		printf("read %zd\n", read(fds[1], data, sizeof(data) / 4));
	close(fds[0]);
	close(fds[1]);
}

static void transfer(int type)
{
	int fds[2];
	char buf[64] = "";
	struct iovec out[2] = {{"one ", 4}, {"two", 3}}, in[2] = {{buf, 2}, {buf + 2, 60}};
	printf("type %d\n", type);
	SAY(socketpair(AF_UNIX, type, 0, fds));
	SAY(events_of(fds[0]));
	SAY(writev(fds[0], out, 2));
	SAY(send(fds[0], "three", 5, 0));
	SAY(events_of(fds[1]));
	SAY(unread(fds[1]));
	SAY(recv(fds[1], buf, 3, MSG_PEEK));
	SAY(recv(fds[1], buf, 3, MSG_PEEK | MSG_TRUNC));
	SAY(readv(fds[1], in, 2));
	printf("%.12s\n", buf);
	if (type != SOCK_STREAM) {
		SAY(recv(fds[1], buf, 2, 0));
		SAY(send(fds[0], "", 0, 0));
		SAY(recv(fds[1], buf, 2, 0));
	}
	SAY(recv(fds[1], buf, 2, MSG_DONTWAIT));
	SAY(shutdown(fds[0], SHUT_WR));
	SAY(events_of(fds[0]));
	SAY(events_of(fds[1]));
	SAY(send(fds[0], "x", 1, 0));
	SAY(send(fds[0], "x", 1, MSG_NOSIGNAL));
	SAY(write(fds[0], "x", 1));
	SAY(writev(fds[0], out, 2));
	SAY(broken);
	if (type != SOCK_DGRAM)
		SAY(recv(fds[1], buf, 2, 0));
	SAY(send(fds[1], "back", 4, 0));
	SAY(recv(fds[0], buf, 64, 0));
	SAY(send(fds[1], "lost", 4, 0));
	SAY(close(fds[0]));
	SAY(events_of(fds[1]));
	SAY(option(fds[1], SO_ERROR));
	SAY(send(fds[1], "x", 1, 0));
	SAY(send(fds[1], "x", 1, 0));
	SAY(broken);
	if (type != SOCK_DGRAM)
		SAY(recv(fds[1], buf, 2, 0));
	close(fds[1]);
}

static void wait_all(void)
{
	int fds[2];
	char buf[16] = "";
	struct timeval soon = {0, 10000};
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	SAY(send(fds[0], "abc", 3, 0));
	SAY(send(fds[0], "def", 3, 0));
	SAY(recv(fds[1], buf, 6, MSG_WAITALL));
	SAY(setsockopt(fds[1], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof(soon)));
	SAY(send(fds[0], "gh", 2, 0));
	SAY(recv(fds[1], buf, 6, MSG_WAITALL));
	SAY(recv(fds[1], buf, 6, 0));
	close(fds[0]);
	close(fds[1]);
}

struct control {
	struct cmsghdr header;
	union {
		int fds[8];
		struct ucred credentials;
		char room[256];
	};
};

static long send_files(int fd, const char *text, const int *fds, int count)
{
	struct control control = {.header = {CMSG_LEN(count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec iov = {(void *)text, strlen(text)};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
	message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	memcpy(control.fds, fds, count * sizeof(int));
	return sendmsg(fd, &message, 0);
}

/* Whether one may say that it is this process. */
static void send_as(int fd, pid_t pid, uid_t uid)
{
	struct ucred who = {pid, uid, getegid()};
	struct control control = {.header = {CMSG_LEN(sizeof(who)), SOL_SOCKET, SCM_CREDENTIALS}};
	struct iovec iov = {"x", 1};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control};
	message.msg_controllen = CMSG_LEN(sizeof(who));
	memcpy(control.fds, &who, sizeof(who));
	printf("%s: %s\n",
	       pid == getpid() ? "me"
	       : pid > 0       ? "nobody"
	                       : "no number",
	       sendmsg(fd, &message, 0) == 1                                           ? "sent"
	       : errno == EPERM || errno == ESRCH /* who is not root is asked first */ ? "refused"
	                                                                               : errno_name(errno));
}

static void credentials(void)
{
	int fds[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	send_as(fds[0], getpid(), geteuid());
	send_as(fds[0], getpid(), (uid_t)-1);
	send_as(fds[0], 0x3ffffff0, geteuid());
	send_as(fds[0], 0, geteuid());
	send_as(fds[0], -1, geteuid());
	close(fds[0]);
	close(fds[1]);
}

/* Receives, and tells all that came. */
static long receive(int fd, size_t room, int flags)
{
	static struct control control;
	char text[64];
	struct iovec iov = {text, sizeof(text)};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = room};
	long bytes = recvmsg(fd, &message, flags);
	if (bytes < 0)
		return bytes;
	printf("received '%.*s', flags %x, %zu bytes of control\n", (int)bytes, text, message.msg_flags,
	       message.msg_controllen);
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
		int fds[8], count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		printf("level %d, type %d, %zu bytes\n", c->cmsg_level, c->cmsg_type, c->cmsg_len);
		if (c->cmsg_type == SCM_CREDENTIALS) {
			struct ucred who;
			memcpy(&who, CMSG_DATA(c), sizeof(who));
			printf("me %d, uid %d\n", who.pid == getpid(), (int)who.uid);
			continue;
		}
		memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
		for (int i = 0; i < count; i++) {
			printf("fd %d, cloexec %d, wrote %zd\n", fds[i], fcntl(fds[i], F_GETFD), write(fds[i], "!", 1));
			close(fds[i]);
		}
	}
	return bytes;
}

static void rights(int type)
{
	int fds[2], pipe_fds[2], on = 1, bad = 99;
	char buf[8];
	printf("files, type %d\n", type);
	socketpair(AF_UNIX, type, 0, fds);
	SAY(pipe2(pipe_fds, O_NONBLOCK));
	int two[2] = {pipe_fds[1], pipe_fds[1]};
	SAY(send_files(fds[0], "bad", &bad, 1));
	SAY(send_files(fds[0], "one", two, 1));
	SAY(send(fds[0], "none", 4, 0));
	SAY(send_files(fds[0], "two", two, 2));
	SAY(receive(fds[1], 64, MSG_DONTWAIT));
	SAY(receive(fds[1], 64, MSG_DONTWAIT));
	SAY(receive(fds[1], 64, MSG_DONTWAIT | MSG_CMSG_CLOEXEC));
	SAY(send_files(fds[0], "two", two, 2));
	SAY(receive(fds[1], 64, MSG_DONTWAIT | MSG_PEEK));
	SAY(receive(fds[1], CMSG_LEN(4), MSG_DONTWAIT));
	SAY(send_files(fds[0], "lost", two, 1));
	SAY(recv(fds[1], buf, 8, MSG_DONTWAIT));
	SAY(send_files(fds[0], "lost", two, 1));
	SAY(receive(fds[1], 0, MSG_DONTWAIT));
	SAY(setsockopt(fds[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)));
	SAY(send_files(fds[0], "who", two, 1));
	SAY(receive(fds[1], 128, MSG_DONTWAIT));
	SAY(send_files(fds[0], "kept", two, 1)); /* it is the pipe's writer until it is gone */
	close(pipe_fds[1]);
	SAY(read(pipe_fds[0], buf, 8));
	SAY(read(pipe_fds[0], buf, 8));
	close(fds[1]);
	SAY(read(pipe_fds[0], buf, 8));
	close(fds[0]);
	close(pipe_fds[0]);
}

/* To receive nothing waits for something, but for read(2). */
static void nothing(void)
{
	char buf[4];
	int fds[2];
	struct iovec none = {buf, 0};
	struct msghdr empty = {.msg_iov = &none, .msg_iovlen = 1}, no_vector = {0};
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	SAY(recv(fds[0], buf, 0, MSG_DONTWAIT));
	SAY(recv(fds[0], buf, 0, MSG_DONTWAIT | MSG_PEEK));
	SAY(recvmsg(fds[0], &empty, MSG_DONTWAIT));
	SAY(recvmsg(fds[0], &no_vector, MSG_DONTWAIT));
	SAY(read(fds[0], buf, 0));
	SAY(readv(fds[0], &none, 1));
	write(fds[1], "abc", 3);
	SAY(recv(fds[0], buf, 0, 0));
	SAY(recv(fds[0], buf, 0, MSG_PEEK));
	SAY(recvmsg(fds[0], &empty, 0));
	SAY(unread(fds[0]));
	SAY(recv(fds[0], buf, 4, 0));
	close(fds[1]);
	SAY(recv(fds[0], buf, 0, 0));
	close(fds[0]);
}

int main(void)
{
	signal(SIGPIPE, on_pipe);
	nothing();
	errors();
	signalled();
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	static const size_t sizes[] = {1, 300, 4096, 20000, 65536, 200000};
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 6; j++)
			fill(types[i], sizes[j]);
	for (int i = 0; i < 3; i++)
		transfer(types[i]);
	wait_all();
	for (int i = 0; i < 3; i++)
		rights(types[i]);
	credentials();
	return 0;
}
