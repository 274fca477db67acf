/* SPDX-License-Identifier: MIT */
/* This process's memory follows the guest's page tables as a processor's translation cache does: a fault maps what the
 * tables show, and INVLPG or a load of CR3 unmaps what they no longer show. A record of each 2 MiB block keeps what is
 * mapped. */
#include "engine/process/stub/mapped.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "abi/tables.h"
#include "engine/process/stub/contents.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/system.h"
#include "engine/process/stub/tables.h"

#define FAULT_WRITE 2UL
#define FAULT_FETCH 16UL

/* Mappings up to this size get their pages in the call that makes them. Otherwise the host would take a second fault
 * for the page that the guest touches now. The limit keeps it from visiting pages of large files that are never
 * touched. A program writes to most of the memory that it has: OpenJDK relocates its archive of classes page by page,
 * in copies that the kernel makes 2 MiB at a time. */
#define POPULATE_BYTES (16 * PAGE_SIZE)
#define POPULATE_WRITABLE_BYTES (511 * PAGE_SIZE)

static void unmap(uint64_t address, uint64_t bytes)
{
	if (address + bytes > STUB_USER_END)
		bytes = STUB_USER_END - address;
	stub_call3(SYS_munmap, address, bytes, 0);
}

/* Finds the region that contains a guest-physical address. */
static bool find_region(uint64_t physical, struct plan_region *found)
{
	for (unsigned i = 0; i < PLAN->region_count; i++) {
		const struct plan_region *region = &PLAN->regions[i];
		if (physical >= region->address && physical - region->address < region->bytes) {
			*found = *region;
			return true;
		}
	}
	return contents_find(physical, found);
}

/* Maps `bytes` bytes of guest-physical memory from the entry's page on, or fewer if the region ends before. `flags` are
 * more flags of mmap(2). */
static enum mapped_result map(uint64_t address, uint64_t entry, uint64_t bytes, long flags)
{
	uint64_t physical = entry & PTE_ADDRESS;
	int prot = PROT_READ | (entry & PTE_WRITE ? PROT_WRITE : 0) | (entry & PTE_NO_EXECUTE ? 0 : PROT_EXEC);
	struct plan_region region;
	if (!find_region(physical, &region))
		return MAPPED_NOTHING;
	uint64_t offset = physical - region.address;
	if (address + bytes > STUB_USER_END)
		bytes = STUB_USER_END - address;
	if (bytes > region.bytes - offset)
		bytes = region.bytes - offset;
	if (!region.writable)
		prot &= ~PROT_WRITE;
	flags |= MAP_SHARED | MAP_FIXED;
	if (bytes <= (prot & PROT_WRITE ? POPULATE_WRITABLE_BYTES : POPULATE_BYTES))
		flags |= MAP_POPULATE;
	long got = stub_call(SYS_mmap, (long)address, (long)bytes, prot, flags, region.file,
	                     (long)(region.offset + offset));
	return got == (long)address ? MAPPED : MAPPED_REFUSED;
}

/* Changes the rights of a mapped page: of the same memory, which became code or data. That costs half of a new mapping.
 * (The filter lets this process give the right to write only where that is no danger.) */
static bool change_rights(uint64_t page, uint64_t was, uint64_t entry)
{
	const int prot = PROT_READ | (entry & PTE_WRITE ? PROT_WRITE : 0) | (entry & PTE_NO_EXECUTE ? 0 : PROT_EXEC);
	return !((was ^ entry) & PTE_ADDRESS) && (!(prot & PROT_WRITE) || PLAN->others_are_read_only) &&
	       !stub_call3(SYS_mprotect, page, PAGE_SIZE, prot);
}

static struct mapped_block *find(uint64_t address, bool make)
{
	uint64_t number = address >> 21;
	unsigned at = (unsigned)(number * 0x9e3779b97f4a7c15UL >> 49);
	_Static_assert(STUB_HASH == 1 << 15, "as many bits as are left of the product");
	for (; DATA->hash[at]; at = (at + 1) % STUB_HASH) {
		struct mapped_block *block = &DATA->blocks[DATA->hash[at] - 1];
		if (block->number == number)
			return block;
	}
	if (!make || DATA->block_count == STUB_BLOCKS)
		return NULL;
	struct mapped_block *block = &DATA->blocks[DATA->block_count];
	DATA->hash[at] = ++DATA->block_count;
	block->number = number;
	return block;
}

static void forget_block(struct mapped_block *block)
{
	unmap(block->number << 21, BLOCK_SIZE);
	block->large = 0;
	if (block->count)
		stub_clear(block->pages + block->first, (block->after - block->first) * sizeof(uint64_t));
	block->count = 0;
}

/* Prepares a block for entries of single pages; it has none yet. */
static void begin_pages(struct mapped_block *block)
{
	if (!block->pages) {
		if (!DATA->pages_next)
			DATA->pages_next = STUB_PAGES;
		block->pages = (uint64_t *)DATA->pages_next;
		DATA->pages_next += PAGE_SIZE;
	}
	block->count = 0;
	block->first = 512;
	block->after = 0;
}

/* Records a large mapping as 512 single pages, because the guest has split it. */
static void split(struct mapped_block *block)
{
	begin_pages(block);
	for (unsigned i = 0; i < 512; i++)
		block->pages[i] = block->large + i * PAGE_SIZE;
	block->large = 0;
	block->count = 512;
	block->first = 0;
	block->after = 512;
}

