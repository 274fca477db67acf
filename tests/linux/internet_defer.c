/* SPDX-License-Identifier: MIT */
/* TCP_DEFER_ACCEPT (tcp(7)): what becomes of a connection that nobody accepts yet, when its client sends, closes or
 * resets it, when the listener closes, and when the time is over. */
#include "tests/linux/internet.h"

static int listener, client;

static void begin(int family, int seconds)
{
	const char *text = family == AF_INET ? "127.0.0.1" : "::1";
	listener = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	client = socket(family, SOCK_STREAM, 0);
	SAY(set(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT, seconds));
	SAY(option(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT));
	bind_to(listener, text, 0);
	listen(listener, 5);
	SAY(connect_to(client, text, port_of(listener)));
	SAY(tcp_state(client));
	SAY(accept(listener, NULL, NULL) < 0 && errno == EAGAIN);
}

static void accept_and_read(void)
{
	char text[8] = "";
	SAY(poll(&(struct pollfd){listener, POLLIN, 0}, 1, 10000));
	int fd = accept(listener, NULL, NULL);
	printf("%s\n", fd < 0 ? errno_name(errno) : "accepted");
	SAY(recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT));
	printf("'%s'\n", text);
	SAY(tcp_state(fd));
	close(fd);
}

static void end(void)
{
	close(client);
	close(listener);
}

int main(void)
{
	const struct linger now = {1, 0};
	char text[8];
	own_network();
	for (int i = 0; i < 2; i++) {
		int family = i ? AF_INET6 : AF_INET;
		printf("data\n");
		begin(family, 30);
		SAY(send(client, "hello", 5, 0));
		accept_and_read();
		end();
		printf("an end without data\n");
		begin(family, 30);
		SAY(shutdown(client, SHUT_WR));
		accept_and_read();
		end();
		printf("a reset\n");
		begin(family, 30);
		SAY(setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof(now)));
		SAY(close(client));
		SAY(accept(listener, NULL, NULL) < 0 && errno == EAGAIN);
		close(listener);
		printf("the listener closes\n");
		begin(family, 30);
		SAY(close(listener));
		SAY(send(client, "hello", 5, MSG_NOSIGNAL));
		SAY(events_of(client, POLLIN) & POLLIN);
		SAY(recv(client, text, sizeof(text), 0));
		close(client);
	}
	printf("the time is over\n");
	begin(AF_INET, 1);
	SAY(poll(&(struct pollfd){listener, POLLIN, 0}, 1, 10000));
	int fd = accept(listener, NULL, NULL);
	printf("%s\n", fd < 0 ? errno_name(errno) : "accepted");
	SAY(send(client, "late", 4, 0));
	SAY(recv(fd, text, sizeof(text), 0));
	close(fd);
	end();
	return 0;
}
