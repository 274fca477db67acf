/* SPDX-License-Identifier: MIT */
/* Sockets of the family AF_NETLINK (netlink(7)), as far as programs list their interfaces by them (rtnetlink(7)). */
#ifndef KERNEL_NET_NETLINK_H
#define KERNEL_NET_NETLINK_H

#include "kernel/net/socket.h"

/** Makes a socket of a type, LINUX_SOCK_*, and a protocol for the caller. Returns 0 or a negative errno. */
int netlink_create(int type, int protocol, struct socket **out);

#endif
