/* SPDX-License-Identifier: MIT */
/* Finds the targets of branches anywhere in a file. Cold parts of a function are placed apart from it and jump back
 * into it. */
#ifndef HYPERVISOR_CODE_BRANCHES_H
#define HYPERVISOR_CODE_BRANCHES_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_branches {
	bool is_read;
	struct code_bits led_to; /**< targets of bytes that look like a branch */
	struct code_function neighbour;
	uint64_t disassembled; /**< bytes disassembled so far */
};

/**
 * Sets the bits of the targets of all bytes that could be a jump or a call with a 4-byte displacement or, with
 * `with_lea`, a lea.
 */
void code_branches_mark(struct code_bits *bits, const struct code_map *map, bool with_lea);

/** Finds the targets, which code_branches_lead() does when it is first asked. Returns 0 or -ENOMEM. */
int code_branches_read(struct code_branches *branches, const struct code_map *map);

/**
 * Whether code outside `function` may jump to an address after `from` and before `to`, which are in an area of the map.
 * Considers all bytes that could be a jump, a call or a lea with a 4-byte displacement, and short jumps of functions
 * within their reach. Returns 1, 0 or -ENOMEM.
 */
int code_branches_lead(struct code_branches *branches, struct code_map *map, const struct code_area *area,
                       const struct code_range *function, enum code_source source, uint64_t from, uint64_t to);

/** Frees the bits and the disassembled function. */
void code_branches_fini(struct code_branches *branches);

#endif
