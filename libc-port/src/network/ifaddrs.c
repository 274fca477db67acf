/* SPDX-License-Identifier: MIT */
/* Addresses of the network interfaces, as the kernel lists them by AF_NETLINK (getifaddrs(3), rtnetlink(7)). */
#include <errno.h>
#include <ifaddrs.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpacket/packet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_BYTES 8192 /* more than the kernel sends at once */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_ll hardware;
};

/* An entry with all that it points to, in one piece of memory. */
struct entry {
	struct ifaddrs public;
	int number; /* of the interface */
	char name[IFNAMSIZ];
	union address address, mask, other;
};

struct list {
	struct ifaddrs *first, **next;
};

static struct entry *add_entry(struct list *list, int number)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->number = number;
	entry->public.ifa_name = entry->name;
	*list->next = &entry->public;
	list->next = &entry->public.ifa_next;
	return entry;
}

static void set_interface_name(struct entry *entry, const struct rtattr *attribute)
{
	size_t bytes = (size_t)RTA_PAYLOAD(attribute);
	memcpy(entry->name, RTA_DATA(attribute), bytes < IFNAMSIZ ? bytes : IFNAMSIZ - 1);
}

static struct sockaddr *set_hardware(union address *to, const struct ifinfomsg *about, const struct rtattr *attribute)
{
	size_t bytes = (size_t)RTA_PAYLOAD(attribute);
	bytes = bytes < sizeof(to->hardware.sll_addr) ? bytes : sizeof(to->hardware.sll_addr);
	to->hardware.sll_family = AF_PACKET;
	to->hardware.sll_ifindex = about->ifi_index;
	to->hardware.sll_hatype = about->ifi_type;
	to->hardware.sll_halen = (unsigned char)bytes;
	memcpy(to->hardware.sll_addr, RTA_DATA(attribute), bytes);
	return &to->any;
}

/* An interface: its flags and the address of its hardware. */
static int add_link(struct list *list, struct nlmsghdr *message)
{
	const struct ifinfomsg *about = NLMSG_DATA(message);
	struct entry *entry = add_entry(list, about->ifi_index);
	if (!entry)
		return -1;
	entry->public.ifa_flags = about->ifi_flags;
	int left = (int)IFLA_PAYLOAD(message);
	for (struct rtattr *at = IFLA_RTA(about); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
		if (at->rta_type == IFLA_IFNAME)
			set_interface_name(entry, at);
		else if (at->rta_type == IFLA_ADDRESS)
			entry->public.ifa_addr = set_hardware(&entry->address, about, at);
		else if (at->rta_type == IFLA_BROADCAST)
			entry->public.ifa_broadaddr = set_hardware(&entry->other, about, at);
	}
	return 0;
}

static struct sockaddr *set_internet(union address *to, const struct ifaddrmsg *about, const void *bytes)
{
	to->any.sa_family = about->ifa_family;
	if (about->ifa_family == AF_INET) {
		memcpy(&to->v4.sin_addr, bytes, sizeof(to->v4.sin_addr));
	} else {
		memcpy(&to->v6.sin6_addr, bytes, sizeof(to->v6.sin6_addr));
		if (IN6_IS_ADDR_LINKLOCAL(&to->v6.sin6_addr))
			to->v6.sin6_scope_id = about->ifa_index;
	}
	return &to->any;
}

static struct sockaddr *set_mask(union address *to, const struct ifaddrmsg *about)
{
	uint8_t bytes[16] = {0};
	for (int i = 0; i < about->ifa_prefixlen && i < 128; i++)
		bytes[i / 8] |= (uint8_t)(0x80 >> i % 8);
	return set_internet(to, about, bytes);
}

/* An address of an interface, whose own entry precedes it and has its flags and its name. */
static int add_address(struct list *list, struct nlmsghdr *message)
{
	const struct ifaddrmsg *about = NLMSG_DATA(message);
	if (about->ifa_family != AF_INET && about->ifa_family != AF_INET6)
		return 0;
	struct entry *entry = add_entry(list, (int)about->ifa_index);
	if (!entry)
		return -1;
	for (struct ifaddrs *at = list->first; at != &entry->public; at = at->ifa_next) {
		const struct entry *link = (const struct entry *)at;
		if (link->number != entry->number)
			continue;
		entry->public.ifa_flags = at->ifa_flags;
		strcpy(entry->name, link->name);
		break;
	}
	int left = (int)IFA_PAYLOAD(message);
	for (struct rtattr *at = IFA_RTA(about); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
		if (at->rta_type == IFA_LABEL)
			set_interface_name(entry, at);
		else if (at->rta_type == IFA_LOCAL || (at->rta_type == IFA_ADDRESS && !entry->public.ifa_addr))
			entry->public.ifa_addr = set_internet(&entry->address, about, RTA_DATA(at));
		else if (at->rta_type == IFA_BROADCAST)
			entry->public.ifa_broadaddr = set_internet(&entry->other, about, RTA_DATA(at));
	}
	entry->public.ifa_netmask = set_mask(&entry->mask, about);
	return 0;
}

/* Adds the entries of one message with answers. Returns 1 at the end of the list, 0 before it, -1 with errno. */
static int add_answers(struct list *list, void *answer, int bytes)
{
	for (struct nlmsghdr *at = answer; NLMSG_OK(at, bytes); at = NLMSG_NEXT(at, bytes)) {
		if (at->nlmsg_type == NLMSG_DONE)
			return 1;
		if (at->nlmsg_type == NLMSG_ERROR) {
			errno = -((const struct nlmsgerr *)NLMSG_DATA(at))->error;
			return -1;
		}
		if (at->nlmsg_type == RTM_NEWLINK && add_link(list, at) < 0)
			return -1;
		if (at->nlmsg_type == RTM_NEWADDR && add_address(list, at) < 0)
			return -1;
	}
	return 0;
}

static int add_all(struct list *list, int fd, uint16_t type, void *answer)
{
	const struct {
		struct nlmsghdr head;
		struct rtgenmsg rest;
	} request = {{sizeof(request), type, NLM_F_REQUEST | NLM_F_DUMP, type, 0}, {AF_UNSPEC}};
	if (send(fd, &request, sizeof(request), 0) < 0)
		return -1;
	for (;;) {
		ssize_t bytes = recv(fd, answer, ANSWER_BYTES, 0);
		if (bytes <= 0)
			return -1;
		int result = add_answers(list, answer, (int)bytes);
		if (result)
			return result;
	}
}

int getifaddrs(struct ifaddrs **result)
{
	struct list list = {NULL, &list.first};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	void *answer = malloc(ANSWER_BYTES);
	int worked = fd >= 0 && answer && add_all(&list, fd, RTM_GETLINK, answer) > 0 &&
	             add_all(&list, fd, RTM_GETADDR, answer) > 0;
	int error = errno;
	free(answer);
	if (fd >= 0)
		close(fd);
	if (!worked) {
		freeifaddrs(list.first);
		errno = error;
		return -1;
	}
	*result = list.first;
	return 0;
}

void freeifaddrs(struct ifaddrs *list)
{
	while (list) {
		struct ifaddrs *next = list->ifa_next;
		free(list);
		list = next;
	}
}
