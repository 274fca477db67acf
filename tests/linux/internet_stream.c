/* SPDX-License-Identifier: MIT */
/* TCP on loopback (tcp(7)): connections, refusals, half close, resets, and the events of all these states. */
/* also for native images */
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "tests/linux/internet.h"

static int listener, client, server;
static char buf[70000];

static void begin(const char *what)
{
	printf("%s\n", what);
	listener = socket(AF_INET, SOCK_STREAM, 0);
	bind_to(listener, "127.0.0.1", 0);
	listen(listener, 5);
	client = socket(AF_INET, SOCK_STREAM, 0);
	connect_to(client, "127.0.0.1", port_of(listener));
	server = accept(listener, NULL, NULL);
}

static void finish(void)
{
	close(listener);
	close(client);
	close(server);
}

static int unused_port(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bind_to(fd, "127.0.0.1", 0);
	int port = port_of(fd);
	close(fd);
	return port;
}

static void unconnected(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0), port = unused_port();
	printf("unconnected\n");
	SAY(events_of(fd, 0));
	SAY(recv(fd, buf, 1, 0));
	SAY(send(fd, buf, 1, 0));
	show_name(fd, "own", getsockname);
	show_name(fd, "peer", getpeername);
	SAY(listen(fd, 3));
	show_name(fd, "own", getsockname);
	SAY(option(fd, SOL_SOCKET, SO_ACCEPTCONN));
	SAY(events_of(fd, 0));
	SAY(recv(fd, buf, 1, 0));
	SAY(send(fd, buf, 1, 0));
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(tcp_state(fd));
	SAY(shutdown(fd, SHUT_WR));
	SAY(shutdown(fd, SHUT_RD));
	SAY(tcp_state(fd));
	SAY(events_of(fd, 0));
	SAY(accept(fd, NULL, NULL));
	close(fd);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(events_of(fd, 0));
	SAY(connect(fd, (struct sockaddr *)buf, 1));
	SAY(connect_to(fd, "::1", port));
	SAY(shutdown(fd, SHUT_RDWR));
	SAY(recv(fd, buf, 1, 0));
	close(fd);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(events_of(fd, POLLERR));
	SAY(option(fd, SOL_SOCKET, SO_ERROR));
	SAY(events_of(fd, 0));
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(connect_to(fd, "127.0.0.1", port));
	events_of(fd, POLLERR);
	SAY(send(fd, buf, 1, 0));
	close(fd);
	SAY(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP));
	SAY(socket(AF_INET, SOCK_SEQPACKET, 0));
	SAY(socket(AF_INET, SOCK_DGRAM, IPPROTO_TCP));
	SAY(socket(AF_INET6, SOCK_STREAM, 300));
}

static void nonblocking(void)
{
	begin("non-blocking");
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), port = port_of(listener);
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(events_of(fd, POLLOUT));
	SAY(option(fd, SOL_SOCKET, SO_ERROR));
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(connect_to(fd, "127.0.0.1", port));
	SAY(send(fd, buf, 1, 0));
	union address peer = {0};
	socklen_t bytes = sizeof(peer);
	int other = accept4(listener, &peer.any, &bytes, SOCK_NONBLOCK | SOCK_CLOEXEC);
	show_address("accepted", &peer, bytes);
	SAY_TRUE(ntohs(peer.v4.sin_port) == port_of(fd));
	SAY_TRUE(port_of(other) == port);
	SAY(fcntl(other, F_GETFD));
	SAY(recv(other, buf, 9, 0));
	SAY(recv(other, buf, 9, 0));
	bytes = sizeof(peer);
	memset(&peer, 0, sizeof(peer));
	SAY(send(other, "from", 4, 0));
	SAY(recvfrom(fd, buf, 9, 0, &peer.any, &bytes));
	printf("%u bytes\n", bytes);
	close(other);
	close(fd);
	finish();
}

/* The queue of a listener with a backlog of 0 has one place. */
static void backlog(void)
{
	begin("backlog");
	SAY(listen(listener, 0));
	int fds[3];
	for (int i = 0; i < 3; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		SAY(connect_to(fds[i], "127.0.0.1", port_of(listener)));
		SAY(events_of(fds[i], i ? 0 : POLLOUT));
	}
	SAY(connect_to(fds[1], "127.0.0.1", port_of(listener)));
	SAY(send(fds[1], buf, 1, 0));
	SAY(recv(fds[1], buf, 1, 0));
	show_name(fds[1], "peer", getpeername);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	finish();
}

