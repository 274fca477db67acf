/* SPDX-License-Identifier: MIT */
/* Which places in code some number in a file could be the address of: a symbol's, a relocation's, a pointer's in data,
 * a constant's in an instruction. */
#ifndef HYPERVISOR_CODE_MENTIONS_H
#define HYPERVISOR_CODE_MENTIONS_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_mentions {
	bool is_read;
	struct code_bits mentioned;
};

/** Whether any four bytes of the file are the low half of an address in [from, to], which lie in an area of the map. 1,
 * 0 or -ENOMEM. */
int code_mentions_any(struct code_mentions *mentions, const struct code_map *map, const struct code_area *area,
                      uint64_t from, uint64_t to);

/** Frees what it holds. */
void code_mentions_fini(struct code_mentions *mentions);

#endif
