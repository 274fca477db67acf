/* SPDX-License-Identifier: MIT */
/* Multicast groups inside the guest (ip(7), IP_ADD_MEMBERSHIP; RFC 3493, 5.2). */
#ifndef KERNEL_NET_INET_GROUP_H
#define KERNEL_NET_INET_GROUP_H

#include "kernel/net/socket.h"

/** The options of groups, for inet_option_set and inet_option_get. Returns 0 or a negative errno; 1: the option is
 * another one. */
int inet_group_set(struct socket *socket, int level, int option, const void *value, int bytes);
int inet_group_get(const struct socket *socket, int level, int option, void *value, int *bytes);

/** The interface by which a socket sends to a group; 0: no way leads there. */
int inet_group_interface(const struct socket *socket, const struct inet_address *group);

/** The address from which a socket without one sends to a group. */
struct inet_address inet_group_source(const struct socket *socket, const struct inet_address *group);

/** Whether any socket has joined a group on an interface. Without one, nothing arrives there. */
bool inet_group_exists(const struct inet_address *group, int interface);

/** Whether a socket gets what arrives for a group from an address: it has joined the group and its filter lets the
 * sender through, or it is no member and has IP_MULTICAST_ALL. */
bool inet_group_has(const struct socket *socket, const struct inet_address *group, int interface,
                    const struct inet_address *from);

/** Leaves all groups of a closed socket. */
void inet_group_leave_all(struct socket *socket);

#endif
