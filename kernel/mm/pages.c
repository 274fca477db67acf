/* SPDX-License-Identifier: MIT */
/* The pages of ranges: 2 MiB pages where a range covers them entirely, 4 KiB pages elsewhere. An entry that becomes
 * inaccessible keeps the frame that it owns. */
#include "kernel/mm/pages.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"

/* A page table that loses at most this many entries is kept in place when it becomes empty. */
#define IN_PLACE_MAX 4

uint64_t pages_flags(int prot)
{
	if (!prot)
		return 0;
	bool code = (prot & (VM_WRITE | VM_EXEC)) == VM_EXEC;
	return PTE_LEAF | (prot & VM_WRITE ? pagetable_write : 0) | (code ? 0 : PTE_NO_EXECUTE);
}

static bool whole_block(uint64_t address, uint64_t end)
{
	return !(address & (BLOCK_SIZE - 1)) && end - address >= BLOCK_SIZE;
}

static uint64_t step_end(uint64_t address, uint64_t end)
{
	uint64_t next = (address | (BLOCK_SIZE - 1)) + 1;
	return next < end ? next : end;
}

/* Entries with this value in these bits are kept. */
struct kept {
	uint64_t bits, value;
};

/* Clears entries of one leaf table, and frees the pages that are owned. */
static void clear_leaves(uint64_t start, uint64_t end, uint64_t *entry, struct kept kept)
{
	unsigned cleared = 0;
	for (uint64_t page = start; page < end; page += PAGE_SIZE, entry++) {
		if (!*entry || (*entry & kept.bits) == kept.value)
			continue;
		if (*entry & PTE_OWNED)
			frame_free(*entry & PTE_ADDRESS);
		*entry = 0;
		pagetable_invalidate(page);
		cleared++;
	}
	uint64_t *block = pagetable_block_entry(start);
	if (pagetable_leaf_is_empty(*block))
		pagetable_keep_leaf(block, cleared > IN_PLACE_MAX);
}

static void clear_range(uint64_t start, uint64_t end, struct kept kept)
{
	for (uint64_t at = start, next; at < end; at = next) {
		bool large;
		uint64_t *entry = pagetable_entry(at, false, &large);
		next = step_end(at, end);
		if (!entry || (large && (*entry & kept.bits) == kept.value))
			continue;
		if (!large) {
			clear_leaves(at, next, entry, kept);
			continue;
		}
		/* A page of an object can vanish as a whole: its next touch maps it again. */
		if (*entry & PTE_OWNED) {
			assert(whole_block(at, end));
			frame_free_blocks(*entry & PTE_ADDRESS, 1);
		}
		*entry = 0;
		pagetable_invalidate(at);
	}
}

void pages_free(uint64_t start, uint64_t end)
{
	clear_range(start, end, (struct kept){0, 1});
}

void pages_drop(uint64_t start, uint64_t end)
{
	clear_range(start, end, (struct kept){PTE_OWNED, PTE_OWNED});
}

void pages_free_accessible(uint64_t start, uint64_t end)
{
	clear_range(start, end, (struct kept){PTE_PRESENT, 0});
}

int pages_fill(uint64_t start, uint64_t end, int prot)
{
	uint64_t flags = pages_flags(prot) | PTE_OWNED;
	for (uint64_t at = start, next; at < end; at = next) {
		next = step_end(at, end);
		uint64_t *block = pagetable_block_entry(at);
		if (!block)
			return -ENOMEM;
		bool whole = whole_block(at, end);
		if (whole && *block && !(*block & PTE_LARGE) && pagetable_leaf_is_empty(*block))
			pagetable_free_leaf(block);
		if (*block == 0 && whole && pagetable_write == PTE_WRITE) {
			uint64_t memory = frame_alloc_blocks(1);
			if (memory) {
				*block = memory | flags | PTE_LARGE;
				continue;
			}
		}
		for (uint64_t page = at; page < next; page += PAGE_SIZE) {
			bool large;
			uint64_t *entry = pagetable_entry(page, true, &large);
			if (!entry)
				return -ENOMEM;
			if (large)
				break;
			if (*entry)
				continue;
			uint64_t frame = frame_alloc();
			if (!frame)
				return -ENOMEM;
			*entry = pagetable_leaf(frame | flags);
		}
	}
	return 0;
}

