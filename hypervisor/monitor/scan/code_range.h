/* SPDX-License-Identifier: MIT */
/* Sorted lists of address ranges, each of which is a function. */
#ifndef HYPERVISOR_CODE_RANGE_H
#define HYPERVISOR_CODE_RANGE_H

#include <stddef.h>
#include <stdint.h>

/** The addresses [address, address + bytes) contain instructions; the first begins at `address`. */
struct code_range {
	uint64_t address, bytes;
};

/** A growing list. */
struct code_ranges {
	struct code_range *at; /**< freed by the caller */
	size_t count, room;
};

/** Appends a range. Returns 0 or -ENOMEM. */
int code_range_append(struct code_ranges *ranges, struct code_range range);

/** Sorts by address; ranges with the same address are sorted by size, shortest first. */
void code_range_sort(struct code_ranges *ranges);

/**
 * Returns the innermost of the sorted ranges around an address, or NULL. The caller sets *gap to a lower limit; it is
 * raised to the end of the ranges before the address, if that is higher.
 */
const struct code_range *code_range_find(const struct code_range *ranges, size_t count, uint64_t address,
                                         uint64_t *gap);

/** Returns the start of the first sorted range after an address, or `limit` if no range starts before `limit`. */
uint64_t code_range_next(const struct code_ranges *ranges, uint64_t address, uint64_t limit);

#endif
