/* SPDX-License-Identifier: MIT */
/* Where code begins in assembly that no table tells of: where the program is entered, at labels, and where calls and
 * jumps lead. What flow from there reaches is executed, whatever stands around it. */
#ifndef HYPERVISOR_CODE_ENTRIES_H
#define HYPERVISOR_CODE_ENTRIES_H

#include "code/code_bits.h"

/** All zero at first. */
struct code_entries {
	bool is_read;
	struct code_bits entered;
	struct code_function function;
	uint64_t disassembled; /**< bytes, in all, at most */
};

/**
 * Finds the instruction that a byte in an area of the map is of, if flow from one of the entries before it reaches
 * that, at most as far back as `floor`. 1: *step; 0: not known; or -ENOMEM.
 */
int code_entries_lead(struct code_entries *entries, const struct code_map *map, const struct code_area *area,
                      uint64_t floor, uint64_t address, struct code_step *step);

/** Frees what it holds. */
void code_entries_fini(struct code_entries *entries);

#endif
