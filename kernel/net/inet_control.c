/* SPDX-License-Identifier: MIT */
/* Control data of datagrams (ip(7), ipv6(7)): the source that a program chooses, and the destination that it learns. */
#include "kernel/net/inet_control.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/inet/inet_segment.h"
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

/* Stores a number from `least` to 255 of control data. */
static int set_number(const struct linux_cmsghdr *header, uint64_t bytes, int least, int *to)
{
	int32_t number;
	if (bytes != sizeof(number))
		return -EINVAL;
	memcpy(&number, header + 1, sizeof(number));
	if (number < least || number > 255)
		return -EINVAL;
	*to = number;
	return 0;
}

static int take_v4(const struct linux_cmsghdr *header, struct socket_send *send)
{
	struct inet_address source = inet_address_any(LINUX_AF_INET);
	uint64_t bytes = header->cmsg_len - sizeof(*header);
	struct pktinfo info;
	switch (header->cmsg_type) {
	case LINUX_IP_PKTINFO:
		if (bytes != sizeof(info))
			return -EINVAL;
		memcpy(&info, header + 1, sizeof(info));
		memcpy(source.bytes + V4_AT, info.local, sizeof(info.local));
		return set_source(send, info.interface, &source);
	case LINUX_IP_TTL:
		return set_number(header, bytes, 1, &send->ttl);
	case LINUX_IP_TOS:
		if (bytes != 1)
			return set_number(header, bytes, 0, &send->tos);
		send->tos = *(const uint8_t *)(header + 1);
		return 0;
	default:
		return -EINVAL;
	}
}

static int take_v6(const struct linux_cmsghdr *header, struct socket_send *send)
{
	uint64_t bytes = header->cmsg_len - sizeof(*header);
	struct v6_pktinfo info;
	struct inet_address source = {.port = 0};
	int ignored;
	switch (header->cmsg_type) {
	case LINUX_IPV6_PKTINFO:
	case LINUX_IPV6_2292PKTINFO:
		if (bytes < sizeof(info))
			return -EINVAL;
		memcpy(&info, header + 1, sizeof(info));
		memcpy(source.bytes, info.destination, sizeof(source.bytes));
		return set_source(send, info.interface, &source);
	case LINUX_IPV6_HOPLIMIT:
		return set_number(header, bytes, INET_UNSET, &send->ttl);
	case LINUX_IPV6_TCLASS:
		return set_number(header, bytes, INET_UNSET, &send->tos);
	case LINUX_IPV6_DONTFRAG:
		return set_number(header, bytes, 0, &ignored) ? -EINVAL : ignored > 1 ? -EINVAL : 0;
	default:
		return -EINVAL;
	}
}

int inet_control_take(const struct socket *socket, const struct linux_cmsghdr *header, struct socket_send *send)
{
	if (header->cmsg_level == LINUX_IPPROTO_UDP)
		return inet_segment_take(header, send);
	if (header->cmsg_level == LINUX_IPPROTO_IP && socket->domain == LINUX_AF_INET)
		return take_v4(header, send);
	if (header->cmsg_level == LINUX_IPPROTO_IPV6 && socket->domain == LINUX_AF_INET6)
		return take_v6(header, send);
	return 0;
}

void inet_control_mark(const struct socket *socket, const struct socket_send *send, struct message *message)
{
	bool is_v4 = inet_address_is_v4(&message->to), is_group = inet_address_is_multicast(&message->to);
	enum inet_option hops = is_group ? INET_V6_MULTICAST_HOPS : INET_V6_HOPS;
	if (is_v4)
		hops = is_group ? INET_MULTICAST_TTL : INET_TTL;
	int32_t ttl = send->ttl != INET_UNSET ? send->ttl : inet_option_value(socket, hops);
	int32_t tos =
		send->tos != INET_UNSET ? send->tos : inet_option_value(socket, is_v4 ? INET_TOS : INET_V6_TCLASS);
	message->ttl = (uint8_t)ttl;
	message->tos = (uint8_t)tos;
}

