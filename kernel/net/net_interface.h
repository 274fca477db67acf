/* SPDX-License-Identifier: MIT */
/* The guest's network interfaces, lo and eth0 (netdevice(7)). They never change. */
#ifndef KERNEL_NET_NET_INTERFACE_H
#define KERNEL_NET_NET_INTERFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/net/inet_address.h"

#define NET_INTERFACES 2

struct net_interface {
	const char *name;
	int index;
	uint16_t type;  /**< ARPHRD_* */
	uint32_t flags; /**< IFF_* */
	uint32_t mtu, queue;
	uint8_t hardware[6], hardware_broadcast[6];
	uint8_t v4[4], v4_broadcast[4]; /**< v4_broadcast is zero where there is none */
	uint8_t v4_prefix;
	uint8_t v6[16];
	uint8_t v6_prefix;
	uint8_t scope; /**< RT_SCOPE_* of its addresses */
};

extern const struct net_interface net_interfaces[NET_INTERFACES];

/** What has passed an interface: payloads and, for each packet, the headers of IP and UDP or TCP, and on eth0 of
 * Ethernet. Packets without payload are not counted. */
struct net_traffic {
	uint64_t received_packets, received_bytes, sent_packets, sent_bytes;
};

extern struct net_traffic net_traffic[NET_INTERFACES];

/** Counts a payload that has `bytes` and leaves by an interface: lo, where it also arrives, or eth0, if it is to the
 * outside. A stream's is cut into packets of the MTU. */
void net_interface_count_sent(bool is_outside, bool is_v6, bool is_stream, uint64_t bytes);

/** Counts a payload that comes from the outside. */
void net_interface_count_received(bool is_v6, bool is_stream, uint64_t bytes);

/** ioctl(2) with SIOCGIF*, as netdevice(7) describes them. Returns 0, -ENODEV, -EFAULT, or -ENOTTY for other requests.
 */
long net_interface_ioctl(unsigned long request, void *arg);

/** Whether a request of ioctl(2) is one that internet sockets alone have: about an address. */
bool net_interface_is_inet(unsigned long code);

#endif
