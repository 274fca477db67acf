/* SPDX-License-Identifier: MIT */
/* Netlink: requests of all types, cut and overlapping attributes, and readers of too little. */
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

/* Writes one request; returns how many bytes it takes. */
static size_t make_request(unsigned char *at)
{
	struct nlmsghdr *head = (void *)at;
	size_t size = sizeof(*head) + calls_below(64);
	memset(at, 0, 512);
	head->nlmsg_type =
		(uint16_t)(CALLS_RARELY(4)
	                           ? calls_number()
	                           : CALLS_ONE_OF(RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE, RTM_GETNEIGH, RTM_GETRULE,
	                                          RTM_NEWADDR, RTM_DELADDR, RTM_NEWLINK, RTM_SETLINK, RTM_NEWROUTE,
	                                          RTM_GETSTATS, NLMSG_DONE, NLMSG_NOOP, NLMSG_ERROR, 20));
	head->nlmsg_flags = (uint16_t)(NLM_F_REQUEST |
	                               calls_flags(NLM_F_DUMP | NLM_F_ACK | NLM_F_ECHO | NLM_F_MULTI | NLM_F_CREATE));
	if (CALLS_RARELY(10))
		head->nlmsg_flags = (uint16_t)calls_random();
	head->nlmsg_seq = (uint32_t)calls_random();
	head->nlmsg_pid = CALLS_RARELY(2) ? 0 : (uint32_t)calls_number();
	struct ifinfomsg *info = NLMSG_DATA(head);
	info->ifi_family = (unsigned char)CALLS_ONE_OF(0, 2, 10, 17, 255);
	info->ifi_index = (int)CALLS_ONE_OF(0, 1, 2, 3, -1, 0x7fffffff);
	for (size_t place = sizeof(*head) + (size_t)CALLS_ONE_OF(16, 8, 12, 28, 20); place + 4 < size;) {
		struct rtattr *attribute = (void *)(at + place);
		*attribute = (struct rtattr){(uint16_t)(CALLS_RARELY(4) ? calls_number() : 4 + calls_below(12)),
		                             (uint16_t)(CALLS_RARELY(8) ? calls_number() : calls_below(50))};
		place += RTA_SPACE(calls_below(12));
	}
	head->nlmsg_len = (uint32_t)(CALLS_RARELY(6) ? calls_number() : (long)size);
	return NLMSG_ALIGN(size);
}

static void ask(int fd)
{
	struct sockaddr_nl kernel = {AF_NETLINK, 0, CALLS_RARELY(12) ? (uint32_t)calls_number() : 0,
	                             CALLS_RARELY(12) ? 1 : 0};
	unsigned char requests[4096] __attribute__((aligned(16)));
	size_t size = 0;
	for (unsigned i = calls_below(4) + 1; i > 0; i--)
		size += make_request(requests + size);
	if (CALLS_RARELY(8))
		size = calls_below((unsigned)size + 1);
	if (CALLS_RARELY(3))
		send(fd, CALLS_RARELY(8) ? calls_memory(size) : requests, size, MSG_DONTWAIT);
	else
		sendto(fd, requests, size, MSG_DONTWAIT, (void *)&kernel,
		       CALLS_RARELY(12) ? calls_below(16) : sizeof(kernel));
}

void calls_netlink(void)
{
	struct sockaddr_nl own = {AF_NETLINK, 0, CALLS_RARELY(2) ? 0 : (uint32_t)calls_number(),
	                          CALLS_RARELY(2) ? 0 : (uint32_t)calls_random()};
	int value = (int)calls_below(3);
	size_t size = calls_below(CALLS_RARELY(4) ? 30 : 9000);
	switch (calls_below(8)) {
	case 0:
	case 1: {
		int fd = calls_keep(socket(
			AF_NETLINK, (int)CALLS_ONE_OF(SOCK_RAW, SOCK_DGRAM, SOCK_RAW | SOCK_CLOEXEC, SOCK_STREAM),
			CALLS_RARELY(6) ? (int)calls_below(24) : NETLINK_ROUTE));
		ask(fd);
		recv(fd, calls_memory(size), size, MSG_DONTWAIT | (int)calls_flags(MSG_PEEK | MSG_TRUNC));
		break;
	}
	case 2:
		bind(calls_fd(), (void *)&own, CALLS_RARELY(12) ? calls_below(16) : sizeof(own));
		break;
	case 3:
		connect(calls_fd(), (void *)&own, sizeof(own));
		break;
	case 4:
		setsockopt(calls_fd(), 270, (int)calls_below(14), CALLS_RARELY(8) ? calls_memory(4) : &value,
		           CALLS_RARELY(6) ? calls_below(8) : sizeof(value));
		break;
	case 5:
		recv(calls_fd(), calls_memory(size), size, MSG_DONTWAIT | (int)calls_flags(MSG_PEEK | MSG_TRUNC));
		break;
	default:
		ask(calls_fd());
		break;
	}
}