static int put_control_number(struct socket_control *control, int level, int type, int32_t number)
{
	return socket_control_put(control, level, type, &number, sizeof(number));
}

/* The destination with its port, as a sockaddr of the family. */
static int put_destination(const struct inet_address *to, int domain, struct socket_control *control)
{
	struct socket_address name;
	bool is_v4 = domain == LINUX_AF_INET;
	inet_address_write(to, domain, &name);
	return socket_control_put(control, is_v4 ? LINUX_IPPROTO_IP : LINUX_IPPROTO_IPV6,
	                          is_v4 ? LINUX_IP_ORIGDSTADDR : LINUX_IPV6_ORIGDSTADDR, &name.in,
	                          is_v4 ? sizeof(name.in) : sizeof(name.in6));
}

/* A socket of IPv6 that gets a datagram of IPv4 reports it by the options of IPv4. */
static int put_v4(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	const struct inet_address *to = &receive->to;
	int error = 0;
	if (inet_option_is_on(socket, INET_PKTINFO)) {
		struct pktinfo info = {.interface = inet_address_interface(to)};
		memcpy(info.local, to->bytes + V4_AT, sizeof(info.local));
		memcpy(info.destination, to->bytes + V4_AT, sizeof(info.destination));
		error = socket_control_put(control, LINUX_IPPROTO_IP, LINUX_IP_PKTINFO, &info, sizeof(info));
	}
	if (!error && inet_option_is_on(socket, INET_RECVTTL))
		error = put_control_number(control, LINUX_IPPROTO_IP, LINUX_IP_TTL, receive->ttl);
	if (!error && inet_option_is_on(socket, INET_RECVTOS))
		error = socket_control_put(control, LINUX_IPPROTO_IP, LINUX_IP_TOS, &receive->tos,
		                           sizeof(receive->tos));
	if (!error && inet_option_is_on(socket, INET_RECVORIGDSTADDR))
		error = put_destination(to, LINUX_AF_INET, control);
	return error;
}

static int put_v6(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	int error = 0;
	if (inet_option_is_on(socket, INET_V6_RECVHOPLIMIT))
		error = put_control_number(control, LINUX_IPPROTO_IPV6, LINUX_IPV6_HOPLIMIT, receive->ttl);
	if (!error && inet_option_is_on(socket, INET_V6_RECVTCLASS))
		error = put_control_number(control, LINUX_IPPROTO_IPV6, LINUX_IPV6_TCLASS, receive->tos);
	if (!error && inet_option_is_on(socket, INET_V6_RECVORIGDSTADDR))
		error = put_destination(&receive->to, LINUX_AF_INET6, control);
	return error;
}

int inet_control_put_stream(const struct socket *socket, const struct socket_receive *, struct socket_control *control)
{
	if (!inet_option_is_on(socket, INET_TCP_INQ))
		return 0;
	int unread = socket_message_unread(socket);
	return put_control_number(control, LINUX_IPPROTO_TCP, LINUX_TCP_INQ, unread ? unread : socket->ended);
}

int inet_control_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	const struct inet_address *to = &receive->to;
	if (receive->segment) {
		int error = put_control_number(control, LINUX_IPPROTO_UDP, LINUX_UDP_GRO, receive->segment);
		if (error)
			return error;
	}
	if (inet_option_is_on(socket, INET_V6_PKTINFO)) {
		struct v6_pktinfo info = {.interface = inet_address_interface(to)};
		memcpy(info.destination, to->bytes, sizeof(info.destination));
		int error = socket_control_put(control, LINUX_IPPROTO_IPV6, LINUX_IPV6_PKTINFO, &info, sizeof(info));
		if (error)
			return error;
	}
	return inet_address_is_v4(to) ? put_v4(socket, receive, control) : put_v6(socket, receive, control);
}
