/* SPDX-License-Identifier: MIT */
/* Several datagrams of UDP that are sent or received as one (udp(7), UDP_SEGMENT, UDP_GRO). */
#ifndef KERNEL_NET_INET_INET_SEGMENT_H
#define KERNEL_NET_INET_INET_SEGMENT_H

#include "kernel/net/socket_message.h"

/** Divides the data of a message by the size that the program has chosen for its datagrams. Returns 0, or -EINVAL if a
 * datagram would not fit into a packet, or if the socket sends no checksums. */
int inet_segment_choose(const struct socket *socket, const struct socket_send *send, struct message *message);

/** Checks a complete message, which may be one datagram after all. Returns 0, or -EINVAL if it has too many datagrams.
 */
int inet_segment_check(struct message *message);

/** Calls `take` for each datagram of a message, which takes it over, and frees the message. Datagrams for which there
 * is no memory are lost. */
void inet_segment_each(struct message *message, void (*take)(struct socket *to, struct message *datagram),
                       struct socket *to);

/** The control message of SOL_UDP in a send request. Returns 0 or -EINVAL. */
int inet_segment_take(const struct linux_cmsghdr *header, struct socket_send *send);

#endif
