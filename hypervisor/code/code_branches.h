/* SPDX-License-Identifier: MIT */
/* Which places branches anywhere in a file lead to: cold parts of a function stand apart from it and jump back. */
#ifndef HYPERVISOR_CODE_BRANCHES_H
#define HYPERVISOR_CODE_BRANCHES_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_branches {
	bool is_read;
	struct code_bits led_to; /**< something that looks like a branch leads there */
	struct code_function neighbour;
	uint64_t disassembled; /**< bytes, in all */
};

/** Sets the bits of where any bytes lead that could be a jump or a call with a distance of four bytes, or a lea. */
void code_branches_mark(struct code_bits *bits, const struct code_map *map, bool with_lea);

/**
 * Whether something outside of `function` may jump behind `from` and before `to`, which lie in an area of the map: any
 * bytes that could be a jump, a call or a lea with a distance of four bytes, and short jumps of the functions that are
 * within their reach. 1, 0 or -ENOMEM.
 */
int code_branches_lead(struct code_branches *branches, struct code_map *map, const struct code_area *area,
                       const struct code_range *function, enum code_source source, uint64_t from, uint64_t to);

/** Frees what it holds. */
void code_branches_fini(struct code_branches *branches);

#endif
