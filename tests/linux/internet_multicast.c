/* SPDX-License-Identifier: MIT */
/* Multicast on loopback (ip(7), ipv6(7)): groups are joined on an interface, and members get what is sent there. */
#include "tests/linux/internet.h"

static char buf[100];

static int send_to(int fd, const char *to, int port, const char *text)
{
	union address address;
	socklen_t bytes = address_of(&address, to, port);
	return (int)sendto(fd, text, strlen(text), 0, &address.any, bytes);
}

static void receive(const char *name, int fd)
{
	union address from = {0};
	socklen_t bytes = sizeof(from);
	long got = recvfrom(fd, buf, sizeof(buf), MSG_DONTWAIT, &from.any, &bytes);
	if (got < 0) {
		printf("%s: %s\n", name, errno_name(errno));
		return;
	}
	printf("%s: '%.*s'\n", name, (int)got, buf);
	show_address("from", &from, bytes);
}

static int join(int fd, const char *group, const char *interface, int how)
{
	struct ip_mreq request;
	inet_pton(AF_INET, group, &request.imr_multiaddr);
	inet_pton(AF_INET, interface, &request.imr_interface);
	return setsockopt(fd, IPPROTO_IP, how, &request, sizeof(request));
}

static int join_number(int fd, const char *group, int interface, int how)
{
	struct ip_mreqn request = {.imr_ifindex = interface};
	inet_pton(AF_INET, group, &request.imr_multiaddr);
	return setsockopt(fd, IPPROTO_IP, how, &request, sizeof(request));
}

static int join_v6(int fd, const char *group, int interface, int how)
{
	struct ipv6_mreq request = {.ipv6mr_interface = (unsigned)interface};
	inet_pton(AF_INET6, group, &request.ipv6mr_multiaddr);
	return setsockopt(fd, IPPROTO_IPV6, how, &request, sizeof(request));
}

static int choose(int fd, const char *interface)
{
	struct in_addr address;
	inet_pton(AF_INET, interface, &address);
	return setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address, sizeof(address));
}

static int member(const char *own, int port)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	bind_to(fd, own, port);
	return fd;
}

static void errors(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0), stream = socket(AF_INET, SOCK_STREAM, 0);
	struct in_addr address = {1};
	socklen_t bytes = sizeof(address);
	SAY(join(fd, "127.0.0.1", "127.0.0.1", IP_ADD_MEMBERSHIP));
	SAY(join(fd, "239.1.2.3", "192.0.2.1", IP_ADD_MEMBERSHIP));
	SAY(join_number(fd, "239.1.2.3", 77, IP_ADD_MEMBERSHIP));
	SAY(setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, buf, 4));
	SAY(join(fd, "239.1.2.3", "127.0.0.1", IP_DROP_MEMBERSHIP));
	SAY(join(fd, "239.1.2.3", "127.0.0.1", IP_ADD_MEMBERSHIP));
	SAY(join_number(fd, "239.1.2.3", 1, IP_ADD_MEMBERSHIP));
	SAY(join(fd, "239.1.2.3", "127.0.0.1", IP_DROP_MEMBERSHIP));
	SAY(join(fd, "239.1.2.3", "127.0.0.1", IP_DROP_MEMBERSHIP));
	SAY(join(stream, "239.1.2.3", "127.0.0.1", IP_ADD_MEMBERSHIP));
	SAY(getsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address, &bytes));
	printf("%s\n", inet_ntoa(address));
	SAY(choose(fd, "192.0.2.1"));
	SAY(choose(fd, "127.0.0.1"));
	SAY(getsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address, &bytes));
	printf("%s\n", inet_ntoa(address));
	SAY(choose(stream, "127.0.0.1"));
	SAY(option(fd, IPPROTO_IP, IP_MULTICAST_TTL));
	SAY(set(fd, IPPROTO_IP, IP_MULTICAST_TTL, 256));
	SAY(set(fd, IPPROTO_IP, IP_MULTICAST_TTL, 0));
	SAY(option(fd, IPPROTO_IP, IP_MULTICAST_TTL));
	SAY(option(fd, IPPROTO_IP, IP_MULTICAST_LOOP));
	for (int i = 0; i < 21; i++) {
		snprintf(buf, sizeof(buf), "239.1.3.%d", i + 1);
		if (join(fd, buf, "127.0.0.1", IP_ADD_MEMBERSHIP))
			printf("group %d: %s\n", i, errno_name(errno));
	}
	close(fd);
	close(stream);
}

