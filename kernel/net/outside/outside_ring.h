/* SPDX-License-Identifier: MIT */
/* The rings that lead to the monitor's sockets (abi/network.h). How far the monitor is, the host decides; so all that
 * reads its positions runs on the policies' stack, and leaves no trace in memory that the digest covers. */
#ifndef KERNEL_NET_OUTSIDE_RING_H
#define KERNEL_NET_OUTSIDE_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/network.h"

/** Puts a request with its payload into the ring; waits for the monitor when the ring is full. */
void outside_ring_put(const struct network_record *request, const void *payload);

/** Has the monitor perform the requests now. */
void outside_ring_turn(void);

/** Copies the next event that is visible at a look. Returns whether there is one. */
bool outside_ring_peek(uint64_t look, struct network_record *event);

/** Takes the event that outside_ring_peek has found, and copies its payload; NULL: drops that. */
void outside_ring_take(void *payload);

/** Waits, when no thread is ready, until an event has come, for wait_ns at most; UINT64_MAX: for ever. Then there is an
 * event: at least NETWORK_TIME. wants_room: NETWORK_SENT is enough. */
void outside_ring_wait(uint64_t look, uint64_t wait_ns, bool wants_room);

/** Whether clients of a recording wait (--replay-net), of which the monitor is asked when no thread is ready. */
bool outside_ring_has_clients(void);

/** Whether the monitor offers a port of the guest to the host, by LINUX_IPPROTO_TCP or _UDP. */
bool outside_ring_is_published(uint8_t protocol, uint16_t port);

#endif
