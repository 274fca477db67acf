/* SPDX-License-Identifier: MIT */
/* The heap of brk(2). */
#ifndef KERNEL_MM_BRK_H
#define KERNEL_MM_BRK_H

#include <stdint.h>

/** Starts with an empty heap whose first `mapped_bytes` (whole pages) are mapped already. */
void brk_init(uint64_t mapped_bytes);

/** Moves the end of the heap, if that is possible; returns where it is now. */
uint64_t brk_set(uint64_t end);

/** Bytes that are mapped for the heap but were not asked for yet. */
uint64_t brk_ahead(void);

#endif
