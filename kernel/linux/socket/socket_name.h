/* SPDX-License-Identifier: MIT */
/* Names of sockets (unix(7), "Address format"). */
#ifndef KERNEL_LINUX_SOCKET_SOCKET_NAME_H
#define KERNEL_LINUX_SOCKET_SOCKET_NAME_H

#include "kernel/linux/socket/socket.h"

/** The program's memory as a name, checked: 0, -EFAULT or -EINVAL. AF_UNSPEC passes. */
int socket_name_copy(const void *user, int bytes, struct socket_address *name);

/** Stores a name and its length for the program, as much as there is room for. 0 or a negative errno. */
int socket_name_store(const struct socket_address *name, void *user, int *user_bytes);

/** bind(2); of two bytes, the family: to an abstract name that is free. 0 or a negative errno. */
int socket_name_bind(struct socket *socket, const struct socket_address *name);

/** The socket of a name, with a reference: 0, -ECONNREFUSED, -EPROTOTYPE, or why the path leads nowhere. */
int socket_name_find(const struct socket_address *name, int type, struct socket **found);

#endif
