/* SPDX-License-Identifier: MIT */
/* natively: 4096 descriptors */
/* Ten thousand idle connections to one listener, round trips beside them, and four thousand sockets of UDP. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/linux/internet.h"

#define PROCESSES 5
#define EACH 2000 /* with both ends, fewer than the descriptors that a process may have */

static int sockets[2 * EACH];

/* Makes a process's part of the connections. A process may accept those of another. */
static int connect_some(int listener)
{
	int errors = 0;
	for (int i = 0; i < EACH; i++) {
		sockets[2 * i] = socket(AF_INET, SOCK_STREAM, 0);
		errors += connect_to(sockets[2 * i], "127.0.0.1", port_of(listener)) != 0;
		sockets[2 * i + 1] = accept(listener, NULL, NULL);
		errors += sockets[2 * i + 1] < 0;
	}
	return errors;
}

static void show_sockets(void)
{
	char line[300];
	FILE *table = fopen("/proc/net/tcp", "r");
	int lines = -1;
	while (fgets(line, sizeof(line), table))
		lines++;
	printf("%d sockets\n", lines);
	fclose(table);
}

/* Round trips on one connection, with all others in the same set of epoll(7). */
static int go_around(int listener)
{
	int set_of = epoll_create1(0), errors = 0;
	for (int i = 0; i < EACH; i++) {
		struct epoll_event event = {EPOLLIN, {.u32 = (unsigned)i}};
		errors += epoll_ctl(set_of, EPOLL_CTL_ADD, sockets[2 * i + 1], &event) != 0;
	}
	int client = socket(AF_INET, SOCK_STREAM, 0);
	connect_to(client, "127.0.0.1", port_of(listener));
	struct epoll_event event = {EPOLLIN, {.u32 = EACH}};
	int server = accept(listener, NULL, NULL);
	epoll_ctl(set_of, EPOLL_CTL_ADD, server, &event);
	for (int i = 0; i < 1000; i++) {
		char byte = (char)i;
		write(client, &byte, 1);
		errors += epoll_wait(set_of, &event, 1, -1) != 1 || event.data.u32 != EACH;
		errors += read(server, &byte, 1) != 1 || byte != (char)i;
	}
	close(client);
	close(server);
	close(set_of);
	return errors;
}

static void connections(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), done[2], end[2], errors = 0;
	char byte;
	bind_to(listener, "127.0.0.1", 0);
	listen(listener, 4096);
	pipe(done);
	pipe(end);
	fflush(stdout);
	for (int i = 1; i < PROCESSES; i++) {
		if (fork())
			continue;
		close(end[1]);
		byte = (char)(connect_some(listener) != 0);
		write(done[1], &byte, 1);
		read(end[0], &byte, 1);
		_exit(0);
	}
	errors += connect_some(listener);
	for (int i = 1; i < PROCESSES; i++)
		errors += read(done[0], &byte, 1) != 1 || byte;
	show_sockets();
	errors += go_around(listener);
	close(end[1]);
	for (int i = 1; i < PROCESSES; i++)
		wait(NULL);
	printf("%d connections, %d errors\n", PROCESSES * EACH, errors);
	for (int i = 0; i < 2 * EACH; i++)
		close(sockets[i]);
	close(listener);
}

/* Each is connected to the next, and so drops what the one before sends. */
static void datagrams(void)
{
	int errors = 0;
	for (int i = 0; i < 2 * EACH; i++) {
		sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
		errors += bind_to(sockets[i], "127.0.0.1", 0) != 0;
	}
	for (int i = 0; i < 2 * EACH; i++)
		errors += connect_to(sockets[i], "127.0.0.1", port_of(sockets[(i + 1) % (2 * EACH)])) != 0;
	for (int i = 0; i < 2 * EACH; i++)
		errors += write(sockets[i], "x", 1) != 1;
	for (int i = 0; i < 2 * EACH; i++) {
		char byte;
		errors += recv(sockets[i], &byte, 1, MSG_DONTWAIT) != 1;
		close(sockets[i]);
	}
	printf("%d sockets, %d did not receive\n", 2 * EACH, errors);
}

int main(void)
{
	struct rlimit limit;
	own_network();
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 4096;
	SAY(setrlimit(RLIMIT_NOFILE, &limit));
	connections();
	datagrams();
	return 0;
}
