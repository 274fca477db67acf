/* SPDX-License-Identifier: MIT */
/* Sockets of the family AF_UNIX (unix(7)). */
#ifndef KERNEL_NET_UNIX_H
#define KERNEL_NET_UNIX_H

#include "kernel/net/socket.h"

/** Makes a socket of a type, LINUX_SOCK_*, and a protocol for the caller. Returns 0 or a negative errno. */
int unix_create(int type, int protocol, struct socket **out);

#endif
