/* SPDX-License-Identifier: MIT */
/* Addresses and ports (ip(7), ipv6(7)): who may share one, both families on one socket, names. */
/* also for native images */
#include "tests/linux/internet.h"

static int make(int family, int type, int reuse)
{
	int fd = socket(family, type, 0);
	if (reuse)
		set(fd, SOL_SOCKET, reuse, 1);
	return fd;
}

/* Binds two sockets to the same port. */
static void two(const char *what, int type, int reuse, const char *first, const char *second, int listens)
{
	int a = make(strchr(first, ':') ? AF_INET6 : AF_INET, type, reuse);
	int b = make(strchr(second, ':') ? AF_INET6 : AF_INET, type, reuse);
	int one = bind_to(a, first, 0);
	if (listens)
		one |= listen(a, 1);
	int other = bind_to(b, second, port_of(a));
	printf("%s, type %d: %s, %s: %d, %s", what, type, first, second, one, other ? errno_name(errno) : "bound");
	if (listens && !other)
		printf(", %s", listen(b, 1) ? errno_name(errno) : "listens");
	printf("\n");
	close(a);
	close(b);
}

static void sharing(void)
{
	static const char *const pairs[][2] = {{"127.0.0.1", "127.0.0.1"},
	                                       {"127.0.0.1", "127.0.0.2"},
	                                       {"127.0.0.1", "0.0.0.0"},
	                                       {"0.0.0.0", "127.0.0.1"},
	                                       {"::", "127.0.0.1"},
	                                       {"::1", "127.0.0.1"},
	                                       {"::1", "::"},
	                                       {"::", "0.0.0.0"},
	                                       {"::ffff:127.0.0.1", "127.0.0.1"}};
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		for (int type = SOCK_STREAM; type <= SOCK_DGRAM; type++) {
			two("alone", type, 0, pairs[i][0], pairs[i][1], 0);
			two("SO_REUSEADDR", type, SO_REUSEADDR, pairs[i][0], pairs[i][1], 0);
			two("SO_REUSEPORT", type, SO_REUSEPORT, pairs[i][0], pairs[i][1], 0);
		}
		two("listening", SOCK_STREAM, 0, pairs[i][0], pairs[i][1], 1);
		two("listening, SO_REUSEADDR", SOCK_STREAM, SO_REUSEADDR, pairs[i][0], pairs[i][1], 1);
		two("listening, SO_REUSEPORT", SOCK_STREAM, SO_REUSEPORT, pairs[i][0], pairs[i][1], 1);
	}
	int a = make(AF_INET, SOCK_STREAM, SO_REUSEADDR), b = make(AF_INET, SOCK_STREAM, SO_REUSEADDR);
	bind_to(a, "127.0.0.1", 0);
	SAY(bind_to(b, "127.0.0.1", port_of(a)));
	SAY(listen(a, 1));
	SAY(listen(b, 1));
	close(a);
	SAY(listen(b, 1));
	close(b);
}

static void errors(void)
{
	int fd = make(AF_INET, SOCK_STREAM, 0), six = make(AF_INET6, SOCK_STREAM, 0);
	union address to;
	SAY(bind_to(fd, "192.0.2.1", 0));
	SAY(bind_to(fd, "::1", 0));
	SAY(bind(fd, &to.any, 8));
	address_of(&to, "0.0.0.0", 0);
	to.any.sa_family = AF_UNSPEC;
	SAY(bind(fd, &to.any, sizeof(to.v4)));
	show_name(fd, "own", getsockname);
	SAY(bind_to(fd, "127.0.0.1", 0));
	SAY(bind_to(six, "2001:db8::1", 0));
	SAY(bind_to(six, "127.0.0.1", 0));
	show_name(six, "own", getsockname);
	close(fd);
	close(six);
}

/* A socket of IPv6 has connections of IPv4, too, unless it does not want them. */
static void both_families(const char *at, const char *to, int only)
{
	int listener = socket(AF_INET6, SOCK_STREAM, 0);
	int client = socket(strchr(to, ':') ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
	union address peer = {0};
	socklen_t bytes = sizeof(peer);
	printf("bound to %s, connected to %s, only %d\n", at, to, only);
	SAY(set(listener, IPPROTO_IPV6, IPV6_V6ONLY, only));
	SAY(bind_to(listener, at, 0));
	SAY(set(listener, IPPROTO_IPV6, IPV6_V6ONLY, 0));
	SAY(listen(listener, 1));
	if (SAY(connect_to(client, to, port_of(listener))) == 0) {
		int server = accept(listener, &peer.any, &bytes);
		show_address("accepted", &peer, bytes);
		show_name(server, "server's own", getsockname);
		show_name(client, "client's own", getsockname);
		show_name(client, "client's peer", getpeername);
		SAY(option(server, SOL_SOCKET, SO_DOMAIN));
		close(server);
	}
	close(client);
	close(listener);
}

int main(void)
{
	own_network();
	errors();
	sharing();
	both_families("::", "127.0.0.1", 0);
	both_families("::", "127.0.0.1", 1);
	both_families("::", "::1", 1);
	both_families("::", "::", 0);
	both_families("::", "0.0.0.0", 0);
	both_families("::", "127.1.2.3", 0);
	both_families("::", "::ffff:127.0.0.1", 0);
	both_families("::1", "127.0.0.1", 0);
	both_families("::ffff:127.0.0.1", "127.0.0.1", 0);
	return 0;
}
