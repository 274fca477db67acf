/* SPDX-License-Identifier: MIT */
/* The list of mappings: which ranges of the address space are mapped, how, and from where. Page tables are in pages.h;
 * both together are the address space (vm.h). */
#ifndef KERNEL_MM_MAPPINGS_H
#define KERNEL_MM_MAPPINGS_H

#include <stddef.h>

#include "kernel/mm/vm.h"

/** One mapping. It holds a reference to its object and to its keeper while it is in the list. */
struct mapping {
	uint64_t start, end;
	int prot;
	unsigned hints; /**< enum vm_hint */
	/** The mapped object and `page`, its page at `start`. ops NULL: anonymous memory. */
	struct vm_backing backing;
};

/** The mappings of an address space. All functions work on those of space_current (space.h). */
struct mappings {
	struct mapping *list; /**< sorted and disjoint; equal neighbours are joined */
	size_t count, room;
};

/** Starts with an empty list. */
void mappings_init(void);

/** Index of the first mapping that ends after the address. */
size_t mappings_find(uint64_t address);

/** The mapping at an address, or NULL. */
struct mapping *mappings_at(uint64_t address);

/** Makes sure that `more` mappings can be added or cut without failing. Returns 0 or -ENOMEM. */
int mappings_reserve(size_t more);

/** mappings_reserve for an operation that adds at most `growth` mappings in the end. */
int mappings_reserve_net(size_t more, long growth);

/** Cuts the mapping around the address in two. Needs one reserved entry. */
void mappings_cut(uint64_t address);

/** Adds a mapping, which takes its own reference to the object, and joins it with its neighbours. Needs one reserved
 * entry. */
void mappings_add(struct mapping mapping);

/** Removes the mappings [from, to) of the list. Flush before: the last reference to an object frees its memory. */
void mappings_remove(size_t from, size_t to);

/** Joins equal neighbours among [from, to] of the list. */
void mappings_join(size_t from, size_t to);

#endif
