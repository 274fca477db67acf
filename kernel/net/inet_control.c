/* SPDX-License-Identifier: MIT */
/* What a program is told about the destination of a datagram. */
#include "kernel/net/inet_control.h"

#include "kernel/lib/string.h"
#include "kernel/net/inet_option.h"
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
