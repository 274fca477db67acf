/* SPDX-License-Identifier: MIT */
/* A bit for each byte of the code of a file. */
#ifndef HYPERVISOR_CODE_BITS_H
#define HYPERVISOR_CODE_BITS_H

#include "code/code_map.h"

/** All zero at first. */
struct code_bits {
	uint8_t *bits[CODE_AREAS_MAX];
};

/** Clears all bits of a map. 0 or -ENOMEM. */
int code_bits_begin(struct code_bits *bits, const struct code_map *map);

/** Sets the bit of each byte whose address, of which `mask` counts, is `address`. */
void code_bits_set(struct code_bits *bits, const struct code_map *map, uint64_t address, uint64_t mask);

/** Whether a bit of [from, to) is set, addresses in an area of the map. */
bool code_bits_any(const struct code_bits *bits, const struct code_map *map, const struct code_area *area,
                   uint64_t from, uint64_t to);

/** Frees what it holds. */
void code_bits_fini(struct code_bits *bits);

#endif
