/* SPDX-License-Identifier: MIT */
/* The list of mappings: which ranges of the address space are mapped, how, and from where. Page tables are not its
 * business (pages.h); together they are the address space (vm.h). */
#ifndef KERNEL_MM_MAPPINGS_H
#define KERNEL_MM_MAPPINGS_H

#include <stddef.h>

#include "kernel/mm/vm.h"

/** One mapping. Each in the list holds a reference to its object and to its keeper. */
struct mapping {
	uint64_t start, end;
	int prot;
	unsigned hints;            /**< enum vm_hint */
	struct vm_backing backing; /**< ops is NULL: anonymous; page belongs to `start` */
};

extern struct mappings {
	struct mapping *list; /**< sorted, disjoint, neighbours that differ in nothing joined */
	size_t count, room;
} mappings;

/** Starts with an empty list. */
void mappings_init(void);

/** Index of the first mapping that ends after the address. */
size_t mappings_find(uint64_t address);

/** The mapping at an address, or NULL. */
struct mapping *mappings_at(uint64_t address);

/** Makes sure that `more` mappings can be added or cut without failing. 0 or -ENOMEM. */
int mappings_reserve(size_t more);

/** The same for an operation that ends with no more than `growth` of them. */
int mappings_reserve_net(size_t more, long growth);

/** Cuts the mapping around the address in two there. Needs one reserved entry. */
void mappings_cut(uint64_t address);

/** Adds a mapping, with a reference of its own to the object, and joins it with its neighbours. Needs one entry. */
void mappings_add(struct mapping mapping);

/** Removes the mappings [from, to) of the list. The last reference to an object frees its memory: flush before. */
void mappings_remove(size_t from, size_t to);

/** Joins neighbours that differ in nothing, among [from, to] of the list. */
void mappings_join(size_t from, size_t to);

#endif
