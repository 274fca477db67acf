/* SPDX-License-Identifier: MIT */
/* Physical memory: 2 MiB blocks and 4 KiB frames, by guest-physical address.
 *
 * Allocation order depends only on earlier calls. A frame is zero when it is handed out, unless the caller overwrites
 * it: fresh memory is zero, and returned memory is cleared when it is handed out again. 0 means that no memory is
 * left. */
#ifndef KERNEL_MM_FRAME_H
#define KERNEL_MM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "kernel/arch/direct_map.h"

/** Takes over the memory in [low, high), rounded inward to pages at `low` and to blocks at `high`. The table at `table`
 * ends at or below `low`. Memory from `shown` on is requested from the monitor before its first use
 * (DOORBELL_MEMORY). */
void frame_init(uint64_t table, uint64_t low, uint64_t high, uint64_t shown);

/** The end of frame_init's table. The memory below `low` must be in the direct map before frame_init is called. */
uint64_t frame_table_end(uint64_t table, uint64_t high);

/** A zeroed 4 KiB frame, or 0. */
uint64_t frame_alloc(void);

/** A 4 KiB frame with undefined contents, all of which the caller overwrites, or 0. */
uint64_t frame_alloc_to_overwrite(void);

/** `count` (at most 511) adjacent zeroed frames, or 0. frame_free frees each. */
uint64_t frame_alloc_run(size_t count);

/** `count` (at most 511) adjacent frames with undefined contents, or 0. */
uint64_t frame_alloc_run_to_overwrite(size_t count);

/** Frees a frame. */
void frame_free(uint64_t frame);

/** `count` adjacent zeroed 2 MiB blocks, or 0. */
uint64_t frame_alloc_blocks(size_t count);

/** A 2 MiB block with undefined contents, all of which the caller overwrites, or 0. */
uint64_t frame_alloc_block_to_overwrite(void);

/** Frees `count` adjacent blocks. They may come from different allocations of blocks. */
void frame_free_blocks(uint64_t block, size_t count);

/** Turns an allocated block into 512 allocated frames; frame_free frees each. */
void frame_split_block(uint64_t block);

/** Bytes that can still be allocated. */
uint64_t frame_free_bytes(void);

/** Bytes of memory given to frame_init. */
uint64_t frame_total_bytes(void);

#endif
