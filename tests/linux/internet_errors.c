/* SPDX-License-Identifier: MIT */
/* The queue of errors (recvmsg(2), MSG_ERRQUEUE): ports that nobody has, and sends without a copy. The source and the
 * destination of datagrams as control data. */
#include <time.h>

#include <linux/errqueue.h>

#include "tests/linux/internet.h"

static char buf[70000];

static void show_errors(int fd)
{
	char control[256], text[INET6_ADDRSTRLEN];
	union address name;
	struct iovec iov = {buf, sizeof(buf)};
	struct msghdr message = {.msg_name = &name,
	                         .msg_namelen = sizeof(name),
	                         .msg_iov = &iov,
	                         .msg_iovlen = 1,
	                         .msg_control = control,
	                         .msg_controllen = sizeof(control)};
	memset(&name, 0, sizeof(name));
	long got = recvmsg(fd, &message, MSG_ERRQUEUE);
	printf("%ld, %s, flags %x\n", got, got < 0 ? errno_name(errno) : "taken", message.msg_flags);
	if (got < 0)
		return;
	show_address("name", &name, message.msg_namelen);
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		const struct sock_extended_err *error = (void *)CMSG_DATA(at);
		printf("level %d, type %d, %zu bytes\n", at->cmsg_level, at->cmsg_type, at->cmsg_len);
		printf("errno %u, origin %d, type %d, code %d, info %u, data %u\n", error->ee_errno, error->ee_origin,
		       error->ee_type, error->ee_code, error->ee_info, error->ee_data);
		const struct sockaddr *by = SO_EE_OFFENDER(error);
		if (by->sa_family == AF_INET)
			printf("by %s\n",
			       inet_ntop(AF_INET, &((struct sockaddr_in *)by)->sin_addr, text, sizeof(text)));
		else if (by->sa_family == AF_INET6)
			printf("by %s\n",
			       inet_ntop(AF_INET6, &((struct sockaddr_in6 *)by)->sin6_addr, text, sizeof(text)));
		else
			printf("by nobody, family %d\n", by->sa_family);
	}
}

static int send_to(int fd, const char *to, int port, const char *text, size_t length)
{
	union address address;
	socklen_t bytes = address_of(&address, to, port);
	return (int)sendto(fd, text, length, 0, &address.any, bytes);
}

static int free_port(void)
{
	int fd = socket(AF_INET6, SOCK_DGRAM, 0);
	bind_to(fd, "::", 0);
	int port = port_of(fd);
	close(fd);
	return port;
}

static void unreachable(const char *own, const char *to, int level, int option_name, int told)
{
	int family = strchr(own, ':') ? AF_INET6 : AF_INET, fd = socket(family, SOCK_DGRAM, 0), none = free_port();
	printf("from %s to %s\n", own, to);
	bind_to(fd, own, 0);
	SAY(send_to(fd, to, none, "lost", 4));
	show_errors(fd);
	SAY(set(fd, level, option_name, 1));
	SAY(send_to(fd, to, none, "lost", 4));
	SAY(events_of(fd, told));
	SAY(recv(fd, buf, 9, MSG_DONTWAIT));
	SAY(events_of(fd, told));
	show_errors(fd);
	show_errors(fd);
	SAY(events_of(fd, 0));
	SAY(send_to(fd, to, none, "one", 3));
	SAY(send_to(fd, to, none, "two", 3));
	SAY(send_to(fd, to, none, buf, 2000));
	show_errors(fd);
	SAY(option(fd, SOL_SOCKET, SO_ERROR));
	show_errors(fd);
	SAY(option(fd, SOL_SOCKET, SO_ERROR));
	SAY(set(fd, level, option_name, 0));
	show_errors(fd);
	close(fd);
}

static void show_control(int fd)
{
	char control[128], text[INET6_ADDRSTRLEN];
	union address from = {0};
	struct iovec iov = {buf, sizeof(buf)};
	struct msghdr message = {.msg_name = &from,
	                         .msg_namelen = sizeof(from),
	                         .msg_iov = &iov,
	                         .msg_iovlen = 1,
	                         .msg_control = control,
	                         .msg_controllen = sizeof(control)};
	SAY(recvmsg(fd, &message, MSG_DONTWAIT));
	show_address("from", &from, message.msg_namelen);
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		const struct in_pktinfo *info = (void *)CMSG_DATA(at);
		const struct in6_pktinfo *six = (void *)CMSG_DATA(at);
		if (at->cmsg_level == IPPROTO_IP)
			printf("to %s, interface %d\n", inet_ntop(AF_INET, &info->ipi_addr, text, sizeof(text)),
			       info->ipi_ifindex);
		else
			printf("to %s, interface %d\n", inet_ntop(AF_INET6, &six->ipi6_addr, text, sizeof(text)),
			       six->ipi6_ifindex);
	}
}

