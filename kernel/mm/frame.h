/* SPDX-License-Identifier: MIT */
/* Physical memory: 2 MiB blocks and 4 KiB frames, by guest-physical address.
 *
 * Allocation order depends only on earlier calls. A frame is zero when it is handed out, unless it is to be
 * overwritten: fresh memory is, and what comes back is cleared when it is handed out again. 0 means that there is none
 * left. */
#ifndef KERNEL_MM_FRAME_H
#define KERNEL_MM_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "kernel/arch/direct_map.h"

/** Takes over the memory in [low, high); both are rounded to blocks inside it. What is not below `shown` is asked for
 * before it is used (DOORBELL_MEMORY). */
void frame_init(uint64_t low, uint64_t high, uint64_t shown);

/** Where frame_init's own table ends: memory below must be in the direct map before frame_init is called. */
uint64_t frame_table_end(uint64_t low, uint64_t high);

/** A zeroed 4 KiB frame, or 0. */
uint64_t frame_alloc(void);

/** A 4 KiB frame with any contents, all of which the caller overwrites, or 0. */
uint64_t frame_alloc_to_overwrite(void);

/** `count` (at most 511) zeroed frames next to each other, or 0. Each is given back by frame_free. */
uint64_t frame_alloc_run(size_t count);

/** Gives one frame back. */
void frame_free(uint64_t frame);

/** If it is set: takes an owner off a frame of 4 KiB that is given back, and says whether there is another one, so that
 * it stays (kernel/linux/memory/shared_frames.h). */
extern bool (*frame_has_other)(uint64_t frame);

/** `count` zeroed 2 MiB blocks next to each other, or 0. */
uint64_t frame_alloc_blocks(size_t count);

/** A 2 MiB block with any contents, all of which the caller overwrites, or 0. */
uint64_t frame_alloc_block_to_overwrite(void);

/** Gives `count` adjacent blocks back. Each may have been part of any allocation of blocks. */
void frame_free_blocks(uint64_t block, size_t count);

/**
 * Turns an allocated block into 512 allocated frames, each to be given back by frame_free.
 */
void frame_split_block(uint64_t block);

/** Bytes that could still be allocated. */
uint64_t frame_free_bytes(void);

/** Bytes of memory that frame_init was given. */
uint64_t frame_total_bytes(void);

#endif
