/* SPDX-License-Identifier: MIT */
/* The heap of brk(2). */
#ifndef KERNEL_MM_BRK_H
#define KERNEL_MM_BRK_H

#include <stdint.h>

#include "abi/layout.h"

/** The heap of an address space. The functions work on that of space_current (space.h). */
struct brk {
	uint64_t start, limit; /**< the heap's range */
	uint64_t end;          /**< end of the heap as the program set it */
	uint64_t mapped;       /**< end of what is mapped */
};

/** The end of the heap's last page. */
static inline uint64_t brk_page_end(const struct brk *brk)
{
	return (brk->end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

/** Starts with an empty heap whose first `mapped_bytes` (whole pages) are already mapped. */
void brk_init(uint64_t start, uint64_t limit, uint64_t mapped_bytes);

/** Moves the end of the heap if possible. Returns the end. */
uint64_t brk_set(uint64_t end);

/** Called before a call works on a range: unmaps what was mapped ahead for the heap and not requested. */
void brk_trim(uint64_t address, uint64_t bytes);

/** Bytes mapped for the heap but not yet requested. */
uint64_t brk_ahead(void);

#endif
