/* SPDX-License-Identifier: MIT */
/* UDP (udp(7)). */
#ifndef KERNEL_NET_INET_DATAGRAM_H
#define KERNEL_NET_INET_DATAGRAM_H

#include "kernel/net/socket_message.h"

/** A datagram with its addresses arrives at a socket, or at none if that is NULL. Takes the message over. Returns
 * whether the socket has it; otherwise it is dropped. */
bool inet_datagram_receive(struct socket *socket, struct message *message);

/** An ICMP message says that no socket has the port to which a socket has sent a datagram. */
void inet_datagram_refuse(struct socket *socket, const struct message *datagram);

#endif