static void *send_more(void *unused)
{
	send(client, "cdef", 4, 0);
	return unused;
}

static void data(void)
{
	pthread_t thread;
	int bytes = 0;
	begin("data");
	SAY(tcp_state(client));
	SAY(events_of(client, 0));
	SAY(send(client, "hello, world", 12, MSG_NOSIGNAL));
	SAY(events_of(server, POLLIN));
	SAY(recv(server, buf, 5, MSG_PEEK));
	SAY(recv(server, buf, 5, MSG_TRUNC));
	SAY(ioctl(server, SIOCINQ, &bytes));
	printf("%d bytes\n", bytes);
	SAY(recv(server, buf, 20, 0));
	printf("%.7s\n", buf);
	SAY(recv(server, buf, 20, MSG_DONTWAIT));
	SAY(send(client, "ab", 2, 0));
	pthread_create(&thread, NULL, send_more, NULL);
	SAY(recv(server, buf, 6, MSG_WAITALL));
	pthread_join(thread, NULL);
	printf("%.6s\n", buf);
	struct iovec iov[2] = {{"one ", 4}, {"two", 3}};
	SAY(writev(server, iov, 2));
	SAY(read(client, buf, 20));
	struct timeval timeout = {0, 20000};
	SAY(setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)));
	SAY(read(client, buf, 20));
	SAY(send(server, "x", 1, MSG_OOB));
	SAY(events_of(client, POLLPRI));
	SAY(recv(client, buf, 9, MSG_OOB));
	SAY(recv(client, buf, 9, MSG_OOB));
	SAY(recv(client, buf, 9, MSG_DONTWAIT));
	SAY(send(server, "abc", 3, MSG_OOB));
	SAY(send(server, "def", 3, 0));
	events_of(client, POLLPRI);
	SAY(recv(client, buf, 9, 0));
	SAY(ioctl(client, SIOCATMARK, &bytes));
	printf("at mark %d\n", bytes);
	SAY(recv(client, buf, 9, 0));
	finish();
}

