/* SPDX-License-Identifier: MIT */
/* All data of the stub. Its code has none, so that it is the same in every process. */
#ifndef ENGINE_PROCESS_STUB_DATA_H
#define ENGINE_PROCESS_STUB_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/process/channel.h"

/** What is mapped of 2 MiB of addresses. Entries are those of tables.h. */
struct mapped_block {
	uint64_t number;              /**< address / 2 MiB */
	uint64_t large;               /**< the entry of its first page, if one mapping shows it all; else 0 */
	uint64_t *pages;              /**< else the entry of each page that is mapped; NULL: it never had any */
	unsigned count, first, after; /**< of those: how many there are, and between which indices */
};

#define STUB_BLOCKS 16384
#define STUB_HASH (2 * STUB_BLOCKS)

/** At STUB_DATA, all but the first zero at first. */
struct stub_data {
	struct stub_head head;
	uint64_t cr3;
	unsigned self;      /**< index in channel.spaces */
	bool runs;          /**< signal frames hold the guest's registers */
	uint32_t placement; /**< the plan's, as this process last followed it */
	unsigned block_count;
	uint64_t pages_next; /**< the next unused page for mapped_block.pages; 0: STUB_PAGES */
	struct mapped_block blocks[STUB_BLOCKS];
	uint32_t hash[STUB_HASH]; /**< index in blocks + 1 */
};

/** Behind it: a page for each block's mapped_block.pages. */
#define STUB_PAGES ((STUB_DATA + sizeof(struct stub_data) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))
_Static_assert(sizeof(struct stub_data) + (STUB_BLOCKS + 1) * PAGE_SIZE <= STUB_DATA_BYTES, "all blocks have room");

#define DATA ((struct stub_data *)STUB_DATA)
#define PLAN ((const struct plan *)STUB_PLAN)
#define CHANNEL ((struct channel *)STUB_CHANNEL)

#endif
