/* SPDX-License-Identifier: MIT */
/* UDP on loopback (udp(7)): addresses, connected sockets, closed ports, sizes, the destination as control data. */
/* also for native images */
#include <fcntl.h>
#include <netinet/udp.h>
#include <sys/ioctl.h>

#include "tests/linux/internet.h"

static char buf[70000];

static int send_to(int fd, const char *to, int port, const char *text)
{
	union address address;
	socklen_t bytes = address_of(&address, to, port);
	return (int)sendto(fd, text, strlen(text), 0, &address.any, bytes);
}

static void receive(int fd)
{
	union address from = {0};
	socklen_t bytes = sizeof(from);
	long got = recvfrom(fd, buf, sizeof(buf), 0, &from.any, &bytes);
	printf("received %ld '%.*s'\n", got, got > 0 ? (int)got : 0, buf);
	show_address("from", &from, bytes);
}

static void plain(void)
{
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), bytes = 0;
	SAY(events_of(a, 0));
	SAY(send(a, "x", 1, 0));
	SAY(recv(a, buf, 1, MSG_DONTWAIT));
	SAY(listen(a, 1));
	SAY(accept(a, NULL, NULL));
	SAY(bind_to(a, "127.0.0.1", 0));
	SAY(bind_to(a, "127.0.0.1", 0));
	SAY(send_to(b, "127.0.0.1", port_of(a), "one"));
	show_name(b, "own", getsockname);
	SAY(send_to(b, "127.0.0.1", port_of(a), ""));
	SAY(send_to(b, "127.0.0.1", port_of(a), "three"));
	SAY(events_of(a, POLLIN));
	SAY(ioctl(a, FIONREAD, &bytes));
	printf("%d bytes\n", bytes);
	SAY(recv(a, buf, 1, MSG_PEEK | MSG_TRUNC));
	receive(a);
	receive(a);
	SAY(recv(a, buf, 2, MSG_TRUNC));
	SAY(send_to(b, "0.0.0.0", port_of(a), "any"));
	receive(a);
	SAY(send_to(b, "127.0.0.1", 0, "none"));
	SAY(send_to(b, "::1", port_of(a), "six"));
	SAY(send_to(b, "127.255.255.255", port_of(a), "all"));
	SAY(sendto(b, buf, 1, MSG_OOB, NULL, 0));
	close(a);
	close(b);
}

static void connected(void)
{
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM, 0), c = socket(AF_INET, SOCK_DGRAM, 0);
	const struct sockaddr unspecified = {.sa_family = AF_UNSPEC};
	printf("connected\n");
	bind_to(a, "127.0.0.1", 0);
	bind_to(b, "0.0.0.0", 0);
	SAY(shutdown(c, SHUT_WR));
	SAY(connect_to(b, "127.0.0.1", port_of(a)));
	show_name(b, "own", getsockname);
	show_name(b, "peer", getpeername);
	SAY(connect_to(b, "127.0.0.1", port_of(a)));
	SAY(send(b, "sent", 4, 0));
	receive(a);
	SAY(send_to(a, "127.0.0.1", port_of(b), "back"));
	receive(b);
	close(c);
	c = socket(AF_INET, SOCK_DGRAM, 0);
	SAY(send_to(c, "127.0.0.1", port_of(b), "not its peer"));
	SAY(recv(b, buf, 9, MSG_DONTWAIT));
	SAY(connect(b, &unspecified, sizeof(unspecified)));
	show_name(b, "own", getsockname);
	show_name(b, "peer", getpeername);
	SAY(connect_to(b, "127.0.0.1", port_of(a)));
	close(a);
	SAY(send(b, "lost", 4, 0));
	SAY(events_of(b, POLLERR));
	SAY(send(b, "lost", 4, 0));
	SAY(send(b, "lost", 4, 0));
	events_of(b, POLLERR);
	SAY(recv(b, buf, 4, 0));
	SAY(send(b, "lost", 4, 0));
	events_of(b, POLLERR);
	SAY(option(b, SOL_SOCKET, SO_ERROR));
	SAY(recv(b, buf, 4, MSG_DONTWAIT));
	SAY(shutdown(b, SHUT_RD));
	SAY(events_of(b, 0));
	SAY(recv(b, buf, 4, 0));
	SAY(shutdown(b, SHUT_RDWR));
	SAY(events_of(b, 0));
	SAY(send(b, "shut", 4, 0));
	close(b);
	close(c);
}

