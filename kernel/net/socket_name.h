/* SPDX-License-Identifier: MIT */
/* Names of sockets (unix(7), "Address format"). */
#ifndef KERNEL_NET_SOCKET_NAME_H
#define KERNEL_NET_SOCKET_NAME_H

#include "kernel/net/socket.h"

/** Copies and checks a name from the program's memory. Returns 0, -EFAULT or -EINVAL. AF_UNSPEC is accepted. */
int socket_name_copy(const void *user, int bytes, struct socket_address *name);

/** Stores a name and its length for the program, as much as fits. Returns 0 or a negative errno. */
int socket_name_store(const struct socket_address *name, void *user, int *user_bytes);

/** bind(2). A name of two bytes, the family alone, binds to a free abstract name. Returns 0 or a negative errno. */
int socket_name_bind(struct socket *socket, const struct socket_address *name);

/** Finds the socket of a name, with a reference. Returns 0, -ECONNREFUSED, -EPROTOTYPE, or an error of the path. */
int socket_name_find(const struct socket_address *name, int type, struct socket **found);

#endif
