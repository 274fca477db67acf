/* SPDX-License-Identifier: MIT */
/* Memberships are in one list, in the order in which they were made. There are few. */
#include "kernel/net/inet_group.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/net_interface.h"

#define MULTICAST_IF 32
#define ADD_MEMBERSHIP 35
#define DROP_MEMBERSHIP 36
#define V6_MULTICAST_IF 17
#define V6_ADD_MEMBERSHIP 20
#define V6_DROP_MEMBERSHIP 21
#define UNBLOCK_SOURCE 37 /* 38 blocks one */
#define ADD_SOURCE 39
#define DROP_SOURCE 40
#define MCAST_JOIN 42 /* RFC 3678, 5.1: both families */
#define MCAST_BLOCK_SOURCE 43
#define MCAST_UNBLOCK_SOURCE 44
#define MCAST_LEAVE 45
#define MCAST_JOIN_SOURCE 46
#define MCAST_LEAVE_SOURCE 47
#define GROUP_AT 8 /* in struct group_req: a struct sockaddr_storage behind the interface's number */
#define SOURCE_AT 136
#define SOURCES_MAX 10 /* net.ipv4.igmp_max_msf */
#define GROUPS_MAX 20  /* net.ipv4.igmp_max_memberships */
#define V4_AT 12       /* of a mapped address */
#define LO 1

struct membership {
	struct list all;
	const struct socket *socket;
	struct inet_address group;
	int interface;
	bool is_include; /* hears only its sources; else all but these */
	bool has_list;   /* sources were named, maybe none is left: the mode stays */
	unsigned count;
	struct inet_address sources[SOURCES_MAX];
};

/* A request about a source of a group, as MCAST_*. */
struct source_request {
	int option;
	int interface;
	struct inet_address group, source;
};

static struct list all = {&all, &all};

static const struct net_interface *interface_with_index(int index)
{
	for (int i = 0; i < NET_INTERFACES; i++)
		if (net_interfaces[i].index == index)
			return &net_interfaces[i];
	return NULL;
}

/* The number of the interface with an address of IPv4, in network byte order; 0: none. */
static int interface_with(const uint8_t *v4)
{
	for (int i = 0; i < NET_INTERFACES; i++)
		if (!memcmp(net_interfaces[i].v4, v4, sizeof(net_interfaces[i].v4)))
			return net_interfaces[i].index;
	return 0;
}

/* A socket's membership of a group; interface 0: on any interface. NULL: none. */
static struct membership *find_membership(const struct socket *socket, const struct inet_address *group, int interface)
{
	list_each (link, &all) {
		struct membership *each = list_entry(link, struct membership, all);
		if ((!socket || each->socket == socket) && (!interface || each->interface == interface) &&
		    inet_address_is_same(&each->group, group))
			return each;
	}
	return NULL;
}

bool inet_group_exists(const struct inet_address *group, int interface)
{
	return find_membership(NULL, group, interface);
}

/* The place of a source in a membership's list; its length: none. */
static unsigned find_source(const struct membership *membership, const struct inet_address *source)
{
	unsigned i = 0;
	while (i < membership->count && !inet_address_is_same(&membership->sources[i], source))
		i++;
	return i;
}

bool inet_group_has(const struct socket *socket, const struct inet_address *group, int interface,
                    const struct inet_address *from)
{
	const struct membership *membership = find_membership(socket, group, interface);
	if (membership)
		return (find_source(membership, from) < membership->count) == membership->is_include;
	return inet_option_is_on(socket, inet_address_is_v4(group) ? INET_MULTICAST_ALL : INET_V6_MULTICAST_ALL);
}

static void leave_group(struct membership *membership)
{
	list_remove(&membership->all);
	kfree(membership);
}

void inet_group_leave_all(struct socket *socket)
{
	for (struct list *link = all.next, *next; link != &all; link = next) {
		struct membership *each = list_entry(link, struct membership, all);
		next = link->next;
		if (each->socket == socket)
			leave_group(each);
	}
}

static int join(const struct socket *socket, const struct inet_address *group, int interface)
{
	unsigned count = 0;
	list_each (link, &all)
		count += list_entry(link, struct membership, all)->socket == socket;
	if (find_membership(socket, group, interface))
		return -EADDRINUSE;
	if (count >= GROUPS_MAX)
		return -ENOBUFS;
	struct membership *made = kzalloc(sizeof(*made));
	if (!made)
		return -ENOBUFS;
	*made = (struct membership){.socket = socket, .group = *group, .interface = interface};
	list_add_last(&all, &made->all);
	return 0;
}

/* Joins or leaves. An interface of 0 is chosen by the route to the group when joining: there is none. */
static int change_membership(const struct socket *socket, const struct inet_address *group, int interface, bool joins)
{
	if (!inet_address_is_multicast(group) && (joins || interface_with_index(interface)))
		return joins ? -EINVAL : -EADDRNOTAVAIL;
	if (joins)
		return interface_with_index(interface) ? join(socket, group, interface) : -ENODEV;
	struct membership *membership = find_membership(socket, group, interface);
	if (!membership)
		return interface_with_index(interface) || !inet_address_is_v4(group) ? -EADDRNOTAVAIL : -ENODEV;
	leave_group(membership);
	return 0;
}

