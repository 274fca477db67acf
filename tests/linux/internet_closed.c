/* SPDX-License-Identifier: MIT */
/* Closed connections keep their addresses (tcp(7), TIME_WAIT and FIN_WAIT2): who may bind them, what /proc/net/tcp
 * shows, and what ends them. With the argument "wait", an hour passes meanwhile: only for the guest. */
#include <stdlib.h>

#include "tests/linux/internet.h"

static int stream(int reuse)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	set(fd, SOL_SOCKET, SO_REUSEADDR, reuse);
	return fd;
}

/* Prints how many connections have a port as the local and as the remote one, in each state but LISTEN. */
static void show(const char *file, int port)
{
	char line[300];
	int counts[16][2] = {{0}};
	FILE *table = fopen(file, "r");
	while (fgets(line, sizeof(line), table)) {
		unsigned local, remote, state, out, in;
		char *at = strchr(line, ':');
		if (!at ||
		    sscanf(at + 1, " %*[0-9A-F]:%x %*[0-9A-F]:%x %x %x:%x", &local, &remote, &state, &out, &in) != 5)
			continue;
		if ((int)local != port && (int)remote != port)
			continue;
		counts[state][(int)local == port]++;
		if (state == 6)
			printf("queues %u %u, timer%.4s, line of %zu\n", out, in, strstr(line, " 03:"), strlen(line));
	}
	fclose(table);
	counts[5][0] += counts[4][0]; /* until the end is acknowledged, which natively may take a moment */
	counts[5][1] += counts[4][1];
	for (int i = 1; i < 10; i++)
		if (i != 4 && counts[i][0] + counts[i][1])
			printf("state %d: local %d, remote %d\n", i, counts[i][1], counts[i][0]);
}

static int server, client, listener;

/* A connection to a port, 0 for any. Returns the port. */
static int connected(int port, int reuse)
{
	listener = stream(reuse);
	client = stream(reuse);
	bind_to(listener, "127.0.0.1", port);
	listen(listener, 1);
	port = port_of(listener);
	connect_to(client, "127.0.0.1", port);
	server = accept(listener, NULL, NULL);
	return port;
}

/* Tries to bind and listen. */
static void try(const char *text, int port, int reuse)
{
	int fd = stream(reuse);
	printf("SO_REUSEADDR %d: ", reuse);
	if (SAY(bind_to(fd, text, port)) == 0)
		SAY(listen(fd, 1));
	close(fd);
}

static void server_first(int reuse)
{
	printf("the server closes first, SO_REUSEADDR %d\n", reuse);
	int port = connected(0, reuse), from = port_of(client);
	close(server);
	show("/proc/net/tcp", port);
	close(client);
	close(listener);
	show("/proc/net/tcp", port);
	try("127.0.0.1", port, 0);
	try("127.0.0.1", port, 1);
	try("0.0.0.0", port, 1);
	try("127.0.0.2", port, 0);
	try("127.0.0.1", from, 0);
	/* the same client again, to a listener with the same port */
	if (!reuse)
		return;
	int again = stream(1), other = stream(1);
	SAY(bind_to(other, "0.0.0.0", port));
	SAY(listen(other, 1));
	SAY(bind_to(again, "127.0.0.1", from));
	SAY(connect_to(again, "127.0.0.1", port));
	show("/proc/net/tcp", port);
	close(again);
	close(other);
}

static void client_first(void)
{
	printf("the client closes first\n");
	int port = connected(0, 1), from = port_of(client);
	close(client);
	close(server);
	show("/proc/net/tcp", port);
	int again = stream(0);
	SAY(bind_to(again, "127.0.0.1", from));
	close(again);
	again = stream(1);
	SAY(bind_to(again, "127.0.0.1", from));
	SAY(connect_to(again, "127.0.0.1", port));
	SAY(connect_to(again, "127.0.0.2", port));
	close(again);
	close(listener);
}

static void half_closed(void)
{
	char byte;
	printf("half closed\n");
	int port = connected(0, 0);
	SAY(shutdown(client, SHUT_WR));
	show("/proc/net/tcp", port);
	close(server);
	SAY(tcp_state(client));
	SAY(recv(client, &byte, 1, 0));
	show("/proc/net/tcp", port);
	close(client);
	show("/proc/net/tcp", port);
	close(listener);

	port = connected(0, 0);
	close(client);
	show("/proc/net/tcp", port);
	SAY(send(server, "x", 1, MSG_NOSIGNAL));
	SAY(send(server, "x", 1, MSG_NOSIGNAL));
	show("/proc/net/tcp", port);
	close(server);
	close(listener);

	printf("reset\n");
	port = connected(0, 0);
	send(server, "x", 1, 0);
	events_of(client, POLLIN);
	close(client);
	close(server);
	close(listener);
	show("/proc/net/tcp", port);
	try("127.0.0.1", port, 0);

	port = connected(0, 0);
	send(client, "x", 1, 0);
	events_of(server, POLLIN);
	close(client);
	show("/proc/net/tcp", port);
	close(server);
	close(listener);
	show("/proc/net/tcp", port);
	try("127.0.0.1", port, 0);
}

static void later(void)
{
	int port = connected(0, 0);
	close(server);
	sleep(59);
	close(client);
	close(listener);
	sleep(59);
	show("/proc/net/tcp", port);
	try("127.0.0.1", port, 0);
	sleep(2);
	show("/proc/net/tcp", port);
	try("127.0.0.1", port, 0);
	port = connected(0, 0);
	close(client);
	sleep(61);
	show("/proc/net/tcp", port);
}

int main(int argc, char **argv)
{
	own_network();
	if (argc > 1 && !strcmp(argv[1], "wait")) {
		later();
		return 0;
	}
	server_first(0);
	server_first(1);
	client_first();
	half_closed();
	return 0;
}
