/* SPDX-License-Identifier: MIT */
/* Finds code in assembly that no table describes. It begins at the program's entry point, at labels, and at targets of
 * calls and jumps. Control flow from there reaches only code, whatever surrounds it. */
#ifndef HYPERVISOR_CODE_ENTRIES_H
#define HYPERVISOR_CODE_ENTRIES_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_entries {
	bool is_read;
	struct code_bits entered;
	struct code_function function;
	uint64_t disassembled; /**< upper limit of the bytes disassembled so far */
};

/**
 * Finds the instruction that contains the byte at `address` in an area of the map, if control flow reaches it from an
 * entry at or before it, not below `floor`. Returns 1 and *step, 0 if it is unknown, or -ENOMEM.
 */
int code_entries_lead(struct code_entries *entries, const struct code_map *map, const struct code_area *area,
                      uint64_t floor, uint64_t address, struct code_step *step);

/** Frees the bits and the disassembled function. */
void code_entries_fini(struct code_entries *entries);

#endif