/* Unmaps the pages whose entries in the tables have changed. Neighbours are unmapped by one call. */
static void forget_changed_pages(struct mapped_block *block, uint64_t block_entry)
{
	const uint64_t address = block->number << 21;
	const unsigned after = block->after;
	unsigned at = block->first;
	while ((at = tables_find_changed(block_entry, block->pages, at, after)) < after) {
		const unsigned first = at;
		for (; at < after && block->pages[at] && block->pages[at] != tables_entry_in(block_entry, at); at++) {
			block->pages[at] = 0;
			block->count--;
		}
		unmap(address + first * PAGE_SIZE, (at - first) * PAGE_SIZE);
	}
	if (!block->count) {
		block->first = 512;
		block->after = 0;
	}
}

static void forget_changed_in(struct mapped_block *block)
{
	uint64_t entry = tables_block_entry(block->number << 21);
	if (block->large) {
		if ((entry & PTE_LARGE) && tables_entry_in(entry, 0) == block->large)
			return;
		if (entry && !(entry & PTE_LARGE))
			split(block);
	}
	if (block->large || !entry)
		forget_block(block);
	else
		forget_changed_pages(block, entry);
}

void mapped_forget_changed(void)
{
	for (unsigned i = 0; i < DATA->block_count; i++)
		if (DATA->blocks[i].large || DATA->blocks[i].count)
			forget_changed_in(&DATA->blocks[i]);
}

/* A page whose entry is another one now is mapped at once: the guest's kernel invalidates it while it handles a fault,
 * so that the program will use it, and would cause a second one here. */
void mapped_forget_page(uint64_t address)
{
	struct mapped_block *block = find(address, false);
	unsigned i = address >> 12 & 511;
	if (!block || !(block->large || block->count))
		return;
	if (block->large) {
		forget_changed_in(block);
		return;
	}
	const uint64_t page = address & ~(PAGE_SIZE - 1), entry = tables_entry(page);
	if (!block->pages[i] || block->pages[i] == entry)
		return;
	if (entry &&
	    (change_rights(page, block->pages[i], entry) || map(page, entry, PAGE_SIZE, MAP_POPULATE) == MAPPED)) {
		block->pages[i] = entry;
		return;
	}
	block->pages[i] = 0;
	block->count--;
	unmap(page, PAGE_SIZE);
}

/* Maps a page, together with those neighbours that are contiguous with it in guest-physical memory, too. */
static enum mapped_result map_pages(struct mapped_block *block, uint64_t block_entry, unsigned index, uint64_t entry)
{
	unsigned first = index, after = index + 1;
	if (!block->count)
		begin_pages(block);
	while (first && !block->pages[first - 1] &&
	       tables_entry_in(block_entry, first - 1) == entry - (index - first + 1) * PAGE_SIZE)
		first--;
	while (after < 512 && !block->pages[after] &&
	       tables_entry_in(block_entry, after) == entry + (after - index) * PAGE_SIZE)
		after++;
	enum mapped_result result = map((block->number << 21) + first * PAGE_SIZE, entry - (index - first) * PAGE_SIZE,
	                                (after - first) * PAGE_SIZE, 0);
	if (result != MAPPED)
		return result;
	for (unsigned i = first; i < after; i++)
		block->pages[i] = entry + i * PAGE_SIZE - index * PAGE_SIZE;
	block->count += after - first;
	if (first < block->first)
		block->first = first;
	if (after > block->after)
		block->after = after;
	return MAPPED;
}

static enum mapped_result fault_once(uint64_t address, uint64_t error)
{
	if (address >= 1UL << 47 || (address >= LAYOUT_ENGINE && address < LAYOUT_ENGINE_END))
		return MAPPED_NOT;
	uint64_t block_entry = tables_block_entry(address);
	unsigned index = address >> 12 & 511;
	uint64_t entry = tables_entry_in(block_entry, index);
	if (!entry || ((error & FAULT_WRITE) && !(entry & PTE_WRITE)) ||
	    ((error & FAULT_FETCH) && (entry & PTE_NO_EXECUTE)))
		return MAPPED_NOT;
	struct plan_region region;
	if (!find_region(entry & PTE_ADDRESS, &region))
		return MAPPED_NOTHING;
	struct mapped_block *block = find(address, true);
	if (!block)
		return MAPPED_REFUSED;
	if (block->large || block->count)
		forget_changed_in(block); /* rights may have grown */
	if (!(block_entry & PTE_LARGE))
		return map_pages(block, block_entry, index, entry);
	if (block->count)
		forget_block(block);
	enum mapped_result result = map(block->number << 21, tables_entry_in(block_entry, 0), BLOCK_SIZE, 0);
	if (result == MAPPED)
		block->large = tables_entry_in(block_entry, 0);
	return result;
}

static void forget_all(void)
{
	for (unsigned i = 0; i < DATA->block_count; i++)
		if (DATA->blocks[i].large || DATA->blocks[i].count)
			forget_block(&DATA->blocks[i]);
	stub_clear(DATA->hash, sizeof(DATA->hash));
	stub_clear(DATA->blocks, DATA->block_count * sizeof(DATA->blocks[0]));
	DATA->block_count = 0;
	DATA->pages_next = 0;
}

static bool is_mapped(uint64_t address, uint64_t entry)
{
	const struct mapped_block *block = find(address, false);
	const unsigned i = address >> 12 & 511;
	return block &&
	       (block->large ? block->large + i * PAGE_SIZE == entry : block->count && block->pages[i] == entry);
}

void mapped_show_page(uint64_t address)
{
	const uint64_t entry = tables_entry(address & ~(PAGE_SIZE - 1));
	if (entry && !is_mapped(address, entry))
		mapped_fault(address, 0);
}

/* When vm.max_map_count or STUB_BLOCKS is reached, unmaps everything; faults bring pages back. */
enum mapped_result mapped_fault(uint64_t address, uint64_t error)
{
	enum mapped_result result = fault_once(address, error);
	if (result != MAPPED_REFUSED)
		return result;
	forget_all();
	return fault_once(address, error);
}
