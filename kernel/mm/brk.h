/* SPDX-License-Identifier: MIT */
/* The heap of brk(2). */
#ifndef KERNEL_MM_BRK_H
#define KERNEL_MM_BRK_H

#include <stdint.h>

#include "abi/layout.h"

/** A heap. */
struct brk {
	uint64_t start, limit; /**< it lies between them */
	uint64_t end;          /**< what the program asked for */
	uint64_t mapped;       /**< end of what is mapped */
};

/** Where its last page ends. */
static inline uint64_t brk_page_end(const struct brk *brk)
{
	return (brk->end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

/** The heap of the running process. */
extern struct brk brk_current;

/** Starts with an empty heap whose first `mapped_bytes` (whole pages) are mapped already. */
void brk_init(uint64_t start, uint64_t limit, uint64_t mapped_bytes);

/** Moves the end of the heap, if that is possible; returns where it is now. */
uint64_t brk_set(uint64_t end);

/** Before a call does something to a range: what of it was mapped ahead for the heap, and not asked for, is not there.
 */
void brk_trim(uint64_t address, uint64_t bytes);

/** Bytes that are mapped for the heap but were not asked for yet. */
uint64_t brk_ahead(void);

#endif
