/* SPDX-License-Identifier: MIT */
#include "kernel/linux/memory/space_tables.h"

#include "abi/errno.h"
#include "abi/tables.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/pagetable.h"

/* Freed address spaces whose tables are kept: that of a forked child and that of the program it executes, twice. */
#define HUSKS_MAX 4

/* Maximum tables of a husk: of a larger one, most would be useless to the next process, and missing elsewhere. */
#define HUSK_TABLES_MAX 24

static struct {
	uint64_t shared, shared_end; /* the range that all spaces share, besides the direct map */
	uint64_t husks[HUSKS_MAX];   /* root tables of freed address spaces, oldest first */
	unsigned husk_count;
} spaces;

/* Whether an entry, of a table whose entries map 1 << shift bytes, points to another table. */
static bool is_table(uint64_t entry, unsigned shift)
{
	return shift > 12 && entry && !(entry & PTE_LARGE);
}

/* Whether the entry for an address is the same in all address spaces. */
static bool is_common(unsigned shift, uint64_t address)
{
	if (shift == 39)
		return address == LAYOUT_DIRECT_MAP;
	return shift == 21 && address >= spaces.shared && address < spaces.shared_end;
}

/* Frees the table for the addresses from `start` on, with those below it. */
static void free_tables(uint64_t table, unsigned shift, uint64_t start)
{
	const uint64_t *entries = phys_to_virt(table);
	for (uint64_t i = 0; i < 512 && shift > 12; i++) {
		uint64_t address = start + (i << shift);
		if (is_table(entries[i], shift) && !is_common(shift, address))
			free_tables(entries[i] & PTE_ADDRESS, shift - 9, address);
	}
	pagetable_page_free(table);
}

/* Takes the oldest husk: when processes start and end in turn, it is the most likely to fit the next one. */
static uint64_t take_husk(void)
{
	uint64_t top = spaces.husks[0];
	spaces.husk_count--;
	memmove(spaces.husks, spaces.husks + 1, spaces.husk_count * sizeof(spaces.husks[0]));
	return top;
}

bool space_tables_reclaim(void)
{
	if (!spaces.husk_count)
		return false;
	free_tables(take_husk(), 39, 0);
	return true;
}

void space_tables_init(uint64_t start, uint64_t end)
{
	spaces.shared = start;
	spaces.shared_end = end;
}

/* Clears the entries of a husk's tables, from an address on. */
static void scrub(uint64_t table, unsigned shift, uint64_t start)
{
	uint64_t *entries = phys_to_virt(table);
	for (uint64_t i = 0; i < 512; i++) {
		uint64_t address = start + (i << shift);
		if (!entries[i] || is_common(shift, address))
			continue;
		if (is_table(entries[i], shift))
			scrub(entries[i] & PTE_ADDRESS, shift - 9, address);
		else
			entries[i] = 0;
	}
}

/* The table below a table's entry for an address, created if needed; 0 without memory. */
static uint64_t below(uint64_t table, uint64_t address, unsigned shift)
{
	uint64_t *entry = (uint64_t *)phys_to_virt(table) + (address >> shift & 511);
	if (!*entry) {
		uint64_t page = pagetable_page_alloc();
		if (!page)
			return 0;
		*entry = page | PTE_TABLE;
	}
	return *entry & PTE_ADDRESS;
}

/* Sets the common entries. Returns 0 or -ENOMEM. */
static int fill_common(uint64_t top)
{
	const uint64_t *kernel = phys_to_virt(LAYOUT_PAGE_TABLES);
	uint64_t *own = phys_to_virt(top), slot = LAYOUT_DIRECT_MAP >> 39 & 511;
	own[slot] = kernel[slot];
	for (uint64_t at = spaces.shared; at < spaces.shared_end; at += BLOCK_SIZE) {
		uint64_t from = LAYOUT_PAGE_TABLES, to = top;
		for (unsigned shift = 39; shift > 21 && to; shift -= 9) {
			from = below(from, at, shift);
			to = below(to, at, shift);
		}
		if (!to)
			return -ENOMEM;
		uint64_t index = at >> 21 & 511;
		((uint64_t *)phys_to_virt(to))[index] = ((const uint64_t *)phys_to_virt(from))[index];
	}
	return 0;
}

uint64_t space_tables_new(void)
{
	if (spaces.husk_count) {
		uint64_t husk = take_husk();
		scrub(husk, 39, 0);
		return husk;
	}
	uint64_t top = pagetable_page_alloc();
	if (top && fill_common(top)) {
		free_tables(top, 39, 0);
		return 0;
	}
	return top;
}

/* Frees the pages of a table for the addresses from `start` on. Returns the number of tables. */
static unsigned free_pages(uint64_t table, unsigned shift, uint64_t start)
{
	const uint64_t *entries = phys_to_virt(table);
	unsigned count = 1;
	for (uint64_t i = 0; i < 512; i++) {
		uint64_t entry = entries[i], address = start + (i << shift);
		if (!entry || is_common(shift, address))
			continue;
		if (is_table(entry, shift))
			count += free_pages(entry & PTE_ADDRESS, shift - 9, address);
		else if (entry & PTE_OWNED && shift == 21)
			frame_free_blocks(entry & PTE_ADDRESS, 1);
		else if (entry & PTE_OWNED)
			frame_free(entry & PTE_ADDRESS);
	}
	return count;
}

void space_tables_free(uint64_t top)
{
	if (free_pages(top, 39, 0) > HUSK_TABLES_MAX) {
		free_tables(top, 39, 0);
		return;
	}
	if (spaces.husk_count == HUSKS_MAX)
		space_tables_reclaim();
	spaces.husks[spaces.husk_count++] = top;
}
