/* SPDX-License-Identifier: MIT */
/* Ranges of addresses that are functions, in sorted lists. */
#ifndef HYPERVISOR_CODE_RANGE_H
#define HYPERVISOR_CODE_RANGE_H

#include <stddef.h>
#include <stdint.h>

/** Addresses [address, address + bytes) are instructions, the first of which stands at `address`. */
struct code_range {
	uint64_t address, bytes;
};

/** A list that grows. */
struct code_ranges {
	struct code_range *at; /**< for the caller to free */
	size_t count, room;
};

/** Appends one. 0 or -ENOMEM. */
int code_range_append(struct code_ranges *ranges, struct code_range range);

/** Sorts by address, and where that is the same, the shortest first. */
void code_range_sort(struct code_ranges *ranges);

/**
 * The innermost of the sorted ranges around an address, or NULL; *gap, which the caller sets to the lowest address that
 * it wants to know of, becomes the end of the ranges before it, if that is higher.
 */
const struct code_range *code_range_find(const struct code_range *ranges, size_t count, uint64_t address,
                                         uint64_t *gap);

/** Where the first of the sorted ranges behind an address begins; limit if there is none before it. */
uint64_t code_range_next(const struct code_ranges *ranges, uint64_t address, uint64_t limit);

#endif
