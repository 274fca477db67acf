/* SPDX-License-Identifier: MIT */
/* The page tables of address spaces. Those of a freed space are emptied and kept for the next one: where page tables
 * are shadowed, new ones cost more than all other work of fork(2). */
#ifndef KERNEL_LINUX_MEMORY_SPACE_TABLES_H
#define KERNEL_LINUX_MEMORY_SPACE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/** Further page tables for each 2 MiB of RAM: a small process has 11 tables, and a few MiB of memory. */
#define SPACE_TABLES_MORE 16

/** From now on new address spaces share the kernel's present mappings of [start, end), whole blocks, which never
 * change. */
void space_tables_init(uint64_t start, uint64_t end);

/** Makes tables for a new address space, with only the direct map and what is shared. Returns the root; 0 without
 * memory. */
uint64_t space_tables_new(void);

/** personality.pagetable_reclaim: frees the tables of one freed space. */
bool space_tables_reclaim(void);

/** Frees the tables of an address space that is not current, and the pages that they own. */
void space_tables_free(uint64_t top);

#endif
