/* SPDX-License-Identifier: MIT */
/* As on the loopback interface of Linux, a message is one packet until a receiver without UDP_GRO takes it apart. */
#include "kernel/net/inet/inet_segment.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/inet_option.h"
#include "kernel/net/socket_stored.h"

#define SEGMENTS_MAX 64 /* UDP_MAX_SEGMENTS of Linux 6.1 */
#define MTU_LOOPBACK 65536
#define MTU_ETHERNET 1500
#define V4_HEADERS (20 + 8)
#define V6_HEADERS (40 + 8)
#define NO_CHECK 11 /* SO_NO_CHECK */

int inet_segment_choose(const struct socket *socket, const struct socket_send *send, struct message *message)
{
	size_t size = send->segment ? send->segment : (size_t)inet_option_value(socket, INET_UDP_SEGMENT);
	size_t mtu = inet_address_is_local(&message->to) ? MTU_LOOPBACK : MTU_ETHERNET;
	int unchecked = 0;
	if (!size)
		return 0;
	socket_stored_get(socket, NO_CHECK, &unchecked);
	if (size + (inet_address_is_v4(&message->to) ? V4_HEADERS : V6_HEADERS) > mtu || unchecked)
		return -EINVAL;
	message->segment = (uint16_t)size;
	return 0;
}

int inet_segment_check(struct message *message)
{
	if (message->bytes <= message->segment)
		message->segment = 0;
	return message->segment && message->bytes > (size_t)message->segment * SEGMENTS_MAX ? -EINVAL : 0;
}

void inet_segment_each(struct message *message, void (*take)(struct socket *to, struct message *datagram),
                       struct socket *to)
{
	for (size_t at = 0; at < message->bytes; at += message->segment) {
		size_t rest = message->bytes - at;
		struct message *datagram =
			socket_message_copy(message, at, rest < message->segment ? rest : message->segment);
		if (!datagram)
			break;
		datagram->sender = message->sender ? socket_get(message->sender) : NULL;
		take(to, datagram);
	}
	socket_message_free(message);
}

int inet_segment_take(const struct linux_cmsghdr *header, struct socket_send *send)
{
	if (header->cmsg_type != LINUX_UDP_SEGMENT || header->cmsg_len != sizeof(*header) + sizeof(send->segment))
		return -EINVAL;
	memcpy(&send->segment, header + 1, sizeof(send->segment));
	return 0;
}
