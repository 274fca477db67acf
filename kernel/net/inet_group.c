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
#define GROUPS_MAX 20 /* net.ipv4.igmp_max_memberships */
#define V4_AT 12      /* of a mapped address */
#define LO 1

struct membership {
	struct list all;
	const struct socket *socket;
	struct inet_address group;
	int interface;
};

static struct list all = {&all, &all};

static const struct net_interface *interface_numbered(int index)
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
static struct membership *find(const struct socket *socket, const struct inet_address *group, int interface)
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
	return find(NULL, group, interface);
}

bool inet_group_has(const struct socket *socket, const struct inet_address *group, int interface)
{
	return find(socket, group, interface) || inet_option_is_on(socket, INET_MULTICAST_ALL);
}

static void leave(struct membership *membership)
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
			leave(each);
	}
}

static int join(const struct socket *socket, const struct inet_address *group, int interface)
{
	unsigned count = 0;
	list_each (link, &all)
		count += list_entry(link, struct membership, all)->socket == socket;
	if (find(socket, group, interface))
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
static int change(const struct socket *socket, const struct inet_address *group, int interface, bool joins)
{
	if (!inet_address_is_multicast(group))
		return joins ? -EINVAL : -EADDRNOTAVAIL;
	if (joins)
		return interface_numbered(interface) ? join(socket, group, interface) : -ENODEV;
	struct membership *membership = find(socket, group, interface);
	if (!membership)
		return -EADDRNOTAVAIL;
	leave(membership);
	return 0;
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
	return change(socket, &group, interface, joins);
}

/* struct ipv6_mreq */
static int change_v6(const struct socket *socket, const uint8_t *value, int bytes, bool joins)
{
	struct inet_address group = {.port = 0};
	int32_t interface;
	if (socket_connects(socket))
		return -EPROTO;
	if (bytes < 20)
		return -EINVAL;
	memcpy(group.bytes, value, sizeof(group.bytes));
	memcpy(&interface, value + 16, sizeof(interface));
	return change(socket, &group, interface, joins);
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
	if (interface && !interface_numbered(interface))
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
	if (interface && !interface_numbered(interface))
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
	const struct net_interface *about = interface_numbered(inet_group_interface(socket, group));
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
