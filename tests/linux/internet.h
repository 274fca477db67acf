/* SPDX-License-Identifier: MIT */
/* What the tests of internet sockets share. Ports are the system's choice, and are not printed. */
#ifndef TESTS_LINUX_INTERNET_H
#define TESTS_LINUX_INTERNET_H

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/guest/say.h"

#ifdef CLONE_NEWNET
/** Natively, leaves the host's network for one with loopback alone, where no other program has a port. The guest
 * refuses unshare(2), and needs none. */
static inline void own_network(void)
{
	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return;
	struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	ioctl(fd, SIOCSIFFLAGS, &lo);
	close(fd);
}
#else
static inline void own_network(void)
{
}
#endif

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/** The address of a text and a port, and its length. */
static inline socklen_t address_of(union address *to, const char *text, int port)
{
	memset(to, 0, sizeof(*to));
	if (strchr(text, ':')) {
		to->v6.sin6_family = AF_INET6;
		to->v6.sin6_port = htons(port);
		inet_pton(AF_INET6, text, &to->v6.sin6_addr);
		return sizeof(to->v6);
	}
	to->v4.sin_family = AF_INET;
	to->v4.sin_port = htons(port);
	inet_pton(AF_INET, text, &to->v4.sin_addr);
	return sizeof(to->v4);
}

static inline int bind_to(int fd, const char *text, int port)
{
	union address to;
	socklen_t bytes = address_of(&to, text, port);
	return bind(fd, &to.any, bytes);
}

static inline int connect_to(int fd, const char *text, int port)
{
	union address to;
	socklen_t bytes = address_of(&to, text, port);
	return connect(fd, &to.any, bytes);
}

static inline int port_of(int fd)
{
	union address own;
	socklen_t bytes = sizeof(own);
	getsockname(fd, &own.any, &bytes);
	return ntohs(own.v4.sin_port);
}

/** Prints an address, and whether it has a port. */
static inline void show_address(const char *what, const union address *address, socklen_t bytes)
{
	char text[INET6_ADDRSTRLEN] = "nothing";
	if (address->any.sa_family == AF_INET)
		inet_ntop(AF_INET, &address->v4.sin_addr, text, sizeof(text));
	else if (address->any.sa_family == AF_INET6)
		inet_ntop(AF_INET6, &address->v6.sin6_addr, text, sizeof(text));
	printf("%s: %s, port %s, %u bytes\n", what, text, address->v4.sin_port ? "yes" : "no", bytes);
}

static inline void show_name(int fd, const char *what, int (*of)(int, struct sockaddr *, socklen_t *))
{
	union address name = {0};
	socklen_t bytes = sizeof(name);
	if (of(fd, &name.any, &bytes))
		printf("%s: %s\n", what, errno_name(errno));
	else
		show_address(what, &name, bytes);
}

/** Waits until a file has all these events, and yields all that it has. */
static inline int events_of(int fd, int wanted)
{
	struct pollfd file = {fd, POLLIN | POLLOUT | POLLRDHUP | POLLPRI, 0};
	do
		sched_yield();
	while (poll(&file, 1, 0) < 0 || (file.revents & wanted) != wanted);
	return file.revents;
}

/** The value of a numeric option, or -1. */
static inline int option(int fd, int level, int name)
{
	int value = -1;
	socklen_t bytes = sizeof(value);
	return getsockopt(fd, level, name, &value, &bytes) ? -1 : value;
}

static inline int set(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

static inline int tcp_state(int fd)
{
	struct tcp_info info = {0};
	socklen_t bytes = sizeof(info);
	getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes);
	return info.tcpi_state;
}

#endif
