/* SPDX-License-Identifier: MIT */
/* Lists of interfaces, addresses and routes. Nothing can be changed. */
#include "kernel/net/netlink_route.h"

#include "abi/errno.h"
#include "abi/linux_socket.h"
#include "kernel/lib/string.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/outside/outside.h"

#define NLMSG_ERROR 2
#define NLMSG_DONE 3
#define RTM_NEWLINK 16
#define RTM_GETLINK 18
#define RTM_NEWADDR 20
#define RTM_GETADDR 22
#define RTM_NEWROUTE 24
#define RTM_GETROUTE 26
#define NLM_F_MULTI 2
#define NLM_F_ACK 4
#define NLM_F_DUMP 0x300

static void add_bytes(struct netlink_answer *answer, const void *from, size_t bytes)
{
	size_t space = (bytes + 3) & ~3UL;
	if (answer->room - answer->bytes < space) {
		answer->overflows = true;
		return;
	}
	memset(answer->at + answer->bytes, 0, space);
	memcpy(answer->at + answer->bytes, from, bytes);
	answer->bytes += space;
}

static void attribute(struct netlink_answer *answer, uint16_t type, const void *from, size_t bytes)
{
	const uint16_t header[2] = {(uint16_t)(sizeof(header) + bytes), type};
	add_bytes(answer, header, sizeof(header));
	add_bytes(answer, from, bytes);
}

static void number(struct netlink_answer *answer, uint16_t type, uint32_t value)
{
	attribute(answer, type, &value, sizeof(value));
}

/* Begins a message, and ends it by its length. */
static size_t begin_message(struct netlink_answer *answer, const struct netlink_header *request, uint16_t type,
                            uint16_t flags, uint32_t port)
{
	const struct netlink_header header = {0, type, flags, request->sequence, port};
	size_t start = answer->bytes;
	add_bytes(answer, &header, sizeof(header));
	return start;
}

static void end_message(struct netlink_answer *answer, size_t start)
{
	uint32_t length = (uint32_t)(answer->bytes - start);
	if (!answer->overflows)
		memcpy(answer->at + start, &length, sizeof(length));
}

/* IFLA_STATS64 and IFLA_STATS: struct rtnl_link_stats64, and the same with 32 bits. Only packets and bytes are counted:
 * errors and losses are 0. */
static void statistics(struct netlink_answer *answer, const struct net_traffic *traffic)
{
	uint64_t wide[25] = {traffic->received_packets, traffic->sent_packets, traffic->received_bytes,
	                     traffic->sent_bytes};
	uint32_t narrow[24] = {0};
	for (unsigned i = 0; i < 4; i++)
		narrow[i] = (uint32_t)wide[i];
	attribute(answer, 23, wide, sizeof(wide));
	attribute(answer, 7, narrow, sizeof(narrow));
}

/* struct ifinfomsg and its attributes. */
static void add_link(struct netlink_answer *answer, const struct net_interface *about)
{
	const struct {
		uint8_t family, pad;
		uint16_t type;
		int32_t index;
		uint32_t flags, change;
	} info = {0, 0, about->type, about->index, about->flags, 0};
	const uint8_t state = about->type == 1 ? 6 : 0; /* IF_OPER_UP, IF_OPER_UNKNOWN */
	add_bytes(answer, &info, sizeof(info));
	attribute(answer, 3, about->name, strlen(about->name) + 1); /* IFLA_IFNAME */
	number(answer, 13, about->queue);                           /* IFLA_TXQLEN */
	attribute(answer, 16, &state, sizeof(state));               /* IFLA_OPERSTATE */
	number(answer, 4, about->mtu);                              /* IFLA_MTU */
	attribute(answer, 1, about->hardware, sizeof(about->hardware));
	attribute(answer, 2, about->hardware_broadcast, sizeof(about->hardware_broadcast));
	statistics(answer, &net_traffic[about - net_interfaces]);
}

/* struct ifaddrmsg and its attributes. */
static void add_address(struct netlink_answer *answer, const struct net_interface *about, bool is_v4)
{
	const struct {
		uint8_t family, prefix, flags, scope;
		uint32_t index;
	} info = {is_v4 ? LINUX_AF_INET : LINUX_AF_INET6, is_v4 ? about->v4_prefix : about->v6_prefix,
	          0x80 /* IFA_F_PERMANENT */, about->scope, (uint32_t)about->index};
	add_bytes(answer, &info, sizeof(info));
	if (!is_v4) {
		attribute(answer, 1, about->v6, sizeof(about->v6)); /* IFA_ADDRESS */
	} else {
		attribute(answer, 1, about->v4, sizeof(about->v4));
		attribute(answer, 2, about->v4, sizeof(about->v4)); /* IFA_LOCAL */
		if (about->v4_broadcast[0])
			attribute(answer, 4, about->v4_broadcast, sizeof(about->v4_broadcast));
		attribute(answer, 3, about->name, strlen(about->name) + 1); /* IFA_LABEL */
	}
	number(answer, 8, info.flags); /* IFA_FLAGS */
}

