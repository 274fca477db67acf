/* SPDX-License-Identifier: MIT */
/* Faults of the network on purpose (--net-fault), drawn from a seed of their own. They happen to connections and
 * datagrams inside the guest and to those with the outside alike. */
#ifndef KERNEL_NET_FAULT_NET_FAULT_H
#define KERNEL_NET_FAULT_NET_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/boot.h"

/** The faults of this run, and their seed. */
const struct boot_faults *net_fault_options(void);

/** A number from `least` to `most`. Draws none if they are equal. */
uint64_t net_fault_draw(uint64_t least, uint64_t most);

/** Whether a fault happens now. Draws a number only if the run has faults of that kind. */
bool net_fault_happens(enum boot_fault fault);

/** Whether faults happen to a connection: only=. It is drawn for each connection, by its number. */
bool net_fault_concerns(uint64_t connection);

/** A number that depends on the seed of the faults and on `key` alone. */
uint64_t net_fault_hash(uint64_t key);

/** BOOT_FAULT_SHORT: how many of `bytes` bytes one call may transfer on a connection, at least 1; mostly all. */
size_t net_fault_shorten(uint64_t connection, size_t bytes);

#endif
