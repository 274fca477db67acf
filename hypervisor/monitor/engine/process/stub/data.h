/* SPDX-License-Identifier: MIT */
/* All data of the stub. Its code contains no data, so it is the same in every process. */
#ifndef ENGINE_PROCESS_STUB_DATA_H
#define ENGINE_PROCESS_STUB_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/process/channel.h"

/** The mapped pages of 2 MiB of addresses. Entries are those of tables.h. */
struct mapped_block {
	uint64_t number;              /**< address / 2 MiB */
	uint64_t large;               /**< the entry of its first page, if one mapping covers all of it; otherwise 0 */
	uint64_t *pages;              /**< otherwise the entry of each mapped page; NULL: it never had any */
	unsigned count, first, after; /**< number of entries in `pages`, and the range of their indices */
};

#define STUB_HASH (2 * STUB_BLOCKS)

/** The data at STUB_DATA; all fields except the first begin as zero. */
struct stub_data {
	struct stub_head head;
	uint64_t cr3;
	unsigned self;      /**< index in channel.spaces */
	bool runs;          /**< signal frames hold the guest's registers */
	uint32_t placement; /**< plan.placement when this process last applied it */
	unsigned block_count;
	uint64_t pages_next; /**< the next unused page for mapped_block.pages; 0: STUB_PAGES */
	struct mapped_block blocks[STUB_BLOCKS];
	uint32_t hash[STUB_HASH]; /**< index in blocks + 1 */
};

/** Memory after it: a page for each block's mapped_block.pages. */
#define STUB_PAGES ((STUB_DATA + sizeof(struct stub_data) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))
_Static_assert(sizeof(struct stub_data) + (STUB_BLOCKS + 1) * PAGE_SIZE <= STUB_DATA_BYTES, "all blocks have room");

#define DATA ((struct stub_data *)STUB_DATA)
#define PLAN ((const struct plan *)STUB_PLAN)
#define CHANNEL ((struct channel *)STUB_CHANNEL)

#endif
