/* SPDX-License-Identifier: MIT */
/* Addresses of the guest's network, and of the host's. In the guest, 10.0.2.2 and fd00::2 are the host's own loopback,
 * and 10.0.2.3 and fd00::3 its name server. */
#ifndef HYPERVISOR_NET_ADDRESS_H
#define HYPERVISOR_NET_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "abi/network.h"

#define NET_ADDRESS_TEXT 56

union net_sockaddr {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

/** Reads the host's name server from /etc/resolv.conf. Without one the guest has none. */
void net_address_find_resolver(void);

/** Converts an address of the host, as it is. */
void net_address_of(const struct sockaddr *from, struct network_address *to);

/** The host's address that an address of the guest's network means. Returns the size of *to. */
socklen_t net_address_to_host(const struct network_address *from, union net_sockaddr *to);

/** The address that the guest sees of a peer on the host. */
void net_address_to_guest(const struct sockaddr *from, struct network_address *to);

/** Whether it is one host that is not the guest itself: no loopback, no wildcard, no group. */
bool net_address_is_host(const struct network_address *address);

/** Whether it is the name server's, at its port. */
bool net_address_is_resolver(const struct network_address *address);

/** Whether the host's address is that of its name server. */
bool net_address_comes_from_resolver(const struct sockaddr *from);

/** The guest's name of the host's loopback: 10.0.2.2 or fd00::2. */
void net_address_host(int family, uint8_t bytes[16]);

/** The guest's own address: 10.0.2.15 or fd00::15. */
void net_address_guest(int family, uint8_t bytes[16]);

/** The name server as a guest of that address sees it: 10.0.2.3 or fd00::3, with its port. */
void net_address_resolver(const uint8_t guest[16], struct network_address *to);

/** Stores the guest's address of the other family for the host's loopback, or for its name server. Returns false for
 * every other address. */
bool net_address_twin(const struct network_address *address, struct network_address *twin);

/** Writes address and port, and a protocol if it has one: 10.0.2.2:80/tcp, [fd00::2]:80. */
void net_address_text(const struct network_address *address, char text[NET_ADDRESS_TEXT]);

#endif
