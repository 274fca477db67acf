/* SPDX-License-Identifier: MIT */
/* Urgent bytes of streams (unix(7), MSG_OOB): received by themselves, or in their place with SO_OOBINLINE; other reads
 * end before them. */
/* also for native images */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int fds[2];

static void start(const char *what)
{
	printf("%s\n", what);
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
}

static void end(void)
{
	close(fds[0]);
	close(fds[1]);
}

static void put(const char *text, int flags)
{
	long sent = send(fds[0], text, strlen(text), flags);
	printf("send %s: %ld %s\n", text, sent, sent < 0 ? errno_name(errno) : "");
}

static void get(int flags)
{
	char text[16] = "";
	struct iovec iov = {text, sizeof(text) - 1};
	struct msghdr message = {.msg_iov = &iov, .msg_iovlen = 1};
	long got = recvmsg(fds[1], &message, flags | MSG_DONTWAIT);
	printf("receive%s%s: %ld %s %s %x\n", flags & MSG_OOB ? " urgent" : "", flags & MSG_PEEK ? ", look" : "", got,
	       got < 0 ? errno_name(errno) : "", text, got < 0 ? 0 : message.msg_flags);
}

static void state(void)
{
	struct pollfd poll_of = {fds[1], POLLIN | POLLPRI, 0};
	int mark = -1, unread = -1;
	poll(&poll_of, 1, 0);
	ioctl(fds[1], SIOCATMARK, &mark);
	ioctl(fds[1], FIONREAD, &unread);
	printf("poll %x, at mark %d, unread %d\n", poll_of.revents, mark, unread);
}

static void separate(void)
{
	start("by itself");
	state();
	get(MSG_OOB);
	put("hello!", MSG_OOB);
	state();
	get(MSG_OOB | MSG_PEEK);
	get(MSG_PEEK);
	get(MSG_OOB);
	get(MSG_OOB);
	put("more", 0);
	get(0); /* is the place of one that has been read marked? Kernels differ */
	get(0);
	state();
	end();

	start("not asked for");
	put("ab", MSG_OOB);
	put("cd", 0);
	get(0);
	state();
	get(0);
	get(MSG_OOB);
	end();

	start("at once");
	put("x", MSG_OOB);
	state();
	get(MSG_OOB);
	get(0);
	put("y", 0);
	get(0);
	end();

	start("two");
	put("ab", MSG_OOB);
	put("cd", MSG_OOB);
	state();
	get(MSG_OOB);
	get(0);
	end();
}

static void in_place(void)
{
	const int on = 1;
	start("in its place");
	SAY(setsockopt(fds[1], SOL_SOCKET, SO_OOBINLINE, &on, sizeof(on)));
	put("abc", MSG_OOB);
	put("de", 0);
	state();
	get(MSG_OOB);
	get(0);
	state();
	get(0);
	state();
	end();
}

static void refused(void)
{
	char byte;
	start("refused");
	put("", MSG_OOB);
	SAY(recv(fds[1], &byte, 1, MSG_OOB));
	end();
	assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
	put("a", MSG_OOB);
	SAY(recv(fds[1], &byte, 1, MSG_OOB));
	end();
	assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds));
	put("a", MSG_OOB);
	SAY(recv(fds[1], &byte, 1, MSG_OOB));
	end();
	start("closed");
	close(fds[1]);
	put("a", MSG_OOB | MSG_NOSIGNAL);
	close(fds[0]);
}

static void *send_later(void *unused)
{
	(void)unused;
	usleep(10000);
	send(fds[0], "u", 1, MSG_OOB);
	usleep(10000);
	send(fds[0], "rest", 4, 0);
	return NULL;
}

/* Who waits for bytes goes on waiting; who waits for urgent ones hears of them. */
static void waits(void)
{
	struct epoll_event event = {.events = EPOLLPRI | EPOLLET};
	pthread_t thread;
	char text[8] = "";
	start("waited for");
	int set = epoll_create1(0);
	assert(!epoll_ctl(set, EPOLL_CTL_ADD, fds[1], &event));
	assert(!pthread_create(&thread, NULL, send_later, NULL));
	SAY(epoll_wait(set, &event, 1, 5000));
	printf("events %x\n", event.events);
	fd_set except;
	FD_ZERO(&except);
	FD_SET(fds[1], &except);
	SAY(select(fds[1] + 1, NULL, NULL, &except, NULL));
	SAY(read(fds[1], text, 7));
	printf("%s\n", text);
	pthread_join(thread, NULL);
	end();
	close(set);
}

int main(void)
{
	separate();
	in_place();
	refused();
	waits();
	return 0;
}
