/* SPDX-License-Identifier: MIT */
/* Finds places in code whose address may occur as a number in a file: in a symbol, a relocation, a pointer in data, or
 * a constant in an instruction. */
#ifndef HYPERVISOR_CODE_MENTIONS_H
#define HYPERVISOR_CODE_MENTIONS_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_mentions {
	bool is_read;
	struct code_bits mentioned;
};

/** Finds the places, which code_mentions_any() does when it is first asked. Returns 0 or -ENOMEM. */
int code_mentions_read(struct code_mentions *mentions, const struct code_map *map);

/**
 * Whether any four bytes of the file are the low half of an address in [from, to], in an area of the map. Returns 1, 0
 * or -ENOMEM.
 */
int code_mentions_any(struct code_mentions *mentions, const struct code_map *map, const struct code_area *area,
                      uint64_t from, uint64_t to);

/** Frees the bits. */
void code_mentions_fini(struct code_mentions *mentions);

#endif