static int add_source(struct membership *membership, const struct inet_address *source)
{
	if (membership->count == SOURCES_MAX)
		return -ENOBUFS;
	if (find_source(membership, source) < membership->count)
		return -EADDRNOTAVAIL;
	membership->sources[membership->count++] = *source;
	membership->has_list = true;
	return 0;
}

/* A member that hears its sources only leaves the group with the last one. */
static int remove_source(struct membership *membership, const struct inet_address *source)
{
	unsigned i = find_source(membership, source);
	if (i == membership->count)
		return -EADDRNOTAVAIL;
	if (membership->count == 1 && membership->is_include)
		leave_group(membership);
	else
		membership->sources[i] = membership->sources[--membership->count];
	return 0;
}

/* Changes the filter of a membership, as Linux does: a mode lasts as long as the list. */
static int change_source(const struct socket *socket, const struct source_request *request)
{
	bool joins = request->option == MCAST_JOIN_SOURCE;
	bool is_include = joins || request->option == MCAST_LEAVE_SOURCE;
	bool adds = joins || request->option == MCAST_BLOCK_SOURCE;
	if (!inet_address_is_multicast(&request->group))
		return -EINVAL;
	if (!interface_with_index(request->interface))
		return -ENODEV;
	int error = joins ? join(socket, &request->group, request->interface) : 0;
	struct membership *membership = find_membership(socket, &request->group, request->interface);
	if (error && error != -EADDRINUSE)
		return error;
	if (!membership)
		return -EINVAL;
	if (joins && !error)
		membership->is_include = true;
	if (membership->is_include != is_include && membership->has_list)
		return -EINVAL;
	membership->is_include = is_include;
	return adds ? add_source(membership, &request->source) : remove_source(membership, &request->source);
}

/* struct ip_mreq_source: the group, the interface's address, the source. */
static int change_source_v4(const struct socket *socket, int option, const uint8_t *value, int bytes)
{
	static const int as[] = {MCAST_UNBLOCK_SOURCE, MCAST_BLOCK_SOURCE, MCAST_JOIN_SOURCE, MCAST_LEAVE_SOURCE};
	const struct inet_address none = inet_address_any(LINUX_AF_INET);
	struct source_request request = {.option = as[option - UNBLOCK_SOURCE], .group = none, .source = none};
	if (bytes < 12)
		return -EINVAL;
	request.interface = interface_with(value + 4);
	memcpy(request.group.bytes + V4_AT, value, 4);
	memcpy(request.source.bytes + V4_AT, value + 8, 4);
	return change_source(socket, &request);
}

/* Reads an address of a level's family without its port. Returns 0 or -EINVAL. */
static int read_address(int level, const uint8_t *value, struct inet_address *address)
{
	struct socket_address name = {.bytes = sizeof(name.in6)};
	memcpy(&name.in6, value, sizeof(name.in6));
	int domain = level == LINUX_IPPROTO_IP ? LINUX_AF_INET : LINUX_AF_INET6;
	int error = name.family == domain ? inet_address_read(&name, domain, address) : -EINVAL;
	address->port = 0;
	return error;
}

/* struct group_req, or struct group_source_req. */
static int change_group(const struct socket *socket, int level, int option, const uint8_t *value, int bytes)
{
	bool has_source = option != MCAST_JOIN && option != MCAST_LEAVE;
	struct source_request request = {.option = option};
	if (bytes < (has_source ? 2 : 1) * (SOURCE_AT - GROUP_AT) + GROUP_AT)
		return -EINVAL;
	memcpy(&request.interface, value, sizeof(request.interface));
	int error = read_address(level, value + GROUP_AT, &request.group);
	if (!error && has_source)
		error = read_address(level, value + SOURCE_AT, &request.source);
	if (error)
		return has_source ? -EADDRNOTAVAIL : -EINVAL;
	return has_source ? change_source(socket, &request)
	                  : change_membership(socket, &request.group, request.interface, option == MCAST_JOIN);
}

/* struct ip_mreq, or struct ip_mreqn with the interface's number. */
static int change_v4(const struct socket *socket, const uint8_t *value, int bytes, bool joins)
{
	struct inet_address group = inet_address_any(LINUX_AF_INET);
	int32_t interface = 0;
	if (socket_connects(socket))
		return -EPROTO;
	if (bytes < 8)
		return -EINVAL;
	memcpy(group.bytes + V4_AT, value, 4);
	if (bytes >= 12)
		memcpy(&interface, value + 8, sizeof(interface));
	if (!interface)
		interface = interface_with(value + 4);
	return change_membership(socket, &group, interface, joins);
}