/* struct rtmsg and its attributes: the way to the neighbours of an interface. */
static void add_route(struct netlink_answer *answer, const struct net_interface *about, bool is_v4)
{
	struct {
		uint8_t family, to_bits, from_bits, tos, table, protocol, scope, type;
		uint32_t flags;
	} info = {is_v4 ? LINUX_AF_INET : LINUX_AF_INET6,
	          is_v4 ? about->v4_prefix : about->v6_prefix,
	          0,
	          0,
	          254 /* main */,
	          2 /* by the kernel */,
	          is_v4 ? 253 /* link */ : 0,
	          1 /* unicast */,
	          0};
	uint8_t to[16];
	size_t bytes = is_v4 ? sizeof(about->v4) : sizeof(about->v6);
	memcpy(to, is_v4 ? about->v4 : about->v6, bytes);
	memset(to + info.to_bits / 8, 0, bytes - info.to_bits / 8); /* prefixes are whole bytes */
	add_bytes(answer, &info, sizeof(info));
	number(answer, 15, info.table);
	attribute(answer, 1, to, bytes); /* RTA_DST */
	if (is_v4)
		attribute(answer, 7, about->v4, sizeof(about->v4)); /* RTA_PREFSRC */
	number(answer, 4, (uint32_t)about->index);                  /* RTA_OIF */
}

/* struct rtmsg and its attributes: the way outside. */
static void default_route(struct netlink_answer *answer, const struct net_interface *about, bool is_v4)
{
	const struct {
		uint8_t family, to_bits, from_bits, tos, table, protocol, scope, type;
		uint32_t flags;
	} info = {is_v4 ? LINUX_AF_INET : LINUX_AF_INET6,
	          0,
	          0,
	          0,
	          254 /* main */,
	          3 /* at boot */,
	          0 /* everywhere */,
	          1 /* unicast */,
	          0};
	uint8_t gateway[16];
	size_t bytes = is_v4 ? sizeof(about->v4) : sizeof(about->v6);
	memcpy(gateway, is_v4 ? about->v4 : about->v6, bytes);
	gateway[bytes - 1] = 2;
	add_bytes(answer, &info, sizeof(info));
	number(answer, 15, info.table);
	attribute(answer, 5, gateway, bytes);      /* RTA_GATEWAY */
	number(answer, 4, (uint32_t)about->index); /* RTA_OIF */
}

/* One entry of a list, or nothing. */
static void entry(struct netlink_answer *answer, const struct netlink_header *request, uint32_t port, int i, bool is_v4)
{
	const struct net_interface *about = &net_interfaces[i];
	size_t start;
	if (request->type == RTM_GETLINK && is_v4) {
		start = begin_message(answer, request, RTM_NEWLINK, NLM_F_MULTI, port);
		add_link(answer, about);
	} else if (request->type == RTM_GETADDR) {
		start = begin_message(answer, request, RTM_NEWADDR, NLM_F_MULTI, port);
		add_address(answer, about, is_v4);
	} else if (request->type == RTM_GETROUTE && about->type == 1) {
		if (outside_is_open()) {
			start = begin_message(answer, request, RTM_NEWROUTE, NLM_F_MULTI, port);
			default_route(answer, about, is_v4);
			end_message(answer, start);
		}
		start = begin_message(answer, request, RTM_NEWROUTE, NLM_F_MULTI, port);
		add_route(answer, about, is_v4);
	} else {
		return;
	}
	end_message(answer, start);
}

void netlink_route_answer(const struct netlink_header *request, uint8_t family, uint32_t port,
                          struct netlink_answer *answer)
{
	int32_t error = 0;
	bool lists = request->type == RTM_GETLINK || request->type == RTM_GETADDR || request->type == RTM_GETROUTE;
	if (lists && (request->flags & NLM_F_DUMP) == NLM_F_DUMP) {
		for (int v6 = 0; v6 < 2; v6++)
			for (int i = 0; i < NET_INTERFACES; i++)
				if (request->type == RTM_GETLINK || !family ||
				    family == (v6 ? LINUX_AF_INET6 : LINUX_AF_INET))
					entry(answer, request, port, i, !v6);
		size_t start = begin_message(answer, request, NLMSG_DONE, NLM_F_MULTI, port);
		add_bytes(answer, &error, sizeof(error));
		end_message(answer, start);
		return;
	}
	error = -EOPNOTSUPP;
	size_t start = begin_message(answer, request, NLMSG_ERROR, 0, port);
	add_bytes(answer, &error, sizeof(error));
	add_bytes(answer, request, sizeof(*request));
	end_message(answer, start);
}
