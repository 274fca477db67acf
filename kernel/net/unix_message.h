/* SPDX-License-Identifier: MIT */
/* Messages of Unix sockets. */
#ifndef KERNEL_NET_UNIX_MESSAGE_H
#define KERNEL_NET_UNIX_MESSAGE_H

#include "kernel/net/socket_message.h"

/** Sends. Returns the number of bytes, or a negative errno; -EPIPE without a signal. */
long unix_message_send(struct socket *socket, struct socket_send *send);

/** Wakes the senders of a datagram socket, whose queue has room again. */
void unix_message_tell_place(struct socket *receiver);

#endif
