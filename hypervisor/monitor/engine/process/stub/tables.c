/* SPDX-License-Identifier: MIT */
/* Reads the guest's page tables (SDM volume 3A, 4.5) in the window that maps all of its RAM. A table address outside
 * RAM reads as zero, which is an entry that is not present. */
#include "engine/process/stub/tables.h"

#include "abi/tables.h"
#include "engine/process/stub/data.h"

/* The bits of an entry that the stub uses. */
#define ENTRY_MASK (PTE_ADDRESS | PTE_PRESENT | PTE_WRITE | PTE_NO_EXECUTE)

static uint64_t read_entry(uint64_t physical)
{
	if (physical >= PLAN->ram_bytes) /* both are multiples of a page */
		return 0;
	return *(volatile uint64_t *)(LAYOUT_ENGINE_WINDOW + physical);
}

static uint64_t read_present(uint64_t table, unsigned index)
{
	uint64_t entry = read_entry((table & PTE_ADDRESS) + 8UL * index);
	return entry & PTE_PRESENT ? entry : 0;
}

/* Returns the entry that maps 2 MiB or names a table of pages; 0: not present. */
uint64_t tables_block_entry(uint64_t address)
{
	uint64_t entry = read_present(DATA->cr3, address >> 39 & 511);
	if (entry)
		entry = read_present(entry, address >> 30 & 511);
	return entry ? read_present(entry, address >> 21 & 511) : 0;
}

/* Returns the entry of a page, computed from the large page if there is one; 0: not present. */
uint64_t tables_entry_in(uint64_t block_entry, unsigned index)
{
	if (!block_entry)
		return 0;
	if (block_entry & PTE_LARGE)
		return (block_entry & ENTRY_MASK & ~(BLOCK_SIZE - PAGE_SIZE)) + index * PAGE_SIZE;
	return read_present(block_entry, index) & ENTRY_MASK;
}

/* Reads the table without a check and a call for each entry: ld.so has the kernel load CR3 some seventy times, and each
 * time all that is mapped is compared. */
unsigned tables_find_changed(uint64_t block_entry, const uint64_t *known, unsigned from, unsigned to)
{
	const uint64_t physical = block_entry & PTE_ADDRESS;
	const volatile uint64_t *table = (const volatile uint64_t *)(LAYOUT_ENGINE_WINDOW + physical);
	unsigned i = from;
	if (!block_entry || (block_entry & PTE_LARGE) || physical >= PLAN->ram_bytes) {
		while (i < to && (!known[i] || known[i] == tables_entry_in(block_entry, i)))
			i++;
		return i;
	}
	while (i < to && (!known[i] || known[i] == (table[i] & ENTRY_MASK))) /* a known entry is a present one */
		i++;
	return i;
}

uint64_t tables_entry(uint64_t address)
{
	return tables_entry_in(tables_block_entry(address), address >> 12 & 511);
}

/* Returns a pointer into the window for the RAM at a virtual address, valid up to the end of its page; NULL: no RAM. */
void *tables_memory(uint64_t address)
{
	uint64_t entry = tables_entry(address), physical = entry & PTE_ADDRESS;
	if (!entry || physical >= PLAN->ram_bytes)
		return NULL;
	return (void *)(LAYOUT_ENGINE_WINDOW + physical + (address & (PAGE_SIZE - 1)));
}
