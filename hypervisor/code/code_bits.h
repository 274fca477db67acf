/* SPDX-License-Identifier: MIT */
/* A bit set with one bit for each byte of code in a file. */
#ifndef HYPERVISOR_CODE_BITS_H
#define HYPERVISOR_CODE_BITS_H

#include "code/code_map.h"

/** All zero at first. */
struct code_bits {
	uint8_t *bits[CODE_AREAS_MAX];
};

/** Allocates cleared bits for the code of a map. Returns 0 or -ENOMEM. */
int code_bits_begin(struct code_bits *bits, const struct code_map *map);

/** Sets the bit of each byte whose address equals `address` in the bits of `mask`. */
void code_bits_set(struct code_bits *bits, const struct code_map *map, uint64_t address, uint64_t mask);

/** Whether any bit in the addresses [from, to) of an area of the map is set. */
bool code_bits_any(const struct code_bits *bits, const struct code_map *map, const struct code_area *area,
                   uint64_t from, uint64_t to);

/** Frees the bits. */
void code_bits_fini(struct code_bits *bits);

#endif