/* Sends with control data of a level and a type. */
static int send_with(int fd, const char *to, int port, int level, int type, const void *data, size_t bytes)
{
	char control[128] = "";
	union address name;
	struct iovec iov = {"text", 4};
	struct msghdr message = {.msg_name = &name,
	                         .msg_namelen = address_of(&name, to, port),
	                         .msg_iov = &iov,
	                         .msg_iovlen = 1,
	                         .msg_control = control,
	                         .msg_controllen = CMSG_SPACE(bytes)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	*header = (struct cmsghdr){CMSG_LEN(bytes), level, type};
	memcpy(CMSG_DATA(header), data, bytes);
	return (int)sendmsg(fd, &message, 0);
}

static int send_v4(int fd, int port, const char *source, int interface)
{
	struct in_pktinfo info = {.ipi_ifindex = interface};
	inet_pton(AF_INET, source, &info.ipi_spec_dst);
	return send_with(fd, "127.0.0.1", port, IPPROTO_IP, IP_PKTINFO, &info, sizeof(info));
}

static int send_v6(int fd, int port, const char *source, int interface)
{
	struct in6_pktinfo info = {.ipi6_ifindex = (unsigned)interface};
	inet_pton(AF_INET6, source, &info.ipi6_addr);
	return send_with(fd, "::1", port, IPPROTO_IPV6, IPV6_PKTINFO, &info, sizeof(info));
}

static void sources(void)
{
	int to = socket(AF_INET, SOCK_DGRAM, 0), six = socket(AF_INET6, SOCK_DGRAM, 0), number = 3;
	int from = socket(AF_INET, SOCK_DGRAM, 0), from_six = socket(AF_INET6, SOCK_DGRAM, 0);
	printf("sources\n");
	bind_to(to, "0.0.0.0", 0);
	bind_to(six, "::", 0);
	set(to, IPPROTO_IP, IP_PKTINFO, 1);
	set(six, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
	SAY(send_v4(from, port_of(to), "127.0.0.7", 0));
	show_control(to);
	SAY(send_v4(from, port_of(to), "0.0.0.0", 1));
	show_control(to);
	SAY(send_v4(from, port_of(to), "127.0.0.7", 77));
	SAY(send_v4(from, port_of(to), "192.0.2.1", 0));
	SAY(send_with(from, "127.0.0.1", port_of(to), IPPROTO_IP, IP_PKTINFO, "", 4));
	SAY(send_with(from, "127.0.0.1", port_of(to), IPPROTO_IP, IP_TTL, &number, 4));
	show_control(to);
	number = 0;
	SAY(send_with(from, "127.0.0.1", port_of(to), IPPROTO_IP, IP_TTL, &number, 4));
	SAY(send_with(from, "127.0.0.1", port_of(to), IPPROTO_IP, IP_TOS, &number, 4));
	SAY(send_with(from, "127.0.0.1", port_of(to), IPPROTO_IP, 99, &number, 4));
	SAY(send_with(from, "127.0.0.1", port_of(to), 99, 99, &number, 4));
	show_control(to);
	show_control(to);
	show_control(to);
	SAY(send_v6(from_six, port_of(six), "::1", 0));
	show_control(six);
	SAY(send_v6(from_six, port_of(six), "::", 1));
	show_control(six);
	SAY(send_v6(from_six, port_of(six), "2001:db8::1", 0));
	SAY(send_with(from_six, "::1", port_of(six), IPPROTO_IPV6, IPV6_PKTINFO, "", 4));
	SAY(send_with(from_six, "::1", port_of(six), IPPROTO_IPV6, IPV6_HOPLIMIT, &number, 4));
	SAY(send_with(from_six, "::1", port_of(six), IPPROTO_IPV6, 99, &number, 4));
	SAY(send_with(from_six, "::ffff:127.0.0.1", port_of(six), IPPROTO_IP, IP_TOS, &number, 4));
	show_control(six);
	show_control(six);
	close(to);
	close(six);
	close(from);
	close(from_six);
}

static void without_copy(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	int datagram = socket(AF_INET, SOCK_DGRAM, 0), pair[2];
	printf("without a copy\n");
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	SAY(set(pair[0], SOL_SOCKET, SO_ZEROCOPY, 1));
	SAY(set(client, SOL_SOCKET, SO_ZEROCOPY, 2));
	bind_to(listener, "127.0.0.1", 0);
	listen(listener, 1);
	connect_to(client, "127.0.0.1", port_of(listener));
	int server = accept(listener, NULL, NULL);
	SAY(send(client, "one", 3, MSG_ZEROCOPY));
	recv(server, buf, 3, MSG_WAITALL);
	show_errors(client);
	SAY(set(client, SOL_SOCKET, SO_ZEROCOPY, 1));
	SAY(option(client, SOL_SOCKET, SO_ZEROCOPY));
	SAY(send(client, "one", 3, MSG_ZEROCOPY));
	recv(server, buf, 3, MSG_WAITALL);
	SAY(events_of(client, POLLERR));
	show_errors(client);
	show_errors(client);
	SAY(send(client, "two", 3, MSG_ZEROCOPY));
	SAY(send(client, "three", 5, 0));
	SAY(send(client, "four", 4, MSG_ZEROCOPY));
	recv(server, buf, 12, MSG_WAITALL);
	SAY(events_of(client, POLLERR));
	SAY(option(client, SOL_SOCKET, SO_ERROR));
	show_errors(client);
	show_errors(client);
	bind_to(datagram, "127.0.0.1", 0);
	connect_to(datagram, "127.0.0.1", port_of(datagram));
	SAY(set(datagram, SOL_SOCKET, SO_ZEROCOPY, 1));
	SAY(send(datagram, "one", 3, MSG_ZEROCOPY));
	recv(datagram, buf, 3, 0);
	SAY(events_of(datagram, POLLERR));
	show_errors(datagram);
	close(server);
	close(client);
	close(listener);
	close(datagram);
}

int main(void)
{
	own_network();
	unreachable("127.0.0.1", "127.0.0.1", IPPROTO_IP, IP_RECVERR, POLLERR);
	unreachable("127.0.0.1", "127.0.0.3", IPPROTO_IP, IP_RECVERR, POLLERR);
	unreachable("::1", "::1", IPPROTO_IPV6, IPV6_RECVERR, POLLERR);
	unreachable("::", "::ffff:127.0.0.1", IPPROTO_IP, IP_RECVERR, POLLERR);
	unreachable("::", "::ffff:127.0.0.1", IPPROTO_IPV6, IPV6_RECVERR, 0);
	sources();
	without_copy();
	return 0;
}
