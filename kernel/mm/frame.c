/* SPDX-License-Identifier: MIT */
/* Physical memory: 2 MiB blocks, some of them split into 4 KiB frames. Blocks above next_clean were never handed out
 * and are zero; so are the frames of a split block from its `fresh` on. All others are cleared when they are handed out
 * again. */
#include "kernel/mm/frame.h"

#include "abi/stats.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"

#define FRAMES_PER_BLOCK (BLOCK_SIZE / PAGE_SIZE)
#define NONE UINT32_MAX

enum block_state {
	BLOCK_CLEAN, /* never handed out */
	BLOCK_FREE,  /* on the free list, contents arbitrary */
	BLOCK_WHOLE, /* handed out as a block */
	BLOCK_SPLIT, /* handed out as frames */
};

struct block {
	uint64_t free_map[FRAMES_PER_BLOCK / 64]; /* split: freed frames */
	uint32_t next, prev;                      /* in the free list or the list of split blocks with room */
	uint16_t free_count;                      /* split: bits in free_map */
	uint16_t fresh;                           /* split: frames from here on were never handed out */
	uint8_t state;
};

static struct {
	uint64_t base;       /* guest-physical address of block 0 */
	uint64_t bytes;      /* usable */
	uint64_t used;       /* handed out */
	uint32_t count;      /* blocks */
	uint32_t next_clean; /* blocks from here on are BLOCK_CLEAN */
	uint64_t shown;      /* memory from this address on must be requested first */
	uint32_t free_list;  /* BLOCK_FREE, last freed first */
	uint32_t room_list;  /* BLOCK_SPLIT with a free or fresh frame */
	struct block *blocks;
} memory;

static struct run_stats *stats(void)
{
	return phys_to_virt(LAYOUT_STATS);
}

static void account(int64_t bytes)
{
	memory.used += (uint64_t)bytes;
	stats()->memory_bytes = memory.used;
	if (memory.used > stats()->memory_peak_bytes)
		stats()->memory_peak_bytes = memory.used;
}

/* Counts a request for which no memory is left. */
static uint64_t count_refused(void)
{
	stats()->memory_refused++;
	return 0;
}

static uint64_t block_address(uint32_t index)
{
	return memory.base + index * BLOCK_SIZE;
}

static uint32_t block_index(uint64_t address)
{
	assert(address >= memory.base);
	uint64_t index = (address - memory.base) / BLOCK_SIZE;
	assert(index < memory.count);
	return (uint32_t)index;
}

static void list_push(uint32_t *list, uint32_t index)
{
	struct block *block = &memory.blocks[index];
	block->prev = NONE;
	block->next = *list;
	if (*list != NONE)
		memory.blocks[*list].prev = index;
	*list = index;
}

static void list_remove(uint32_t *list, uint32_t index)
{
	struct block *block = &memory.blocks[index];
	if (block->prev != NONE)
		memory.blocks[block->prev].next = block->next;
	else
		*list = block->next;
	if (block->next != NONE)
		memory.blocks[block->next].prev = block->prev;
}

/* Puts `count` clean blocks after those that are no longer clean. Returns the first. */
static uint32_t take_clean(size_t count)
{
	uint32_t first = memory.next_clean;
	memory.next_clean += (uint32_t)count;
	uint64_t end = block_address(memory.next_clean);
	if (end > memory.shown)
		memory.shown = (uint64_t)doorbell_ring(DOORBELL_MEMORY, end, 0);
	return first;
}

static uint64_t table_address(uint64_t table)
{
	return (table + 63) & ~63UL;
}

