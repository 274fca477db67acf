/* SPDX-License-Identifier: MIT */
/* Work of the network: the same file runs natively and unmodified in a guest.
 *
 *     network threads|processes|pipes COUNT   sends 64 bytes there and back, inside
 *     network bulk MIB                        sends as many MiB from a process to another one
 *     network beside COMMAND...               runs a command beside a server, whose port stands for the word @
 *     network ask ADDRESS PORT ping|get|put COUNT   is a client of that server: round trips, or MiB
 *     network free-port|wait PORT|accept PORT for scripts: says a free port, waits until a port can be reached, waits
 *                                             for a connection
 *     network pinned COMMAND...               runs a command on one processor */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PING 64
#define MIB 0x100000UL
#define ATTEMPTS 2000000UL

static char buffer[65536];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* --- sockets --- */

static struct sockaddr_in address_of(const char *host, unsigned port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	if (inet_pton(AF_INET, host, &address.sin_addr) != 1)
		fail(host);
	return address;
}

/* Listens at a port, 0: a free one, which it stores. */
static int listen_at(const char *host, unsigned *port)
{
	struct sockaddr_in address = address_of(host, *port);
	socklen_t bytes = sizeof(address);
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 16) ||
	    getsockname(fd, (struct sockaddr *)&address, &bytes))
		fail("listen");
	*port = ntohs(address.sin_port);
	return fd;
}

static int without_delay(int fd)
{
	const int on = 1;
	if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		fail("a connection");
	return fd;
}

static int connect_to(const char *host, unsigned port)
{
	struct sockaddr_in address = address_of(host, port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		fail("connect");
	return without_delay(fd);
}

static void write_all(int fd, const void *data, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t put = write(fd, (const char *)data + done, bytes - done);
		if (put <= 0)
			fail("write");
		done += (size_t)put;
	}
}

/* Returns false at the end. */
static int read_all(int fd, void *data, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t got = read(fd, (char *)data + done, bytes - done);
		if (got < 0)
			fail("read");
		if (!got)
			return 0;
		done += (size_t)got;
	}
	return 1;
}

static void send_bulk(int fd, uint64_t bytes)
{
	for (uint64_t left = bytes; left;) {
		size_t piece = left < sizeof(buffer) ? left : sizeof(buffer);
		write_all(fd, buffer, piece);
		left -= piece;
	}
}

static void receive_bulk(int fd, uint64_t bytes)
{
	while (bytes) {
		ssize_t got = read(fd, buffer, bytes < sizeof(buffer) ? bytes : sizeof(buffer));
		if (got <= 0)
			fail("read");
		bytes -= (uint64_t)got;
	}
}

/* --- there and back --- */

static void echo(int from, int to)
{
	char ping[PING];
	while (read_all(from, ping, sizeof(ping)))
		write_all(to, ping, sizeof(ping));
}

static void ping(int to, int from, unsigned long count)
{
	char ping[PING] = "ping";
	for (unsigned long i = 0; i < count; i++) {
		write_all(to, ping, sizeof(ping));
		if (!read_all(from, ping, sizeof(ping)))
			fail("the end of a connection");
	}
}

static void *echo_one(void *context)
{
	int fd = without_delay(accept(*(int *)context, NULL, NULL));
	echo(fd, fd);
	close(fd);
	return NULL;
}

static void threads(unsigned long count)
{
	unsigned port = 0;
	int listener = listen_at("127.0.0.1", &port);
	pthread_t other;
	if (pthread_create(&other, NULL, echo_one, &listener))
		fail("pthread_create");
	int fd = connect_to("127.0.0.1", port);
	ping(fd, fd, count);
	shutdown(fd, SHUT_WR);
	pthread_join(other, NULL);
}

static void wait_for(pid_t pid)
{
	int status;
	if (waitpid(pid, &status, 0) != pid || status)
		fail("the other process");
}

static pid_t fork_other(void)
{
	pid_t pid = fork();
	if (pid < 0)
		fail("fork");
	return pid;
}

static void processes(unsigned long count)
{
	unsigned port = 0;
	int listener = listen_at("127.0.0.1", &port);
	pid_t other = fork_other();
	if (!other) {
		echo_one(&listener);
		_exit(0);
	}
	int fd = connect_to("127.0.0.1", port);
	ping(fd, fd, count);
	shutdown(fd, SHUT_WR);
	wait_for(other);
}

