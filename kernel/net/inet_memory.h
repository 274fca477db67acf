/* SPDX-License-Identifier: MIT */
/* Memory of TCP: bytes that were sent and not read yet, of all connections, with those outside. When they are many,
 * send buffers are small, as under Linux when the memory of TCP is short (tcp(7), tcp_mem). */
#ifndef KERNEL_NET_INET_MEMORY_H
#define KERNEL_NET_INET_MEMORY_H

#include "kernel/net/socket.h"

/** Charges bytes to the sender of a connection, and takes them back. */
void inet_memory_charge(struct socket *sender, uint64_t bytes);
void inet_memory_discharge(struct socket *sender, uint64_t bytes);

/** The size of a connection's send buffer now: SO_SNDBUF, or less when memory is short. */
uint64_t inet_memory_buffer(const struct socket *socket);

#endif
