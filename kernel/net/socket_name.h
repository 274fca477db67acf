/* SPDX-License-Identifier: MIT */
/* Addresses of sockets in the program's memory (bind(2)). */
#ifndef KERNEL_NET_SOCKET_NAME_H
#define KERNEL_NET_SOCKET_NAME_H

#include "kernel/net/socket.h"

/** Copies an address from the program's memory. Returns 0, -EFAULT or -EINVAL for an impossible length. */
int socket_name_copy(const void *user, int bytes, struct socket_address *name);

/** Stores an address and its length for the program, as much as fits. Returns 0 or a negative errno. */
int socket_name_store(const struct socket_address *name, void *user, int *user_bytes);

#endif