static void sizes(void)
{
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET6, SOCK_DGRAM, 0);
	printf("sizes\n");
	bind_to(a, "127.0.0.1", 0);
	connect_to(a, "127.0.0.1", port_of(a));
	SAY(send(a, buf, 65507, 0));
	SAY(send(a, buf, 65508, 0));
	SAY(recv(a, buf, sizeof(buf), 0));
	bind_to(b, "::1", 0);
	connect_to(b, "::1", port_of(b));
	SAY(send(b, buf, 65000, 0));
	SAY(send(b, buf, 65536, 0));
	SAY(recv(b, buf, sizeof(buf), 0));
	for (int i = 0; i < 10; i++)
		send(a, &i, sizeof(i), 0);
	int next, wrong = 0;
	for (int i = 0; i < 10; i++)
		wrong += recv(a, &next, sizeof(next), 0) != sizeof(next) || next != i;
	printf("%d out of order\n", wrong);
	fcntl(a, F_SETFL, O_NONBLOCK);
	int sent = 0, got = 0;
	for (int i = 0; i < 1000; i++)
		sent += send(a, buf, 1000, 0) == 1000;
	while (recv(a, buf, sizeof(buf), 0) == 1000)
		got++;
	printf("sent %d, some were dropped: %d, some were not: %d\n", sent, got<1000, got> 50);
	close(a);
	close(b);
}

static void show_control(int fd)
{
	char control[128], text[INET6_ADDRSTRLEN];
	struct iovec iov = {buf, sizeof(buf)};
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	SAY(recvmsg(fd, &message, 0));
	printf("flags %d\n", message.msg_flags);
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		printf("level %d, type %d, %zu bytes\n", at->cmsg_level, at->cmsg_type, at->cmsg_len);
		if (at->cmsg_level == IPPROTO_IP) {
			const struct in_pktinfo *info = (void *)CMSG_DATA(at);
			printf("interface %d, %s\n", info->ipi_ifindex,
			       inet_ntop(AF_INET, &info->ipi_addr, text, sizeof(text)));
		} else {
			const struct in6_pktinfo *info = (void *)CMSG_DATA(at);
			printf("interface %d, %s\n", info->ipi6_ifindex,
			       inet_ntop(AF_INET6, &info->ipi6_addr, text, sizeof(text)));
		}
	}
}

static void control(void)
{
	int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET6, SOCK_DGRAM, 0), c = socket(AF_INET, SOCK_DGRAM, 0);
	printf("control\n");
	bind_to(a, "0.0.0.0", 0);
	bind_to(b, "::", 0);
	SAY(set(a, IPPROTO_IP, IP_PKTINFO, 1));
	SAY(set(b, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1));
	SAY(set(a, IPPROTO_IP, IP_RECVERR, 1));
	SAY(option(a, IPPROTO_IP, IP_RECVERR));
	SAY(send_to(c, "127.0.0.1", port_of(a), "four"));
	show_control(a);
	SAY(send_to(c, "127.0.0.2", port_of(b), "four to six"));
	show_control(b);
	SAY(send_to(b, "::1", port_of(b), "six"));
	show_control(b);
	SAY(send_to(b, "::ffff:127.0.0.1", port_of(a), "six to four"));
	receive(a);
	SAY(recv(a, buf, 9, MSG_ERRQUEUE));
	SAY(option(a, SOL_SOCKET, SO_PROTOCOL));
	SAY(option(a, SOL_SOCKET, SO_RCVBUF));
	SAY(set(a, SOL_SOCKET, SO_BROADCAST, 1));
	SAY(option(a, IPPROTO_TCP, TCP_NODELAY));
	close(a);
	close(b);
	close(c);
}

/* sendmmsg(2) and recvmmsg(2). */
static void many(void)
{
	int a = socket(AF_INET6, SOCK_DGRAM, 0);
	char in[3][8] = {""};
	struct iovec out[3] = {{"one", 3}, {"two", 3}, {"three", 5}}, to[3];
	struct mmsghdr messages[3] = {0}, received[3] = {0};
	printf("many\n");
	bind_to(a, "::1", 0);
	connect_to(a, "::1", port_of(a));
	for (int i = 0; i < 3; i++) {
		messages[i].msg_hdr.msg_iov = &out[i];
		to[i] = (struct iovec){in[i], sizeof(in[i])};
		received[i].msg_hdr.msg_iov = &to[i];
		messages[i].msg_hdr.msg_iovlen = received[i].msg_hdr.msg_iovlen = 1;
	}
	SAY(sendmmsg(a, messages, 3, 0));
	SAY(recvmmsg(a, received, 3, MSG_WAITFORONE, NULL));
	for (int i = 0; i < 3; i++)
		printf("%u %s\n", received[i].msg_len, in[i]);
	close(a);
}

int main(void)
{
	own_network();
	plain();
	connected();
	sizes();
	control();
	many();
	return 0;
}
