/* SPDX-License-Identifier: MIT */
/* Control data of datagrams (ip(7), IP_PKTINFO; RFC 3542, IPV6_RECVPKTINFO). */
#ifndef KERNEL_NET_INET_CONTROL_H
#define KERNEL_NET_INET_CONTROL_H

#include "kernel/net/socket_message.h"

/** Functions of struct socket_family. */
int inet_control_take(const struct socket *socket, const struct linux_cmsghdr *header, struct socket_send *send);
int inet_control_put_stream(const struct socket *socket, const struct socket_receive *receive,
                            struct socket_control *control);
int inet_control_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control);

/** Stores the hop limit and the traffic class that a datagram leaves with, whose destination is known. */
void inet_control_mark(const struct socket *socket, const struct socket_send *send, struct message *message);

#endif
