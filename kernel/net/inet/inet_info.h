/* SPDX-License-Identifier: MIT */
/* TCP_INFO (tcp(7), struct tcp_info). */
#ifndef KERNEL_NET_INET_INET_INFO_H
#define KERNEL_NET_INET_INET_INFO_H

#include "kernel/net/socket.h"

/** Stores the structure, as much of it as fits into *bytes, and its length there. */
void inet_info_get(const struct socket *socket, void *value, int *bytes);

#endif