int pages_split(uint64_t start, uint64_t end)
{
	int result = 0;
	if (start & (BLOCK_SIZE - 1))
		result = pagetable_split(start);
	if (!result && end & (BLOCK_SIZE - 1))
		result = pagetable_split(end);
	return result;
}

/* The entry of the same page with other rights. */
static uint64_t with_rights(uint64_t entry, int prot)
{
	if (personality.exec_is_settled_late && prot) {
		prot &= entry & PTE_CODE ? ~VM_WRITE : ~0;
		prot = entry & PTE_CODE && !(entry & PTE_WATCHED) ? prot : (prot & ~VM_EXEC) | VM_READ;
	}
	uint64_t flags = pages_flags(prot);
	if (entry & PTE_OWNED)
		return (entry &
		        (PTE_ADDRESS | PTE_OWNED | PTE_LARGE | PTE_CODE | PTE_PATCHED | PTE_MADE | PTE_WATCHED)) |
		       flags;
	if (entry & PTE_CODE) /* of an object: its next execution makes it a copy, if it may be written to by then */
		flags |= prot & VM_EXEC ? PTE_CODE | PTE_PATCHED : 0;
	return flags ? (entry & (PTE_ADDRESS | PTE_LARGE)) | (flags & ~(PTE_WRITE | PTE_GUARDED)) : 0;
}

void pages_protect(uint64_t start, uint64_t end, int prot)
{
	for (uint64_t at = start, next; at < end; at = next) {
		bool large;
		uint64_t *entry = pagetable_entry(at, false, &large);
		next = step_end(at, end);
		if (!entry)
			continue;
		if (large) {
			assert(whole_block(at, end));
			*entry = with_rights(*entry, prot);
			pagetable_invalidate(at);
			continue;
		}
		for (uint64_t page = at; page < next; page += PAGE_SIZE, entry++) {
			if (!*entry)
				continue;
			*entry = pagetable_leaf(with_rights(*entry, prot));
			pagetable_invalidate(page);
		}
	}
}

/* Puts one page's entry elsewhere. */
static int move_page(uint64_t from, uint64_t to)
{
	bool large;
	uint64_t *old = pagetable_entry(from, false, &large);
	if (!old || !*old)
		return 0;
	uint64_t *new = pagetable_entry(to, true, &large);
	if (!new)
		return -ENOMEM;
	*new = *old;
	*old = 0;
	pagetable_invalidate(from);
	return 0;
}

static int move_entries(uint64_t from, uint64_t to, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes;) {
		bool large;
		uint64_t *old = pagetable_entry(from + at, false, &large);
		bool both_blocks = large && whole_block(from + at, from + bytes) && whole_block(to + at, to + bytes);
		uint64_t *new = both_blocks ? pagetable_block_entry(to + at) : NULL;
		if (new && !*new) {
			*new = *old;
			*old = 0;
			pagetable_invalidate(from + at);
			at += BLOCK_SIZE;
			continue;
		}
		if (large && pagetable_split(from + at))
			return -ENOMEM;
		if (move_page(from + at, to + at))
			return -ENOMEM;
		at += PAGE_SIZE;
	}
	return 0;
}

int pages_move(uint64_t from, uint64_t to, uint64_t bytes)
{
	int result = move_entries(from, to, bytes);
	if (result) { /* the moved pages still have their tables, so this cannot fail */
		int back = move_entries(to, from, bytes);
		assert(back == 0);
	}
	uint64_t left = result ? to : from;
	pages_free(left, left + bytes); /* tables that are empty now */
	return result;
}

void pages_clear(uint64_t address, uint64_t bytes)
{
	for (uint64_t at = address, next; at < address + bytes; at = next) {
		bool large;
		uint64_t *entry = pagetable_entry(at, false, &large);
		next = step_end(at, address + bytes);
		for (uint64_t page = at; entry && page < next; page += PAGE_SIZE) {
			uint64_t base = *entry & PTE_ADDRESS;
			if (large)
				base += page & (BLOCK_SIZE - 1);
			if (*entry & PTE_OWNED)
				memset(phys_to_virt(base), 0, PAGE_SIZE);
			if (!large)
				entry++;
		}
	}
}
