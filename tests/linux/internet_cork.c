/* SPDX-License-Identifier: MIT */
/* Datagrams that are put together (udp(7), UDP_CORK; send(2), MSG_MORE), and those that are divided (UDP_SEGMENT): what
 * other calls do meanwhile. */
#include "tests/linux/internet.h"

#include <netinet/udp.h>

static int from, to;

static void begin(int family)
{
	const char *text = family == AF_INET ? "127.0.0.1" : "::1";
	from = socket(family, SOCK_DGRAM, 0);
	to = socket(family, SOCK_DGRAM, 0);
	bind_to(to, text, 0);
	connect_to(from, text, port_of(to));
}

static void receive(void)
{
	static char data[70000];
	long got = recv(to, data, sizeof(data), MSG_DONTWAIT);
	if (got < 0)
		printf("%s\n", errno_name(errno));
	else
		printf("%ld bytes: %.*s\n", got, got < 20 ? (int)got : 20, data);
}

static void end(void)
{
	close(from);
	close(to);
}

static void cork(int family)
{
	static char large[65507];
	struct iovec iov = {"xy", 2};
	struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &iov, .msg_iovlen = 1}},
	                              {.msg_hdr = {.msg_iov = &iov, .msg_iovlen = 1}}};
	memset(large, '.', sizeof(large));
	begin(family);
	SAY(send(from, "lost", 4, MSG_MORE));
	SAY(close(from));
	receive();
	end();
	begin(family);
	SAY(send(from, "ab", 2, MSG_MORE));
	SAY(connect_to(from, family == AF_INET ? "127.0.0.1" : "::1", port_of(from)));
	SAY(send(from, "cd", 2, 0));
	receive();
	end();
	begin(family);
	SAY(send(from, "ab", 2, MSG_MORE));
	SAY(send(from, (void *)16, 2, 0));
	SAY(send(from, "cd", 2, 0));
	receive();
	receive();
	SAY(sendmmsg(from, messages, 2, MSG_MORE));
	receive();
	SAY(send(from, NULL, 0, 0));
	receive();
	SAY(send(from, large, 60000, MSG_MORE));
	SAY(send(from, large, sizeof(large) - 60000, 0));
	receive();
	SAY(send(from, large, 60000, MSG_MORE));
	SAY(send(from, large, sizeof(large) - 59000, 0));
	receive();
	SAY(send(from, "ab", 2, MSG_MORE));
	SAY(events_of(from, POLLOUT));
	SAY(write(from, "cd", 2));
	receive();
	SAY(set(from, IPPROTO_UDP, UDP_CORK, 1));
	SAY(write(from, "ab", 2));
	SAY(option(from, IPPROTO_UDP, UDP_CORK));
	SAY(shutdown(from, SHUT_WR));
	SAY(write(from, "cd", 2));
	SAY(set(from, IPPROTO_UDP, UDP_CORK, 0));
	receive();
	end();
}

static void divide(int family)
{
	static char data[64 * 100 + 1];
	memset(data, '.', sizeof(data));
	begin(family);
	SAY(set(from, IPPROTO_UDP, UDP_SEGMENT, 100));
	SAY(send(from, data, 250, MSG_MORE));
	SAY(send(from, data, 50, 0));
	for (int i = 0; i < 4; i++)
		receive();
	SAY(send(from, data, 64 * 100, 0));
	int count = 0;
	while (recv(to, data, sizeof(data), MSG_DONTWAIT) == 100)
		count++;
	printf("%d datagrams\n", count);
	SAY(set(from, IPPROTO_UDP, UDP_SEGMENT, 0));
	SAY(send(from, data, 250, 0));
	receive();
	SAY(set(to, SOL_SOCKET, SO_RCVBUF, 1));
	SAY(set(from, IPPROTO_UDP, UDP_SEGMENT, 1));
	SAY(send(from, data, 20, 0));
	for (count = 0; recv(to, data, sizeof(data), MSG_DONTWAIT) > 0; count++)
		;
	printf("some are lost: %d\n", count > 0 && count < 20);
	end();
}

int main(void)
{
	own_network();
	for (int i = 0; i < 2; i++) {
		cork(i ? AF_INET6 : AF_INET);
		divide(i ? AF_INET6 : AF_INET);
	}
	return 0;
}
