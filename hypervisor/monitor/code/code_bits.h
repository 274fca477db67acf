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

/** Sets the bit of the byte at an address, in each area that has it. */
void code_bits_set(struct code_bits *bits, const struct code_map *map, uint64_t address);

/** Sets the bit of each byte of an area whose address has a low half equal to some four bytes of the file. */
void code_bits_set_mentioned(struct code_bits *bits, const struct code_map *map, unsigned area, const uint8_t *file,
                             uint64_t bytes);

/** Whether any bit in the addresses [from, to) of an area of the map is set. */
bool code_bits_any(const struct code_bits *bits, const struct code_map *map, const struct code_area *area,
                   uint64_t from, uint64_t to);

/** Frees the bits. */
void code_bits_fini(struct code_bits *bits);

#endif
