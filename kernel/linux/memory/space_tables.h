/* SPDX-License-Identifier: MIT */
/* The page tables of address spaces. Those of one that is gone are kept for the next, emptied: where page tables are
 * shadowed, making new ones costs more than all else that fork(2) does. */
#ifndef KERNEL_LINUX_MEMORY_SPACE_TABLES_H
#define KERNEL_LINUX_MEMORY_SPACE_TABLES_H

#include <stdint.h>

/** From now on new address spaces have what the kernel's now has in [start, end), whole blocks, and it never changes.
 */
void space_tables_init(uint64_t start, uint64_t end);

/** Tables of a new address space, with nothing but the direct map and what is shared. The uppermost one; 0 without
 * memory. */
uint64_t space_tables_new(void);

/** Frees the tables of an address space that the processor is not in, and the pages that they own. */
void space_tables_free(uint64_t top);

#endif