static void half_close(void)
{
	begin("half close");
	SAY(shutdown(client, SHUT_WR));
	SAY(events_of(server, POLLRDHUP));
	SAY(events_of(client, 0));
	SAY(tcp_state(server));
	SAY(recv(server, buf, 9, 0));
	SAY(send(server, buf, 5, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(send(client, buf, 1, 0));
	SAY(shutdown(server, SHUT_WR));
	SAY(events_of(client, POLLHUP));
	SAY(events_of(server, POLLHUP));
	SAY(recv(client, buf, 9, 0));
	SAY(send(server, buf, 1, 0));
	SAY(shutdown(server, SHUT_RDWR));
	show_name(server, "peer", getpeername);
	finish();
	begin("no more reading");
	SAY(shutdown(client, SHUT_RD));
	SAY(events_of(client, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(send(server, buf, 5, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(recv(client, buf, 9, 0));
	finish();
}

static void closed(void)
{
	begin("closed");
	SAY(send(server, buf, 4, 0));
	SAY(close(server));
	SAY(events_of(client, POLLRDHUP));
	SAY(tcp_state(client));
	SAY(recv(client, buf, 9, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(send(client, buf, 1, 0));
	SAY(events_of(client, POLLERR));
	SAY(option(client, SOL_SOCKET, SO_ERROR));
	SAY(send(client, buf, 1, 0));
	SAY(recv(client, buf, 1, 0));
	SAY(events_of(client, 0));
	SAY(tcp_state(client));
	show_name(client, "peer", getpeername);
	finish();
	begin("closed, and written to twice");
	SAY(close(server));
	SAY(send(client, buf, 1, 0));
	events_of(client, POLLERR);
	SAY(send(client, buf, 1, 0));
	SAY(recv(client, buf, 9, 0));
	finish();
}

static void reset(void)
{
	const struct linger none = {1, 0};
	begin("closed with unread data");
	SAY(send(server, buf, 4, 0));
	SAY(send(client, buf, 4, 0));
	events_of(server, POLLIN);
	SAY(close(server));
	SAY(events_of(client, POLLERR));
	SAY(recv(client, buf, 9, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(recv(client, buf, 9, 0));
	SAY(send(client, buf, 1, 0));
	SAY(events_of(client, 0));
	finish();
	begin("closed with SO_LINGER and no time");
	SAY(setsockopt(server, SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
	SAY(close(server));
	events_of(client, POLLERR);
	SAY(send(client, buf, 1, 0));
	SAY(send(client, buf, 1, 0));
	finish();
	begin("closed before it was accepted");
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	SAY(connect_to(fd, "127.0.0.1", port_of(listener)));
	SAY(close(listener));
	SAY(events_of(fd, POLLERR));
	SAY(recv(fd, buf, 1, 0));
	SAY(recv(fd, buf, 1, 0));
	close(fd);
	finish();
	begin("disconnected");
	const struct sockaddr unspecified = {.sa_family = AF_UNSPEC};
	SAY(connect(client, &unspecified, sizeof(unspecified)));
	SAY(events_of(client, POLLHUP));
	SAY(send(client, buf, 1, 0));
	SAY(events_of(server, POLLERR));
	SAY(recv(server, buf, 1, 0));
	SAY(connect_to(client, "127.0.0.1", port_of(listener)));
	fd = accept(listener, NULL, NULL);
	SAY(close(server)); /* the end of the first connection does not touch the second */
	SAY(send(client, buf, 3, 0));
	SAY(recv(fd, buf, 9, 0));
	SAY(send(fd, buf, 2, 0));
	SAY(recv(client, buf, 9, 0));
	close(fd);
	finish();
}

static void *accept_one(void *result)
{
	*(int *)result = accept(listener, NULL, NULL) == -1 ? errno : 0;
	return NULL;
}

static void *connect_last(void *result)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	*(int *)result = connect_to(fd, "127.0.0.1", port_of(listener)) == -1 ? errno : 0;
	send(fd, buf, 7, 0);
	close(fd);
	return NULL;
}

/* Room in a listener's queue lets the next connection in; a listener that is shut down accepts no more. */
static void waiting(void)
{
	pthread_t thread;
	int result;
	begin("waiting");
	SAY(listen(listener, 0));
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	SAY(connect_to(fd, "127.0.0.1", port_of(listener)));
	pthread_create(&thread, NULL, connect_last, &result);
	int first = accept(listener, NULL, NULL), second = accept(listener, NULL, NULL);
	SAY(recv(second, buf, 9, 0));
	pthread_join(thread, NULL);
	printf("connect: %s\n", errno_name(result));
	close(first);
	close(second);
	close(fd);
	pthread_create(&thread, NULL, accept_one, &result);
	SAY(shutdown(listener, SHUT_RD));
	pthread_join(thread, NULL);
	printf("accept: %s\n", errno_name(result));
	finish();
}

static void *send_much(void *unused)
{
	long left = 8000000;
	while (left > 0)
		left -= send(client, buf, left < (long)sizeof(buf) ? (size_t)left : sizeof(buf), 0);
	shutdown(client, SHUT_WR);
	return unused;
}

static volatile sig_atomic_t got_signal;

static void on_signal(int number)
{
	got_signal = number;
}

/* A writer waits while the buffers are full; a signal tells of a broken connection. */
static void full(void)
{
	static char into[sizeof(buf)];
	pthread_t thread;
	begin("full");
	pthread_create(&thread, NULL, send_much, NULL);
	long sum = 0, got_bytes;
	while ((got_bytes = recv(server, into, sizeof(into), 0)) > 0)
		sum += got_bytes;
	printf("received %ld\n", sum);
	pthread_join(thread, NULL);
	finish();
	begin("full, without waiting");
	fcntl(client, F_SETFL, O_NONBLOCK);
	while (send(client, buf, sizeof(buf), 0) > 0)
		;
	SAY_TRUE(errno == EAGAIN);
	SAY(events_of(client, 0));
	while (!(events_of(client, 0) & POLLOUT))
		recv(server, buf, sizeof(buf), MSG_DONTWAIT);
	SAY(events_of(client, POLLOUT));
	signal(SIGPIPE, on_signal);
	shutdown(client, SHUT_WR);
	SAY(send(client, buf, 1, MSG_NOSIGNAL));
	printf("signal %d\n", got_signal);
	SAY(send(client, buf, 1, 0));
	printf("signal %d\n", got_signal);
	signal(SIGPIPE, SIG_IGN);
	finish();
}

/* sendfile(2) carries data to connections; epoll(7) tells of each arrival once by EPOLLET. */
static void carried(void)
{
	int file = open("/tmp", O_RDWR | O_TMPFILE, 0600), set_of_files = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET};
	off_t at = 2;
	begin("carried");
	SAY(write(file, "a file's data", 13));
	SAY(sendfile(client, file, &at, 20));
	SAY(recv(server, buf, 11, MSG_WAITALL));
	printf("%.11s\n", buf);
	SAY(epoll_ctl(set_of_files, EPOLL_CTL_ADD, client, &event));
	SAY(epoll_wait(set_of_files, &event, 1, 0));
	SAY(send(server, "one", 3, 0));
	SAY(epoll_wait(set_of_files, &event, 1, -1));
	SAY(event.events);
	SAY(epoll_wait(set_of_files, &event, 1, 0));
	SAY(send(server, "two", 3, 0));
	SAY(epoll_wait(set_of_files, &event, 1, -1));
	SAY(recv(client, buf, 9, 0));
	SAY(shutdown(server, SHUT_WR));
	SAY(epoll_wait(set_of_files, &event, 1, -1));
	SAY(event.events);
	close(set_of_files);
	close(file);
	finish();
}

static void options(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char name[16] = "";
	socklen_t bytes = sizeof(name);
	printf("options\n");
	SAY(option(fd, SOL_SOCKET, SO_TYPE));
	SAY(option(fd, SOL_SOCKET, SO_DOMAIN));
	SAY(option(fd, SOL_SOCKET, SO_PROTOCOL));
	SAY(option(fd, SOL_SOCKET, SO_SNDBUF));
	SAY(option(fd, SOL_SOCKET, SO_RCVBUF));
	SAY(option(fd, SOL_SOCKET, SO_KEEPALIVE));
	SAY(option(fd, IPPROTO_TCP, TCP_NODELAY));
	SAY(set(fd, IPPROTO_TCP, TCP_NODELAY, 5));
	SAY(option(fd, IPPROTO_TCP, TCP_NODELAY));
	SAY(option(fd, IPPROTO_TCP, TCP_MAXSEG));
	SAY(option(fd, IPPROTO_TCP, TCP_KEEPIDLE));
	SAY(set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 40000));
	SAY(set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 40));
	SAY(option(fd, IPPROTO_TCP, TCP_KEEPIDLE));
	SAY(option(fd, IPPROTO_TCP, TCP_KEEPINTVL));
	SAY(option(fd, IPPROTO_TCP, TCP_KEEPCNT));
	SAY(set(fd, IPPROTO_TCP, TCP_KEEPCNT, 128));
	SAY(option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT));
	SAY(set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, -1));
	SAY(option(fd, IPPROTO_TCP, TCP_QUICKACK));
	SAY(getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &bytes));
	printf("%u bytes\n", bytes);
	SAY(setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4));
	SAY(setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "none such", 9));
	SAY(option(fd, IPPROTO_IP, IP_TTL));
	SAY(set(fd, IPPROTO_IP, IP_TTL, 256));
	SAY(set(fd, IPPROTO_IP, IP_TTL, 7));
	SAY(option(fd, IPPROTO_IP, IP_TTL));
	SAY(set(fd, IPPROTO_IP, IP_TOS, 16));
	SAY(option(fd, IPPROTO_IP, IP_TOS));
	SAY(set(fd, IPPROTO_TCP, 9999, 1));
	SAY(option(fd, IPPROTO_TCP, 9999));
	SAY(set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1));
	SAY(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, name, 2));
	close(fd);
}

int main(void)
{
	own_network();
	signal(SIGPIPE, SIG_IGN);
	setvbuf(stdout, NULL, _IOLBF, 0);
	unconnected();
	nonblocking();
	backlog();
	data();
	half_close();
	closed();
	reset();
	waiting();
	full();
	carried();
	options();
	return 0;
}
