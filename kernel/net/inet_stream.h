/* SPDX-License-Identifier: MIT */
/* TCP (tcp(7)). */
#ifndef KERNEL_NET_INET_STREAM_H
#define KERNEL_NET_INET_STREAM_H

#include "kernel/net/inet.h"
#include "kernel/net/inet_option.h"

#define INET_STREAM_PIECE 65536 /* bytes of a message at most, so that no allocation is large */

/** Sends. Returns the number of bytes, or a negative errno; -EPIPE without a signal. */
long inet_stream_send(struct socket *socket, struct socket_send *send);

#endif
