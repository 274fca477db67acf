/* SPDX-License-Identifier: MIT */
/* natively: root */
/* AF_UNIX sockets with names: bind, listen, accept, connect, datagrams, several clients, epoll, interrupted waits. */
/* also for native images */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define BASE offsetof(struct sockaddr_un, sun_path)

static socklen_t named(struct sockaddr_un *name, const char *text)
{
	memset(name, 0, sizeof(*name));
	name->sun_family = AF_UNIX;
	if (text[0] == '@') {
		memcpy(name->sun_path + 1, text + 1, strlen(text) - 1);
		return BASE + strlen(text);
	}
	strcpy(name->sun_path, text);
	return BASE + strlen(text) + 1;
}

static int bind_to(int fd, const char *text)
{
	struct sockaddr_un name;
	socklen_t bytes = named(&name, text);
	return bind(fd, (struct sockaddr *)&name, bytes);
}

static int connect_to(int fd, const char *text)
{
	struct sockaddr_un name;
	socklen_t bytes = named(&name, text);
	return connect(fd, (struct sockaddr *)&name, bytes);
}

static void show(const struct sockaddr_un *name, socklen_t bytes)
{
	printf("%u bytes", bytes);
	if (bytes > BASE)
		printf(", '%s%.*s'", name->sun_path[0] ? "" : "@", (int)(bytes - BASE - 1),
		       name->sun_path[0] ? name->sun_path : name->sun_path + 1);
	printf("\n");
}

static void show_name(int fd, int (*of)(int, struct sockaddr *, socklen_t *))
{
	struct sockaddr_un name;
	socklen_t bytes = sizeof(name);
	if (of(fd, (struct sockaddr *)&name, &bytes))
		printf("no name: %s\n", errno_name(errno));
	else
		show(&name, bytes);
}

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT | POLLRDHUP, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static void errors(void)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX};
	struct stat st;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_STREAM, 0);
	SAY(connect_to(fd, "nowhere"));
	SAY(connect_to(fd, "@nowhere"));
	SAY(connect_to(fd, "/"));
	SAY(bind_to(fd, "none/there"));
	SAY(bind(fd, (struct sockaddr *)&name, 1));
	SAY(bind(fd, (struct sockaddr *)&name, 200));
	SAY(bind(fd, (struct sockaddr *)8, 10));
	SAY(bind_to(fd, "stream"));
	SAY(bind_to(fd, "again"));
	SAY(bind_to(fd, "stream"));
	SAY(bind_to(fd, "none/there"));
	SAY(bind_to(fd, "@again"));
	SAY(stat("again", &st));
	SAY(bind_to(other, "stream"));
	SAY(stat("stream", &st));
	printf("mode %o\n", st.st_mode);
	SAY(open("stream", O_RDWR));
	SAY(connect_to(other, "stream"));
	show_name(fd, getsockname);
	show_name(fd, getpeername);
	show_name(other, getsockname);
	SAY(listen(fd, 0));
	SAY(events_of(fd));
	SAY(connect_to(fd, "stream"));
	int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
	SAY(connect_to(datagrams, "stream"));
	SAY(unlink("stream"));
	SAY(connect_to(other, "stream"));
	SAY(bind(other, (struct sockaddr *)&name, BASE));
	socklen_t bytes = sizeof(name);
	getsockname(other, (struct sockaddr *)&name, &bytes);
	printf("found a name of %u bytes\n", bytes);
	close(fd);
	close(other);
	close(datagrams);
}

