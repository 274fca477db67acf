/* SPDX-License-Identifier: MIT */
/* Lists of interfaces by AF_NETLINK, ioctl(2) and /proc/net (rtnetlink(7), netdevice(7)): loopback, which is the same
 * everywhere. With an argument: all interfaces, which are the guest's own. */
/* also for native images */
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include "tests/linux/internet.h"

static int all;

static void show(const char *what, const struct sockaddr *address)
{
	char text[INET6_ADDRSTRLEN];
	if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
		return;
	const void *bytes = address->sa_family == AF_INET
	                            ? (const void *)&((const struct sockaddr_in *)address)->sin_addr
	                            : &((const struct sockaddr_in6 *)address)->sin6_addr;
	printf(" %s %s", what, inet_ntop(address->sa_family, bytes, text, sizeof(text)));
}

static void addresses(void)
{
	struct ifaddrs *list;
	if (SAY(getifaddrs(&list)))
		return;
	for (const struct ifaddrs *at = list; at; at = at->ifa_next) {
		if (!all && strcmp(at->ifa_name, "lo") != 0)
			continue;
		printf("%s, flags %x, family %d:", at->ifa_name, at->ifa_flags, at->ifa_addr->sa_family);
		show("address", at->ifa_addr);
		show("mask", at->ifa_netmask);
		if (at->ifa_flags & IFF_BROADCAST)
			show("broadcast", at->ifa_broadaddr);
		printf("\n");
	}
	freeifaddrs(list);
}

static void requests(const char *name)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct ifreq request = {0};
	strcpy(request.ifr_name, name);
	printf("%s\n", name);
	if (SAY(ioctl(fd, SIOCGIFINDEX, &request)) == 0)
		printf("index %d\n", request.ifr_ifindex);
	if (SAY(ioctl(fd, SIOCGIFNAME, &request)) == 0)
		printf("name %s\n", request.ifr_name);
	if (SAY(ioctl(fd, SIOCGIFFLAGS, &request)) == 0)
		printf("flags %x\n", request.ifr_flags);
	if (SAY(ioctl(fd, SIOCGIFMTU, &request)) == 0)
		printf("mtu %d\n", request.ifr_mtu);
	if (SAY(ioctl(fd, SIOCGIFADDR, &request)) == 0)
		show("address", &request.ifr_addr);
	printf("\n");
	if (SAY(ioctl(fd, SIOCGIFNETMASK, &request)) == 0)
		show("mask", &request.ifr_netmask);
	printf("\n");
	if (SAY(ioctl(fd, SIOCGIFHWADDR, &request)) == 0)
		printf("type %d\n", request.ifr_hwaddr.sa_family);
	close(fd);
}

static void netlink(void)
{
	struct {
		struct nlmsghdr head;
		struct rtgenmsg rest;
	} request = {{NLMSG_LENGTH(sizeof(struct rtgenmsg)), 999, NLM_F_REQUEST, 7, 0}, {AF_UNSPEC}};
	static char buf[16384] __attribute__((aligned(8)));
	struct sockaddr_nl own = {.nl_family = AF_NETLINK};
	socklen_t bytes = sizeof(own);
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	SAY(bind(fd, (struct sockaddr *)&own, sizeof(own)));
	SAY(getsockname(fd, (struct sockaddr *)&own, &bytes));
	SAY_TRUE(own.nl_pid == (uint32_t)getpid());
	SAY(option(fd, SOL_SOCKET, SO_DOMAIN));
	SAY(option(fd, SOL_SOCKET, SO_TYPE));
	SAY(events_of(fd, 0));
	SAY(recv(fd, buf, sizeof(buf), MSG_DONTWAIT));
	SAY(send(fd, &request, sizeof(request), 0));
	SAY(recv(fd, buf, sizeof(buf), 0) > 0);
	const struct nlmsghdr *answer = (void *)buf;
	printf("type %d, sequence %d, error %d\n", answer->nlmsg_type, answer->nlmsg_seq, *(int *)NLMSG_DATA(answer));
	SAY(listen(fd, 1));
	SAY(shutdown(fd, SHUT_RD));
	close(fd);
	SAY(socket(AF_NETLINK, SOCK_STREAM, NETLINK_ROUTE));
}

int main(int count, char **names)
{
	own_network();
	all = count > 1;
	(void)names;
	addresses();
	SAY(if_nametoindex("lo"));
	SAY(if_nametoindex("nothing"));
	requests("lo");
	requests("nothing");
	if (all)
		requests("eth0");
	else
		netlink();
	return 0;
}
