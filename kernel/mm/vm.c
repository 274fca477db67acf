/* SPDX-License-Identifier: MIT */
/* The address space: a sorted array of mappings, and the page-table edits that follow from it.
 *
 * Whole 2 MiB pages are mapped as such, the rest by 4 KiB pages; PROT_NONE is bookkeeping until it is lifted,
 * and an entry that becomes inaccessible keeps its frame. */
#include "kernel/mm/vm.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"

struct mapping {
	uint64_t start, end;
	int prot;
	bool borrowed; /* the frames belong to somebody else */
};

static struct {
	struct mapping *list; /* sorted, disjoint */
	size_t count, room;
} vm;

void vm_init(void)
{
	vm.room = 32;
	vm.list = kmalloc(vm.room * sizeof(*vm.list));
	assert(vm.list != NULL);
}

/* Index of the first mapping that ends after the address. */
static size_t find(uint64_t address)
{
	size_t low = 0, high = vm.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (vm.list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes sure that `more` entries can be inserted without failing. */
static int reserve(size_t more)
{
	if (vm.count + more > VM_MAPPINGS_MAX)
		return -ENOMEM;
	if (vm.count + more <= vm.room)
		return 0;
	struct mapping *list = krealloc(vm.list, 2 * vm.room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	vm.list = list;
	vm.room *= 2;
	return 0;
}

static void insert_at(size_t index, struct mapping mapping)
{
	assert(vm.count < vm.room);
	memmove(&vm.list[index + 1], &vm.list[index], (vm.count - index) * sizeof(mapping));
	vm.list[index] = mapping;
	vm.count++;
}

static void remove_range(size_t from, size_t to)
{
	memmove(&vm.list[from], &vm.list[to], (vm.count - to) * sizeof(vm.list[0]));
	vm.count -= to - from;
}

/* Cuts the mapping around the address in two. Needs one reserved entry. */
static void cut(uint64_t address)
{
	size_t i = find(address);
	if (i == vm.count || vm.list[i].start >= address)
		return;
	struct mapping tail = vm.list[i];
	tail.start = address;
	vm.list[i].end = address;
	insert_at(i + 1, tail);
}

/* Joins neighbours that differ in nothing, around [from, to] in the list. */
static void join(size_t from, size_t to)
{
	for (size_t i = to; i > from; i--) {
		struct mapping *a = &vm.list[i - 1], *b = &vm.list[i];
		if (i >= vm.count || a->end != b->start || a->prot != b->prot || a->borrowed != b->borrowed)
			continue;
		a->end = b->end;
		remove_range(i, i + 1);
	}
}

static uint64_t leaf_flags(int prot)
{
	if (!prot)
		return 0;
	return PTE_LEAF | (prot & VM_WRITE ? PTE_WRITE : 0) | (prot & VM_EXEC ? 0 : PTE_NO_EXECUTE);
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

static bool table_is_empty(uint64_t block_entry)
{
	const uint64_t *leaves = phys_to_virt(block_entry & PTE_ADDRESS);
	for (unsigned i = 0; i < 512; i++)
		if (leaves[i])
			return false;
	return true;
}

/* Frees the pages of a range and clears their entries. */
static void depopulate(uint64_t start, uint64_t end)
{
	for (uint64_t at = start, next; at < end; at = next) {
		bool large;
		uint64_t *entry = pagetable_entry(at, false, &large);
		next = step_end(at, end);
		if (!entry)
			continue;
		if (large) {
			assert(whole_block(at, end));
			if (*entry & PTE_OWNED)
				frame_free_blocks(*entry & PTE_ADDRESS, 1);
			*entry = 0;
			pagetable_invalidate(at);
			continue;
		}
		for (uint64_t page = at; page < next; page += PAGE_SIZE, entry++) {
			if (!*entry)
				continue;
			if (*entry & PTE_OWNED)
				frame_free(*entry & PTE_ADDRESS);
			*entry = 0;
			pagetable_invalidate(page);
		}
		uint64_t *block = pagetable_block_entry(at);
		if (table_is_empty(*block))
			pagetable_free_leaf(block);
	}
}

/* Gives a range its own zeroed pages where it has none. On failure what was added stays for the caller to free. */
static int populate(uint64_t start, uint64_t end, int prot)
{
	uint64_t flags = leaf_flags(prot) | PTE_OWNED;
	for (uint64_t at = start, next; at < end; at = next) {
		next = step_end(at, end);
		uint64_t *block = pagetable_block_entry(at);
		if (!block)
			return -ENOMEM;
		if (*block == 0 && whole_block(at, end)) {
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
			*entry = frame | flags;
		}
	}
	return 0;
}

static void add(uint64_t start, uint64_t end, int prot, bool borrowed)
{
	size_t i = find(start);
	insert_at(i, (struct mapping){start, end, prot, borrowed});
	join(i ? i - 1 : 0, i + 1 < vm.count ? i + 1 : i);
}

int vm_map(uint64_t address, uint64_t bytes, int prot)
{
	assert(vm_is_free(address, bytes));
	/* A quick no, so that a request far beyond memory does not fill it first. */
	if (prot && bytes > frame_free_bytes())
		return -ENOMEM;
	if (reserve(1))
		return -ENOMEM;
	if (prot && populate(address, address + bytes, prot)) {
		depopulate(address, address + bytes);
		pagetable_flush();
		return -ENOMEM;
	}
	add(address, address + bytes, prot, false);
	return 0;
}

int vm_map_frames(uint64_t address, const uint64_t *frames, size_t count, int prot)
{
	assert(vm_is_free(address, count * PAGE_SIZE));
	if (reserve(1))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		bool large;
		uint64_t *entry = pagetable_entry(address + i * PAGE_SIZE, true, &large);
		if (!entry) {
			depopulate(address, address + i * PAGE_SIZE);
			pagetable_flush();
			return -ENOMEM;
		}
		assert(!large);
		*entry = frames[i] | leaf_flags(prot);
	}
	add(address, address + count * PAGE_SIZE, prot, true);
	return 0;
}

/* Splits the 2 MiB pages that a range's ends fall into. */
static int split_ends(uint64_t start, uint64_t end)
{
	int result = 0;
	if (start & (BLOCK_SIZE - 1))
		result = pagetable_split(start);
	if (!result && end & (BLOCK_SIZE - 1))
		result = pagetable_split(end);
	return result;
}

int vm_unmap(uint64_t address, uint64_t bytes)
{
	uint64_t end = address + bytes;
	size_t first = find(address);
	if (first == vm.count || vm.list[first].start >= end)
		return 0;
	if (reserve(2) || split_ends(address, end))
		return -ENOMEM;
	cut(address);
	cut(end);
	first = find(address);
	size_t last = first;
	for (; last < vm.count && vm.list[last].start < end; last++)
		depopulate(vm.list[last].start, vm.list[last].end);
	remove_range(first, last);
	pagetable_flush();
	return 0;
}

/* Gives the present pages of a range new rights. */
static void change_rights(uint64_t start, uint64_t end, int prot)
{
	uint64_t keep = PTE_ADDRESS | PTE_OWNED | PTE_LARGE;
	for (uint64_t at = start, next; at < end; at = next) {
		bool large;
		uint64_t *entry = pagetable_entry(at, false, &large);
		next = step_end(at, end);
		if (!entry)
			continue;
		if (large) {
			assert(whole_block(at, end));
			*entry = (*entry & keep) | leaf_flags(prot);
			pagetable_invalidate(at);
			continue;
		}
		for (uint64_t page = at; page < next; page += PAGE_SIZE, entry++) {
			if (!*entry)
				continue;
			*entry = (*entry & (keep & ~PTE_LARGE)) | leaf_flags(prot);
			pagetable_invalidate(page);
		}
	}
}

/* Where the mappings that begin at the address, without a hole between them, end; the address if it lies in a hole. */
static uint64_t mapped_end(uint64_t address, uint64_t limit)
{
	uint64_t at = address;
	for (size_t i = find(address); i < vm.count && vm.list[i].start <= at && at < limit; i++)
		at = vm.list[i].end;
	return at < limit ? at : limit;
}

int vm_protect(uint64_t address, uint64_t bytes, int prot)
{
	uint64_t wanted = address + bytes, end = mapped_end(address, wanted);
	if (end == address)
		return -ENOMEM;
	if (reserve(2) || split_ends(address, end))
		return -ENOMEM;
	cut(address);
	cut(end);
	size_t first = find(address), last = first;
	for (; last < vm.count && vm.list[last].start < end; last++) {
		struct mapping *mapping = &vm.list[last];
		if (prot && !mapping->borrowed && populate(mapping->start, mapping->end, prot)) {
			pagetable_flush();
			return -ENOMEM;
		}
		change_rights(mapping->start, mapping->end, prot);
		mapping->prot = prot;
	}
	join(first ? first - 1 : 0, last);
	pagetable_flush();
	return end == wanted ? 0 : -ENOMEM; /* as on Linux, what lies before a hole is changed */
}

uint64_t vm_find_gap(uint64_t bytes, uint64_t low, uint64_t high)
{
	uint64_t align = bytes >= BLOCK_SIZE ? BLOCK_SIZE : PAGE_SIZE;
	uint64_t at = low;
	for (size_t i = find(low); i < vm.count && vm.list[i].start < high; i++) {
		if (vm.list[i].start >= at && vm.list[i].start - at >= bytes)
			break;
		at = (vm.list[i].end + align - 1) & ~(align - 1);
	}
	return at < high && high - at >= bytes ? at : 0;
}

bool vm_is_free(uint64_t address, uint64_t bytes)
{
	size_t i = find(address);
	return i == vm.count || vm.list[i].start >= address + bytes;
}

int vm_protection(uint64_t address)
{
	size_t i = find(address);
	return i < vm.count && vm.list[i].start <= address ? vm.list[i].prot : 0;
}

bool vm_is_mapped(uint64_t address, uint64_t bytes)
{
	return mapped_end(address, address + bytes) == address + bytes;
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

static int move_pages(uint64_t from, uint64_t to, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes;) {
		bool large;
		uint64_t *old = pagetable_entry(from + at, false, &large);
		bool both_blocks = large && whole_block(from + at, from + bytes) && whole_block(to + at, to + bytes);
		uint64_t *new = both_blocks ? pagetable_block_entry(to + at) : NULL;
		if (new &&*new == 0) {
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

int vm_move(uint64_t from, uint64_t to, uint64_t bytes)
{
	assert(vm_is_mapped(from, bytes));
	assert(vm_is_free(to, bytes));
	size_t spans = 0;
	for (size_t i = find(from); i < vm.count && vm.list[i].start < from + bytes; i++)
		spans++;
	if (reserve(spans + 2) || split_ends(from, from + bytes))
		return -ENOMEM;
	int result = move_pages(from, to, bytes);
	if (result) { /* put back what was moved: its tables exist, so this cannot fail */
		int back = move_pages(to, from, bytes);
		assert(back == 0);
		pagetable_flush();
		return result;
	}
	cut(from);
	cut(from + bytes);
	size_t first = find(from);
	struct mapping mapping;
	for (size_t i = 0; i < spans; i++) {
		mapping = vm.list[first];
		remove_range(first, first + 1);
		add(mapping.start - from + to, mapping.end - from + to, mapping.prot, mapping.borrowed);
		first = find(from);
	}
	pagetable_flush();
	return 0;
}

void vm_clear(uint64_t address, uint64_t bytes)
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
