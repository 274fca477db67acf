/* SPDX-License-Identifier: MIT */
/* Names of Unix sockets (unix(7), "Address format"). */
#ifndef KERNEL_NET_UNIX_NAME_H
#define KERNEL_NET_UNIX_NAME_H

#include "kernel/net/socket.h"

/** Copies and checks an address. Returns 0 or -EINVAL. AF_UNSPEC is accepted. */
int unix_name_check(const struct socket_address *from, struct socket_address *name);

/** bind(2) with a checked name. A name of two bytes, the family alone, binds to a free abstract name. Returns 0 or a
 * negative errno. */
int unix_name_bind(struct socket *socket, const struct socket_address *name);

/** Finds the socket of a checked name, with a reference. Returns 0, -ECONNREFUSED, -EPROTOTYPE, or an error of the
 * path.
 */
int unix_name_find(const struct socket_address *name, int type, struct socket **found);

#endif