static void groups(void)
{
	int a = member("0.0.0.0", 0), port = port_of(a), b = member("0.0.0.0", port), c = member("239.1.2.3", port);
	int d = member("127.0.0.1", port), from = socket(AF_INET, SOCK_DGRAM, 0);
	printf("groups\n");
	SAY(join(a, "239.1.2.3", "127.0.0.1", IP_ADD_MEMBERSHIP));
	SAY(choose(from, "127.0.0.1"));
	SAY(send_to(from, "239.1.2.3", port, "one"));
	receive("a", a);
	receive("b", b);
	receive("c", c);
	receive("d", d);
	SAY(set(b, IPPROTO_IP, IP_MULTICAST_ALL, 0));
	SAY(send_to(from, "239.1.2.3", port, "two"));
	receive("a", a);
	receive("b", b);
	receive("c", c);
	SAY(join(b, "239.1.2.4", "127.0.0.1", IP_ADD_MEMBERSHIP));
	SAY(send_to(from, "239.1.2.4", port, "three"));
	receive("a", a);
	receive("b", b);
	receive("c", c);
	SAY(send_to(from, "239.1.2.5", port, "no member"));
	receive("a", a);
	receive("b", b);
	SAY(join(a, "239.1.2.3", "127.0.0.1", IP_DROP_MEMBERSHIP));
	SAY(send_to(from, "239.1.2.3", port, "left"));
	receive("a", a);
	receive("c", c);
	SAY(connect_to(from, "239.1.2.4", port));
	show_name(from, "own", getsockname);
	show_name(from, "peer", getpeername);
	SAY(write(from, "connected", 9));
	receive("b", b);
	SAY(set(from, IPPROTO_IP, IP_MULTICAST_LOOP, 0));
	SAY(write(from, "no loop", 7));
	receive("b", b);
	close(a);
	close(b);
	close(c);
	close(d);
	close(from);
}

static void groups_v6(void)
{
	int a = socket(AF_INET6, SOCK_DGRAM, 0), from = socket(AF_INET6, SOCK_DGRAM, 0), interface = 1;
	printf("IPv6\n");
	bind_to(a, "::", 0);
	SAY(join_v6(a, "::1", 1, IPV6_ADD_MEMBERSHIP));
	SAY(join_v6(a, "ff02::77", 77, IPV6_ADD_MEMBERSHIP));
	SAY(join_v6(a, "ff02::77", 1, IPV6_ADD_MEMBERSHIP));
	SAY(join_v6(a, "ff02::77", 1, IPV6_ADD_MEMBERSHIP));
	SAY(setsockopt(from, IPPROTO_IPV6, IPV6_MULTICAST_IF, &interface, sizeof(interface)));
	SAY(option(from, IPPROTO_IPV6, IPV6_MULTICAST_IF));
	SAY(send_to(from, "ff02::77", port_of(a), "six"));
	receive("a", a);
	SAY(join_v6(a, "ff02::77", 1, IPV6_DROP_MEMBERSHIP));
	SAY(join_v6(a, "ff02::77", 1, IPV6_DROP_MEMBERSHIP));
	SAY(send_to(from, "ff02::77", port_of(a), "left"));
	receive("a", a);
	close(a);
	close(from);
}

int main(void)
{
	own_network();
	errors();
	groups();
	groups_v6();
	return 0;
}
