/* SPDX-License-Identifier: MIT */
/* Options of SOL_SOCKET that change nothing here (socket(7)): they are checked, stored and read back, as on Linux in a
 * process without CAP_NET_ADMIN. */
#ifndef KERNEL_NET_SOCKET_STORED_H
#define KERNEL_NET_SOCKET_STORED_H

#include "kernel/net/socket.h"

/** Gives a new socket the defaults. */
void socket_stored_init(struct socket *socket);

/** Sets an option with a number. Returns 0, -EPERM, -EINVAL, or -ENOPROTOOPT for options that are not here. */
int socket_stored_set(struct socket *socket, int option, int value);

/** Stores an option's number. Returns 0 or -ENOPROTOOPT. */
int socket_stored_get(const struct socket *socket, int option, int *value);

/** SO_BINDTODEVICE: sets the interface by its name, which is in kernel memory. Returns 0, -ENODEV or -EPERM. */
int socket_stored_bind_device(struct socket *socket, const char *name);

/** Stores the name of the interface of SO_BINDTODEVICE, empty if there is none. Returns 0 or -ENODEV. */
int socket_stored_device(const struct socket *socket, const char **name);

#endif
