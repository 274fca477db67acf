/* SPDX-License-Identifier: MIT */
/* What connections with the outside may take: descriptors of the monitor, memory of the guest for what it has not read,
 * and memory of the monitor for what peers have not read. Peers cannot exhaust them: a limit leaves connections in the
 * host's backlog and bytes in the host's sockets, and so slows the peer down. */
#ifndef HYPERVISOR_NET_LIMITS_H
#define HYPERVISOR_NET_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct net_limits {
	unsigned sockets_max; /**< connections and ports at a time: the monitor needs descriptors for itself, too */
	unsigned flows_max;   /**< connections at a time */
	uint64_t pressure_bytes, most_bytes; /**< of `untaken`: above them windows are small, and minimal */
	uint64_t untaken;                    /**< bytes given to the guest that its programs have not read */
	uint64_t unsent;                     /**< bytes of the guest that the host has not taken */
	bool holds_back;                     /**< a connection waits for memory of the guest */
	bool has_said;                       /**< that connections wait for a descriptor */
};

/** Raises the limit of open files as far as this user may, and returns it. A confined monitor cannot. */
uint64_t net_limits_files(void);

/** Sets the limits for a guest with so much memory, where at most `files` descriptors can be open, and `used` are. */
void net_limits_init(struct net_limits *limits, uint64_t ram_bytes, uint64_t files, unsigned used);

/** Bytes that a connection may have untaken now. */
uint64_t net_limits_window(const struct net_limits *limits);

/** Bytes that the guest was given, and has taken. net_limits_take returns whether connections that were held back can
 * go on. */
void net_limits_give(struct net_limits *limits, uint64_t bytes);
bool net_limits_take(struct net_limits *limits, uint64_t bytes);

#endif
