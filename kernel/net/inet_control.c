/* SPDX-License-Identifier: MIT */
/* Control data of datagrams (ip(7), ipv6(7)): the source that a program chooses, and the destination that it learns. */
#include "kernel/net/inet_control.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/socket_control.h"

#define V4_AT 12 /* of a mapped address */

/* struct in_pktinfo */
struct pktinfo {
	int32_t interface;
	uint8_t local[4], destination[4];
};

/* struct in6_pktinfo */
struct v6_pktinfo {
	uint8_t destination[16];
	int32_t interface;
};

/* Checks the interface and the source of a datagram, and stores the source unless it is a wildcard. */
static int set_source(struct socket_send *send, int interface, const struct inet_address *source)
{
	if (interface < 0 || interface > NET_INTERFACES)
		return -ENODEV;
	send->has_source = !inet_address_is_any(source);
	send->source = *source;
	if (!send->has_source || inet_address_is_local(source))
		return 0;
	return inet_address_is_v4(source) ? -ENETUNREACH : -EINVAL;
}

static int take_v4(const struct linux_cmsghdr *header, struct socket_send *send)
{
	struct inet_address source = inet_address_any(LINUX_AF_INET);
	uint64_t bytes = header->cmsg_len - sizeof(*header);
	struct pktinfo info;
	int32_t number;
	switch (header->cmsg_type) {
	case LINUX_IP_PKTINFO:
		if (bytes != sizeof(info))
			return -EINVAL;
		memcpy(&info, header + 1, sizeof(info));
		memcpy(source.bytes + V4_AT, info.local, sizeof(info.local));
		return set_source(send, info.interface, &source);
	case LINUX_IP_TTL:
		if (bytes != sizeof(number))
			return -EINVAL;
		memcpy(&number, header + 1, sizeof(number));
		return number < 1 || number > 255 ? -EINVAL : 0;
	case LINUX_IP_TOS:
		return bytes == sizeof(number) || bytes == 1 ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int take_v6(const struct linux_cmsghdr *header, struct socket_send *send)
{
	uint64_t bytes = header->cmsg_len - sizeof(*header);
	struct v6_pktinfo info;
	struct inet_address source = {.port = 0};
	int32_t number;
	switch (header->cmsg_type) {
	case LINUX_IPV6_PKTINFO:
	case LINUX_IPV6_2292PKTINFO:
		if (bytes < sizeof(info))
			return -EINVAL;
		memcpy(&info, header + 1, sizeof(info));
		memcpy(source.bytes, info.destination, sizeof(source.bytes));
		return set_source(send, info.interface, &source);
	case LINUX_IPV6_HOPLIMIT:
	case LINUX_IPV6_TCLASS:
	case LINUX_IPV6_DONTFRAG:
		if (bytes != sizeof(number))
			return -EINVAL;
		memcpy(&number, header + 1, sizeof(number));
		return number < -1 || number > 255 ? -EINVAL : 0;
	default:
		return -EINVAL;
	}
}

int inet_control_take(const struct socket *socket, const struct linux_cmsghdr *header, struct socket_send *send)
{
	if (header->cmsg_level == LINUX_IPPROTO_IP && socket->domain == LINUX_AF_INET)
		return take_v4(header, send);
	if (header->cmsg_level == LINUX_IPPROTO_IPV6 && socket->domain == LINUX_AF_INET6)
		return take_v6(header, send);
	return 0;
}

int inet_control_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	const struct inet_address *to = &receive->to;
	int error = 0;
	if (inet_option_is_on(socket, INET_PKTINFO)) {
		struct pktinfo info = {.interface = inet_address_interface(to)};
		memcpy(info.local, to->bytes + V4_AT, sizeof(info.local));
		memcpy(info.destination, to->bytes + V4_AT, sizeof(info.destination));
		error = socket_control_put(control, LINUX_IPPROTO_IP, LINUX_IP_PKTINFO, &info, sizeof(info));
	}
	if (!error && inet_option_is_on(socket, INET_V6_PKTINFO)) {
		struct v6_pktinfo info = {.interface = inet_address_interface(to)};
		memcpy(info.destination, to->bytes, sizeof(info.destination));
		error = socket_control_put(control, LINUX_IPPROTO_IPV6, LINUX_IPV6_PKTINFO, &info, sizeof(info));
	}
	return error;
}