uint64_t frame_table_end(uint64_t table, uint64_t high)
{
	return (table_address(table) + high / BLOCK_SIZE * sizeof(struct block) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

void frame_init(uint64_t table, uint64_t start, uint64_t high, uint64_t shown)
{
	uint64_t first = start & ~(BLOCK_SIZE - 1);
	uint64_t count = (high - first) / BLOCK_SIZE;
	assert(start < high);
	memory.base = first;
	memory.count = (uint32_t)count;
	memory.blocks = phys_to_virt(table_address(table));
	memory.free_list = NONE;
	memory.room_list = NONE;
	memory.next_clean = 0;
	memory.shown = shown;
	take_clean((start - first + BLOCK_SIZE - 1) / BLOCK_SIZE);
	memory.bytes = first + count * BLOCK_SIZE - start;
	stats()->frames_low = start;
	stats()->frames_high = first + count * BLOCK_SIZE;
	for (uint32_t i = 0; i < memory.next_clean; i++) {
		memory.blocks[i].state = BLOCK_SPLIT;
		memory.blocks[i].fresh = FRAMES_PER_BLOCK;
	}
	if (start & (BLOCK_SIZE - 1)) { /* the rest of the block in which the kernel's own data end */
		uint32_t last = memory.next_clean - 1;
		memory.blocks[last].fresh = (uint16_t)((start - block_address(last)) / PAGE_SIZE);
		list_push(&memory.room_list, last);
	}
}

/* Takes one block off the free list, or a clean one; *clean says which. NONE: none is left. */
static uint32_t take_block(bool *clean)
{
	uint32_t index = memory.free_list;
	*clean = index == NONE;
	if (index != NONE)
		list_remove(&memory.free_list, index);
	else if (memory.next_clean < memory.count)
		index = take_clean(1);
	return index;
}

/* Takes a block to cut frames from; NONE: none is left. */
static uint32_t open_block(void)
{
	bool clean;
	uint32_t index = take_block(&clean);
	if (index == NONE)
		return NONE;
	struct block *block = &memory.blocks[index];
	block->state = BLOCK_SPLIT;
	block->fresh = clean ? 0 : FRAMES_PER_BLOCK;
	block->free_count = clean ? 0 : FRAMES_PER_BLOCK;
	memset(block->free_map, clean ? 0 : 0xff, sizeof(block->free_map));
	list_push(&memory.room_list, index);
	return index;
}

static bool block_is_full(const struct block *block)
{
	return !block->free_count && block->fresh == FRAMES_PER_BLOCK;
}

static uint64_t take_frame(bool clear)
{
	uint32_t index = memory.room_list != NONE ? memory.room_list : open_block();
	if (index == NONE)
		return count_refused();
	struct block *block = &memory.blocks[index];
	uint64_t frame;
	if (block->free_count) {
		unsigned word = 0;
		while (!block->free_map[word])
			word++;
		unsigned bit = (unsigned)__builtin_ctzl(block->free_map[word]);
		block->free_map[word] &= block->free_map[word] - 1;
		block->free_count--;
		frame = block_address(index) + (word * 64 + bit) * PAGE_SIZE;
		if (clear)
			memset(phys_to_virt(frame), 0, PAGE_SIZE);
	} else {
		frame = block_address(index) + block->fresh++ * PAGE_SIZE;
	}
	if (block_is_full(block))
		list_remove(&memory.room_list, index);
	account(PAGE_SIZE);
	return frame;
}

uint64_t frame_alloc(void)
{
	return take_frame(true);
}

uint64_t frame_alloc_to_overwrite(void)
{
	return take_frame(false);
}

/* Whether a frame of a split block, by its number, was freed. */
static inline bool is_back(const struct block *block, uint64_t at)
{
	return block->free_map[at / 64] >> at % 64 & 1;
}

/* The first of `count` adjacent free frames of a split block; FRAMES_PER_BLOCK: none. */
static unsigned find_run(const struct block *block, size_t count)
{
	size_t run = 0;
	for (unsigned i = 0; i < FRAMES_PER_BLOCK; i++) {
		if (i % 64 == 0 && i + 64 <= block->fresh && !block->free_map[i / 64]) { /* all 64 are used */
			run = 0;
			i += 63;
			continue;
		}
		bool available = i >= block->fresh || is_back(block, i);
		run = available ? run + 1 : 0;
		if (run == count)
			return i + 1 - (unsigned)count;
	}
	return FRAMES_PER_BLOCK;
}

static uint64_t take_frames(size_t count, bool clear)
{
	assert(count > 0);
	assert(count < FRAMES_PER_BLOCK);
	unsigned first = FRAMES_PER_BLOCK;
	uint32_t index = memory.room_list;
	for (; index != NONE; index = memory.blocks[index].next) {
		first = find_run(&memory.blocks[index], count);
		if (first != FRAMES_PER_BLOCK)
			break;
	}
	if (index == NONE) {
		index = open_block();
		first = 0;
	}
	if (index == NONE)
		return 0;
	struct block *block = &memory.blocks[index];
	uint64_t address = block_address(index) + first * PAGE_SIZE;
	for (unsigned i = first; i < first + count; i++) {
		if (i >= block->fresh) {
			block->fresh = (uint16_t)(i + 1);
			continue;
		}
		block->free_map[i / 64] &= ~(1UL << i % 64);
		block->free_count--;
		if (clear)
			memset(phys_to_virt(block_address(index) + i * PAGE_SIZE), 0, PAGE_SIZE);
	}
	if (block_is_full(block))
		list_remove(&memory.room_list, index);
	account((int64_t)(count * PAGE_SIZE));
	return address;
}

uint64_t frame_alloc_run(size_t count)
{
	return take_frames(count, true);
}

uint64_t frame_alloc_run_to_overwrite(size_t count)
{
	return take_frames(count, false);
}

void frame_free(uint64_t frame)
{
	if (personality.frame_has_other && personality.frame_has_other(frame))
		return;
	uint32_t index = block_index(frame);
	struct block *block = &memory.blocks[index];
	uint64_t at = (frame - block_address(index)) / PAGE_SIZE;
	assert(block->state == BLOCK_SPLIT);
	assert(at < block->fresh);
	assert(!is_back(block, at));
	if (block_is_full(block))
		list_push(&memory.room_list, index);
	block->free_map[at / 64] |= 1UL << at % 64;
	block->free_count++;
	account(-(int64_t)PAGE_SIZE);
	if (block->free_count == FRAMES_PER_BLOCK) {
		list_remove(&memory.room_list, index);
		memset(block->free_map, 0, sizeof(block->free_map));
		block->free_count = 0;
		block->state = BLOCK_FREE;
		list_push(&memory.free_list, index);
	}
}

/* Takes `count` adjacent free blocks off the free list. Returns the first; NONE: there are none. */
static uint32_t take_run(size_t count)
{
	uint32_t run = 0;
	for (uint32_t i = 0; i < memory.next_clean; i++) {
		run = memory.blocks[i].state == BLOCK_FREE ? run + 1 : 0;
		if (run < count)
			continue;
		uint32_t first = i + 1 - (uint32_t)count;
		for (uint32_t taken = first; taken <= i; taken++)
			list_remove(&memory.free_list, taken);
		memset(phys_to_virt(block_address(first)), 0, count * BLOCK_SIZE);
		return first;
	}
	return NONE;
}

/* Takes one block, and says whether it is clean; 0: none is left. */
static uint64_t take_whole(bool *clean)
{
	uint32_t index = take_block(clean);
	if (index == NONE)
		return 0;
	memory.blocks[index].state = BLOCK_WHOLE;
	account(BLOCK_SIZE);
	return block_address(index);
}

uint64_t frame_alloc_block_to_overwrite(void)
{
	bool clean;
	return take_whole(&clean);
}

uint64_t frame_alloc_blocks(size_t count)
{
	uint32_t first;
	assert(count > 0);
	if (count == 1) {
		bool clean;
		uint64_t block = take_whole(&clean);
		if (block && !clean)
			memset(phys_to_virt(block), 0, BLOCK_SIZE);
		return block;
	}
	if (count <= memory.count - memory.next_clean) {
		first = take_clean(count);
	} else {
		first = take_run(count);
	}
	if (first == NONE)
		return count_refused();
	for (size_t i = 0; i < count; i++)
		memory.blocks[first + i].state = BLOCK_WHOLE;
	account((int64_t)(count * BLOCK_SIZE));
	return block_address(first);
}

void frame_free_blocks(uint64_t block, size_t count)
{
	uint32_t first = block_index(block);
	assert(block_address(first) == block);
	assert(first + count <= memory.count);
	for (size_t i = 0; i < count; i++) {
		struct block *b = &memory.blocks[first + i];
		assert(b->state == BLOCK_WHOLE);
		b->state = BLOCK_FREE;
		list_push(&memory.free_list, first + (uint32_t)i);
	}
	account(-(int64_t)(count * BLOCK_SIZE));
}

void frame_split_block(uint64_t block)
{
	struct block *b = &memory.blocks[block_index(block)];
	assert(b->state == BLOCK_WHOLE);
	b->state = BLOCK_SPLIT;
	b->fresh = FRAMES_PER_BLOCK;
	b->free_count = 0;
	memset(b->free_map, 0, sizeof(b->free_map));
}

uint64_t frame_free_bytes(void)
{
	return memory.bytes - memory.used;
}

uint64_t frame_total_bytes(void)
{
	return memory.bytes;
}
