/* SPDX-License-Identifier: MIT */
/* UDP (udp(7)). */
#ifndef KERNEL_NET_INET_DATAGRAM_H
#define KERNEL_NET_INET_DATAGRAM_H

#include "kernel/net/socket_message.h"

/** A datagram with its addresses comes from outside. Takes the message over. */
void inet_datagram_come(struct message *message);

/** An ICMP message says that no socket has the port to which a socket has sent a datagram. */
void inet_datagram_refuse(struct socket *socket, const struct message *datagram);

#endif
