/* SPDX-License-Identifier: MIT */
/* Hash tables from pairs of numbers, which a hostile guest may choose, to indices in the order in which the pairs came.
 */
#ifndef HYPERVISOR_PAIR_TABLE_H
#define HYPERVISOR_PAIR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/** The key of the hash function. Without it, a guest cannot choose many pairs that collide. */
struct pair_secret {
	uint8_t bytes[136];
};

struct pair_slot {
	uint64_t a, b;
	uint32_t index; /**< plus 1; 0: free */
};

/** Zero-initialised, but for `max`: empty. */
struct pair_table {
	struct pair_slot *slots;
	uint32_t room, count; /**< room: a power of two */
	uint32_t max;         /**< most pairs */
};

#define PAIR_TABLE_NONE UINT32_MAX

/** Draws a secret. Nothing that is shown depends on it. */
void pair_secret_init(struct pair_secret *secret);

/** Finds or adds a pair. Returns its index, and whether it is new in *added; or PAIR_TABLE_NONE if there is no room. */
uint32_t pair_table_index(struct pair_table *table, const struct pair_secret *secret, uint64_t a, uint64_t b,
                          bool *added);

/** Frees the slots. */
void pair_table_fini(struct pair_table *table);

#endif