static void stream(int type, const char *path)
{
	char buf[16] = "";
	int listener = socket(AF_UNIX, type, 0), client = socket(AF_UNIX, type | SOCK_NONBLOCK, 0);
	struct ucred who;
	socklen_t bytes = sizeof(who);
	printf("type %d, %s\n", type, path);
	SAY(bind_to(listener, path));
	SAY(listen(listener, 1));
	fcntl(listener, F_SETFL, O_NONBLOCK);
	SAY(accept(listener, NULL, NULL));
	SAY(connect_to(client, path));
	SAY(connect_to(client, path));
	SAY(events_of(listener));
	SAY(events_of(client));
	SAY(send(client, "early", 5, 0));
	int second = socket(AF_UNIX, type | SOCK_NONBLOCK, 0), third = socket(AF_UNIX, type | SOCK_NONBLOCK, 0);
	SAY(bind_to(second, "@second"));
	SAY(connect_to(second, path));
	SAY(connect_to(third, path));
	struct sockaddr_un name;
	socklen_t name_bytes = sizeof(name);
	int server = accept4(listener, (struct sockaddr *)&name, &name_bytes, SOCK_CLOEXEC);
	show(&name, name_bytes);
	SAY(fcntl(server, F_GETFD));
	SAY(fcntl(server, F_GETFL));
	show_name(server, getsockname);
	show_name(server, getpeername);
	show_name(client, getpeername);
	SAY(getsockopt(server, SOL_SOCKET, SO_PEERCRED, &who, &bytes));
	SAY_TRUE(who.pid == getpid());
	SAY(recv(server, buf, 16, 0));
	SAY(connect_to(third, path));
	name_bytes = sizeof(name);
	int server2 = accept(listener, (struct sockaddr *)&name, &name_bytes);
	show(&name, name_bytes);
	SAY(send(server2, "hello", 5, 0));
	SAY(close(listener)); /* the third is not accepted any more */
	SAY(events_of(third));
	SAY(recv(third, buf, 1, 0));
	SAY(recv(third, buf, 1, 0));
	SAY(recv(second, buf, 16, 0));
	SAY(send(client, "lost", 4, 0));
	SAY(close(server));
	SAY(events_of(client));
	SAY(recv(client, buf, 1, 0));
	SAY(recv(client, buf, 1, 0));
	show_name(client, getpeername);
	SAY(connect_to(third, path));
	close(client);
	close(second);
	close(third);
	close(server2);
	if (path[0] != '@')
		unlink(path);
}

static void datagrams(void)
{
	char buf[16] = "";
	struct sockaddr_un name;
	socklen_t bytes = named(&name, "@to"), from_bytes = sizeof(name);
	int to = socket(AF_UNIX, SOCK_DGRAM, 0), from = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	SAY(sendto(from, "x", 1, 0, (struct sockaddr *)&name, bytes));
	SAY(bind_to(to, "@to"));
	SAY(sendto(from, "first", 5, 0, (struct sockaddr *)&name, bytes));
	SAY(bind_to(from, "from"));
	SAY(sendto(from, "second", 6, 0, (struct sockaddr *)&name, bytes));
	SAY(recvfrom(to, buf, 16, 0, (struct sockaddr *)&name, &from_bytes));
	show(&name, from_bytes);
	from_bytes = sizeof(name);
	SAY(recvfrom(to, buf, 16, 0, (struct sockaddr *)&name, &from_bytes));
	show(&name, from_bytes);
	SAY(sendto(to, "answer", 6, 0, (struct sockaddr *)&name, from_bytes));
	SAY(recv(from, buf, 16, 0));
	SAY(connect_to(from, "@to"));
	int count = 0;
	while (send(from, "many", 4, 0) == 4)
		count++;
	printf("%d datagrams, then %s; events %x\n", count, errno_name(errno), events_of(from));
	SAY(recv(to, buf, 16, 0));
	SAY(events_of(from));
	struct mmsghdr many[4] = {0};
	struct iovec iov[4];
	for (int i = 0; i < 4; i++) {
		iov[i] = (struct iovec){buf + i, 4};
		many[i].msg_hdr.msg_iov = &iov[i];
		many[i].msg_hdr.msg_iovlen = 1;
	}
	SAY(recvmmsg(to, many, 4, MSG_WAITFORONE, NULL));
	SAY(many[3].msg_len);
	SAY(recvmmsg(to, many, 4, MSG_DONTWAIT, NULL));
	SAY(recvmmsg(to, many, 4, MSG_DONTWAIT, NULL));
	SAY(recvmmsg(to, many, 4, MSG_DONTWAIT, NULL));
	SAY(sendmmsg(from, many, 3, 0));
	SAY(recvmmsg(to, many, 4, MSG_DONTWAIT, NULL));
	int third = socket(AF_UNIX, SOCK_DGRAM, 0);
	SAY(connect_to(to, "from"));
	named(&name, "@to");
	SAY(sendto(third, "x", 1, 0, (struct sockaddr *)&name, bytes));
	SAY(connect_to(third, "@to"));
	SAY(close(to));
	SAY(send(from, "x", 1, 0));
	SAY(send(from, "x", 1, 0));
	close(from);
	close(third);
}

