/* SPDX-License-Identifier: MIT */
/* Internet addresses (ip(7), ipv6(7)). An address of IPv4 is kept as IPv6 maps it, ::ffff:a.b.c.d (RFC 4291, 2.5.5.2),
 * so that sockets of both families meet. */
#ifndef KERNEL_NET_INET_ADDRESS_H
#define KERNEL_NET_INET_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

struct socket_address;

struct inet_address {
	uint8_t bytes[16];
	uint16_t port; /**< in host byte order; 0: none */
};

/** The wildcard of a family, LINUX_AF_*, without a port. */
struct inet_address inet_address_any(int domain);

/** Converts the address of a program for a socket of the family `domain`. Returns 0, -EINVAL if it is too short, or
 * -EAFNOSUPPORT. */
int inet_address_read(const struct socket_address *name, int domain, struct inet_address *address);

/** Converts an address for a program. */
void inet_address_write(const struct inet_address *address, int domain, struct socket_address *name);

/** Whether it is an address of IPv4. */
bool inet_address_is_v4(const struct inet_address *address);

/** Whether it is a wildcard: 0.0.0.0 or ::. */
bool inet_address_is_any(const struct inet_address *address);

/** Whether both are the same, apart from the port. */
bool inet_address_is_same(const struct inet_address *a, const struct inet_address *b);

/** Whether it is a broadcast address of an interface of the guest, or 255.255.255.255. */
bool inet_address_is_broadcast(const struct inet_address *address);

/** Whether it names a group of hosts: 224.0.0.0/4, ff00::/8. */
bool inet_address_is_multicast(const struct inet_address *address);

/** Whether it belongs to the guest: 127.0.0.0/8, ::1, 10.0.2.15, fd00::15. */
bool inet_address_is_local(const struct inet_address *address);

/** Replaces a wildcard as the destination by the loopback address, as Linux does. */
void inet_address_complete(struct inet_address *to);

/** The guest's address from which packets to an address come. */
struct inet_address inet_address_source(const struct inet_address *to);

/** The number of the interface with a local address: lo 1, eth0 2. */
int inet_address_interface(const struct inet_address *address);

#endif