static void pipes(unsigned long count)
{
	int there[2], back[2];
	if (pipe(there) || pipe(back))
		fail("pipe");
	pid_t other = fork_other();
	if (!other) {
		close(there[1]);
		echo(there[0], back[1]);
		_exit(0);
	}
	ping(there[1], back[0], count);
	close(there[1]);
	wait_for(other);
}

static void bulk(unsigned long count)
{
	unsigned port = 0;
	int listener = listen_at("127.0.0.1", &port);
	pid_t other = fork_other();
	if (!other) {
		receive_bulk(accept(listener, NULL, NULL), count * MIB);
		_exit(0);
	}
	send_bulk(connect_to("127.0.0.1", port), count * MIB);
	wait_for(other);
}

/* --- a server and its clients --- */

struct question {
	uint64_t kind, count; /* the first letter of ping, get or put; MiB */
};

static void *answer(void *context)
{
	struct question question;
	int fd = without_delay(accept(*(int *)context, NULL, NULL));
	if (!read_all(fd, &question, sizeof(question)))
		return NULL;
	if (question.kind == 'p') {
		receive_bulk(fd, question.count * MIB);
		write_all(fd, "", 1);
	} else if (question.kind == 'g') {
		send_bulk(fd, question.count * MIB);
	} else {
		echo(fd, fd);
	}
	return NULL;
}

static void ask(const char *host, unsigned port, const char *kind, unsigned long count)
{
	int is_ping = !strcmp(kind, "ping");
	struct question question = {is_ping ? 'e' : (uint64_t)kind[0], count};
	int fd = connect_to(host, port);
	write_all(fd, &question, sizeof(question));
	if (is_ping) {
		ping(fd, fd, count);
	} else if (question.kind == 'p') {
		send_bulk(fd, count * MIB);
		if (!read_all(fd, buffer, 1))
			fail("the end of a connection");
	} else {
		receive_bulk(fd, count * MIB);
	}
	close(fd);
}

/* Runs a command beside the server. Returns its status. */
static int beside(char **command)
{
	char text[8];
	unsigned port = 0;
	int listener = listen_at("127.0.0.1", &port), status;
	pthread_t server;
	snprintf(text, sizeof(text), "%u", port);
	for (char **word = command; *word; word++)
		if (!strcmp(*word, "@"))
			*word = text;
	if (pthread_create(&server, NULL, answer, &listener))
		fail("pthread_create");
	pid_t pid = fork_other();
	if (!pid) {
		execv(command[0], command);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Connects as soon as it can. */
static void wait_until_reached(unsigned port)
{
	struct sockaddr_in address = address_of("127.0.0.1", port);
	for (unsigned long i = 0; i < ATTEMPTS; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		if (fd < 0)
			fail("socket");
		if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
			return;
		if (errno != ECONNREFUSED)
			fail("connect");
		close(fd);
		sched_yield();
	}
	fail("connect");
}

static int run_pinned(char **command)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		fail("sched_setaffinity");
	execv(command[0], command);
	return 127;
}

static const struct {
	const char *name;
	void (*loop)(unsigned long count);
} loops[] = {{"threads", threads}, {"processes", processes}, {"pipes", pipes}, {"bulk", bulk}};

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned port = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	signal(SIGPIPE, SIG_IGN);
	for (unsigned i = 0; argc == 3 && i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (strcmp(what, loops[i].name))
			continue;
		loops[i].loop(strtoul(argv[2], NULL, 0));
		return 0;
	}
	if (!strcmp(what, "beside") && argc > 2)
		return beside(argv + 2);
	if (!strcmp(what, "pinned") && argc > 2)
		return run_pinned(argv + 2);
	if (!strcmp(what, "ask") && argc == 6) {
		ask(argv[2], (unsigned)atoi(argv[3]), argv[4], strtoul(argv[5], NULL, 0));
	} else if (!strcmp(what, "free-port")) {
		listen_at("127.0.0.1", &port);
		printf("%u\n", port);
	} else if (!strcmp(what, "wait") && argc == 3) {
		wait_until_reached(port);
	} else if (!strcmp(what, "accept") && argc == 3) {
		return accept(listen_at("0.0.0.0", &port), NULL, NULL) < 0;
	} else {
		return 2;
	}
	return 0;
}