#define CLIENTS 4
#define ROUNDS 20

static void *client(void *number)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), sum = 0;
	if (connect_to(fd, "@echo"))
		printf("connect failed\n");
	for (int i = 0; i < ROUNDS; i++) {
		int value = (int)(long)number * 1000 + i, answer = 0;
		if (send(fd, &value, sizeof(value), 0) != sizeof(value) ||
		    recv(fd, &answer, sizeof(answer), MSG_WAITALL) != sizeof(answer))
			printf("exchange failed\n");
		sum += answer - value;
	}
	close(fd);
	return (void *)(long)sum;
}

/* A server for all of them in one thread. */
static void serve(void)
{
	pthread_t clients[CLIENTS];
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), set = epoll_create1(0), left = CLIENTS;
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
	SAY(bind_to(listener, "@echo"));
	SAY(listen(listener, 0));
	SAY(epoll_ctl(set, EPOLL_CTL_ADD, listener, &event));
	for (long i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, client, (void *)i);
	while (left > 0) {
		struct epoll_event events[4];
		int count = epoll_wait(set, events, 4, -1);
		for (int i = 0; i < count; i++) {
			int fd = events[i].data.fd, value;
			if (fd == listener) {
				event.data.fd = accept(listener, NULL, NULL);
				epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event);
			} else if (recv(fd, &value, sizeof(value), 0) == sizeof(value)) {
				value++;
				send(fd, &value, sizeof(value), 0);
			} else {
				close(fd);
				left--;
			}
		}
	}
	for (long i = 0; i < CLIENTS; i++) {
		void *sum;
		pthread_join(clients[i], &sum);
		printf("client %ld: %ld\n", i, (long)sum);
	}
	close(listener);
	close(set);
}

static int ends[2];

static void *drain(void *unused)
{
	static char buf[5000];
	long total = 0, done;
	(void)unused;
	while ((done = read(ends[1], buf, sizeof(buf))) > 0)
		total += done;
	return (void *)total;
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* Senders and receivers that have to wait for each other. */
static void waiting(void)
{
	static char data[1000000];
	char c;
	void *total;
	pthread_t thread;
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	pthread_create(&thread, NULL, drain, NULL);
	SAY(write(ends[0], data, sizeof(data)));
	SAY(shutdown(ends[0], SHUT_WR));
	pthread_join(thread, &total);
	printf("%ld bytes\n", (long)total);
	struct sigaction action = {.sa_handler = on_alarm};
	sigaction(SIGALRM, &action, NULL);
	ualarm(10000, 0);
	SAY(read(ends[0], &c, 1));
	ualarm(10000, 0);
	SAY(write(ends[1], data, sizeof(data)) > 0);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	errors();
	stream(SOCK_STREAM, "path");
	stream(SOCK_STREAM, "@abstract");
	stream(SOCK_SEQPACKET, "@abstract");
	datagrams();
	serve();
	waiting();
	return 0;
}
