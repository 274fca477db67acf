/* SPDX-License-Identifier: MIT */
/* The hash of what a guest has left in its memory. */
#ifndef HYPERVISOR_DIGEST_MEMORY_H
#define HYPERVISOR_DIGEST_MEMORY_H

#include <stdint.h>

#include "base/digest.h"
#include "guest/guest_memory.h"

/**
 * Opens, for the rest of the process's life, the file that shows which memory of the process is populated. Called
 * before the process is confined. Without it digest_memory reads all memory. Returns a descriptor or -1.
 */
int digest_memory_open(void);

/**
 * Hashes all guest memory that a program can have written: image and frames, page by page, without pages of zeros.
 * Excludes the boot area and the page tables. `from` is the first address after the boot area.
 */
void digest_memory(const struct guest_memory *memory, uint64_t from, uint64_t tables_low, uint64_t tables_high,
                   uint8_t out[DIGEST_BYTES]);

#endif