/* struct ipv6_mreq */
static int change_v6(const struct socket *socket, const uint8_t *value, int bytes, bool joins)
{
	struct inet_address group = {.port = 0};
	int32_t interface;
	if (bytes < 20)
		return -EINVAL;
	if (socket_connects(socket))
		return -EPROTO;
	memcpy(group.bytes, value, sizeof(group.bytes));
	memcpy(&interface, value + 16, sizeof(interface));
	return change_membership(socket, &group, interface, joins);
}

/* An address, struct ip_mreq or struct ip_mreqn: the interface for sending. */
static int choose_v4(struct socket *socket, const uint8_t *value, int bytes)
{
	static const uint8_t none[4];
	uint8_t address[4];
	int32_t interface = 0;
	if (socket_connects(socket) || bytes < 4)
		return -EINVAL;
	memcpy(address, bytes >= 8 ? value + 4 : value, sizeof(address));
	if (bytes >= 12)
		memcpy(&interface, value + 8, sizeof(interface));
	if (!interface && memcmp(address, none, sizeof(none)) != 0) {
		interface = interface_with(address);
		if (!interface)
			return -EADDRNOTAVAIL;
	}
	if (interface && !interface_with_index(interface))
		return -EADDRNOTAVAIL;
	socket->inet.group_interface = interface;
	memcpy(socket->inet.group_source, address, sizeof(address));
	return 0;
}

static int choose_v6(struct socket *socket, const uint8_t *value, int bytes)
{
	int32_t interface;
	if (socket_connects(socket))
		return -ENOPROTOOPT;
	if (bytes < (int)sizeof(interface))
		return -EINVAL;
	memcpy(&interface, value, sizeof(interface));
	if (interface && !interface_with_index(interface))
		return -ENODEV;
	socket->inet.group_interface = interface;
	return 0;
}

int inet_group_set(struct socket *socket, int level, int option, const void *value, int bytes)
{
	if (level == LINUX_IPPROTO_IP && option == MULTICAST_IF)
		return choose_v4(socket, value, bytes);
	if (level == LINUX_IPPROTO_IP && (option == ADD_MEMBERSHIP || option == DROP_MEMBERSHIP))
		return change_v4(socket, value, bytes, option == ADD_MEMBERSHIP);
	if (level == LINUX_IPPROTO_IP && option >= UNBLOCK_SOURCE && option <= DROP_SOURCE)
		return change_source_v4(socket, option, value, bytes);
	bool is_own = level == LINUX_IPPROTO_IP || (level == LINUX_IPPROTO_IPV6 && socket->domain == LINUX_AF_INET6);
	if (is_own && option >= MCAST_JOIN && option <= MCAST_LEAVE_SOURCE)
		return change_group(socket, level, option, value, bytes);
	if (level != LINUX_IPPROTO_IPV6 || socket->domain != LINUX_AF_INET6)
		return 1;
	if (option == V6_MULTICAST_IF)
		return choose_v6(socket, value, bytes);
	if (option == V6_ADD_MEMBERSHIP || option == V6_DROP_MEMBERSHIP)
		return change_v6(socket, value, bytes, option == V6_ADD_MEMBERSHIP);
	return 1;
}

int inet_group_get(const struct socket *socket, int level, int option, void *value, int *bytes)
{
	bool is_v4 = level == LINUX_IPPROTO_IP && option == MULTICAST_IF;
	bool is_v6 = level == LINUX_IPPROTO_IPV6 && option == V6_MULTICAST_IF && socket->domain == LINUX_AF_INET6;
	if (!is_v4 && !is_v6)
		return 1;
	*bytes = *bytes < 4 ? *bytes : 4;
	memcpy(value, is_v4 ? (const void *)socket->inet.group_source : &socket->inet.group_interface, (size_t)*bytes);
	return 0;
}

int inet_group_interface(const struct socket *socket, const struct inet_address *group)
{
	const struct inet *inet = &socket->inet;
	int interface = inet->group_interface;
	if (!interface && !inet_address_is_any(&inet->local) && !inet_address_is_multicast(&inet->local))
		interface = inet_address_interface(&inet->local);
	/* as on Linux, lo has no route to groups of IPv6 */
	return interface == LO && !inet_address_is_v4(group) ? 0 : interface;
}

struct inet_address inet_group_source(const struct socket *socket, const struct inet_address *group)
{
	static const uint8_t none[4];
	const struct net_interface *about = interface_with_index(inet_group_interface(socket, group));
	struct inet_address source = inet_address_any(inet_address_is_v4(group) ? LINUX_AF_INET : LINUX_AF_INET6);
	bool is_chosen = memcmp(socket->inet.group_source, none, sizeof(none)) != 0;
	if (inet_address_is_v4(group) && is_chosen)
		memcpy(source.bytes + V4_AT, socket->inet.group_source, sizeof(socket->inet.group_source));
	else if (about && inet_address_is_v4(group))
		memcpy(source.bytes + V4_AT, about->v4, sizeof(about->v4));
	else if (about)
		memcpy(source.bytes, about->v6, sizeof(about->v6));
	return source;
}
