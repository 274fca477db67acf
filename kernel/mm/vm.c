/* SPDX-License-Identifier: MIT */
/* The address space: the list of mappings, and the page-table edits that follow from it. PROT_NONE exists only in the
 * list until it is lifted. Steps that may fail come first, so that a failure changes nothing. */
#include "kernel/mm/vm.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/personality.h"
#include "kernel/mm/space.h"

bool vm_was_shared;

extern const char __image_start[], __image_end[]; /* image.ld */

void vm_init(void)
{
	mappings_init();
}

static bool overlaps(uint64_t address, uint64_t bytes, uint64_t low, uint64_t high)
{
	return address < high && address + bytes > low;
}

bool vm_is_allowed(uint64_t address, uint64_t bytes)
{
	return vm_is_reservable(address, bytes) && !overlaps(address, bytes, LAYOUT_ENGINE, LAYOUT_ENGINE_END);
}

bool vm_is_reservable(uint64_t address, uint64_t bytes)
{
	return address >= VM_ADDRESS_MIN && address < VM_ADDRESS_END && bytes <= VM_ADDRESS_END - address &&
	       !overlaps(address, bytes, (uint64_t)__image_start, (uint64_t)__image_end) &&
	       !overlaps(address, bytes, LAYOUT_DIRECT_MAP, LAYOUT_DIRECT_MAP + LAYOUT_DIRECT_MAP_SIZE);
}

int vm_map(uint64_t address, uint64_t bytes, int prot)
{
	assert(vm_is_free(address, bytes));
	/* Refuses early, so that a request far beyond memory does not fill it first. */
	if (prot && bytes > (personality.memory_is_lazy ? frame_total_bytes() : frame_free_bytes()))
		return -ENOMEM;
	if (mappings_reserve(1))
		return -ENOMEM;
	if (prot && !personality.memory_is_lazy && pages_fill(address, address + bytes, prot)) {
		pages_free(address, address + bytes);
		pagetable_flush();
		return -ENOMEM;
	}
	mappings_add((struct mapping){.start = address, .end = address + bytes, .prot = prot});
	return 0;
}

int vm_map_object_plain(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing)
{
	assert(vm_is_free(address, bytes));
	if (mappings_reserve(1))
		return -ENOMEM;
	vm_was_shared |= backing->shared;
	mappings_add((struct mapping){.start = address, .end = address + bytes, .prot = prot, .backing = *backing});
	return 0;
}

int vm_map_object(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing)
{
	return personality.vm_map_object(address, bytes, prot, backing);
}

/* Whether an address is inside a mapping, which must then be cut in two there. */
static bool is_within(uint64_t address)
{
	const struct mapping *mapping = mappings_at(address);
	return mapping && mapping->start < address;
}

int vm_unmap_plain(uint64_t address, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t end = address + bytes;
	if (vm_is_free(address, bytes))
		return 0;
	/* As on Linux, the limit matters only to a hole inside one mapping: otherwise the number does not grow. */
	size_t cuts = (size_t)is_within(address) + is_within(end);
	if (mappings_reserve_net(cuts, cuts == 2 && mappings_find(address) == mappings_find(end)) ||
	    pages_split(address, end))
		return -ENOMEM;
	mappings_cut(address);
	mappings_cut(end);
	size_t first = mappings_find(address), last = first;
	for (; last < all->count && all->list[last].start < end; last++)
		pages_free(all->list[last].start, all->list[last].end);
	pagetable_flush();
	mappings_remove(first, last);
	return 0;
}

int vm_unmap(uint64_t address, uint64_t bytes)
{
	return personality.vm_unmap(address, bytes);
}

/* The end of the mappings that start at the address and follow each other without a hole; the address itself in a
 * hole. */
static uint64_t mapped_end(uint64_t address, uint64_t limit)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t at = address;
	for (size_t i = mappings_find(address); i < all->count && all->list[i].start <= at && at < limit; i++)
		at = all->list[i].end;
	return at < limit ? at : limit;
}

/* Changes one mapping. */
static int protect(struct mapping *mapping, int prot)
{
	const struct vm_backing *backing = &mapping->backing;
	int before = mapping->prot;
	/* A file that can be written without the mapping must not be code: exec.h. */
	if (backing->ops && backing->shared && ((prot & VM_EXEC) || (prot & VM_WRITE && !backing->may_write)))
		return -EACCES;
	if (backing->ops && prot & VM_EXEC) {
		mapping->prot = prot; /* new copies are code; existing ones may have been changed */
		if (personality.exec_detach(mapping->start, mapping->end - mapping->start)) {
			mapping->prot = before;
			pages_protect(mapping->start, mapping->end, before);
			return -ENOMEM;
		}
	}
	bool is_filled = prot && !backing->ops && !personality.memory_is_lazy;
	/* As in vm_map. Memory that was filled and freed is cleared again at its next use. */
	if (is_filled && mapping->end - mapping->start > frame_total_bytes())
		return -ENOMEM;
	if (is_filled && pages_fill(mapping->start, mapping->end, prot)) {
		/* Only a mapping without rights lacks pages, so the accessible pages are the added ones. */
		assert(!before);
		pages_free_accessible(mapping->start, mapping->end);
		return -ENOMEM;
	}
	pages_protect(mapping->start, mapping->end, prot);
	mapping->prot = prot;
	return 0;
}

int vm_protect_plain(uint64_t address, uint64_t bytes, int prot)
{
	struct mappings *all = &space_current->mappings;
	uint64_t wanted = address + bytes, end = mapped_end(address, wanted);
	if (end == address)
		return -ENOMEM;
	/* A part that already has these rights is joined with the rest again. */
	size_t low = is_within(address), high = is_within(end);
	long growth = (long)(low && vm_protection(address) != prot) + (high && vm_protection(end) != prot);
	if (mappings_reserve_net(low + high, growth) || pages_split(address, end)) {
		pagetable_flush();
		return -ENOMEM;
	}
	mappings_cut(address);
	mappings_cut(end);
	int result = 0;
	size_t first = mappings_find(address), last = first;
	for (; !result && last < all->count && all->list[last].start < end; last++)
		result = protect(&all->list[last], prot);
	mappings_join(first ? first - 1 : 0, last);
	pagetable_flush();
	return result || end == wanted ? result : -ENOMEM;
}

int vm_protect(uint64_t address, uint64_t bytes, int prot)
{
	return personality.vm_protect(address, bytes, prot);
}

unsigned vm_hints(uint64_t address)
{
	const struct mapping *mapping = mappings_at(address);
	return mapping ? mapping->hints : 0;
}

int vm_set_hints(uint64_t address, uint64_t bytes, unsigned set, unsigned clear)
{
	struct mappings *all = &space_current->mappings;
	if (mappings_reserve(2) || pages_split(address, address + bytes)) {
		pagetable_flush();
		return -ENOMEM;
	}
	mappings_cut(address);
	mappings_cut(address + bytes);
	size_t first = mappings_find(address), last = first;
	for (; last < all->count && all->list[last].start < address + bytes; last++)
		all->list[last].hints = (all->list[last].hints | set) & ~clear;
	mappings_join(first ? first - 1 : 0, last);
	pagetable_flush();
	return 0;
}

/* Where the range ends that is free for other mappings below this one. */
static uint64_t guarded_start(const struct mapping *mapping)
{
	if (!(mapping->hints & VM_GROWS_DOWN))
		return mapping->start;
	return mapping->start > VM_GROW_GUARD ? mapping->start - VM_GROW_GUARD : 0;
}

int vm_grow_down(uint64_t start)
{
	struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(start);
	assert(i < all->count);
	struct mapping *mapping = &all->list[i];
	assert(mapping->start > start);
	assert(mapping->hints & VM_GROWS_DOWN);
	if (!personality.memory_is_lazy && mapping->prot && pages_fill(start, mapping->start, mapping->prot)) {
		pages_free(start, mapping->start);
		pagetable_flush();
		return -ENOMEM;
	}
	mapping->start = start;
	mappings_join(i ? i - 1 : 0, i);
	return 0;
}

bool vm_is_placeable(uint64_t address, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(address);
	return i == all->count || guarded_start(&all->list[i]) >= address + bytes;
}

uint64_t vm_find_gap(uint64_t bytes, uint64_t low, uint64_t high)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t align = bytes >= BLOCK_SIZE ? BLOCK_SIZE : PAGE_SIZE;
	uint64_t at = low;
	for (size_t i = mappings_find(low); i < all->count && all->list[i].start < high; i++) {
		uint64_t end = guarded_start(&all->list[i]);
		if (end >= at && end - at >= bytes)
			break;
		at = (all->list[i].end + align - 1) & ~(align - 1);
	}
	return at < high && high - at >= bytes ? at : 0;
}

/* The highest place for `bytes` bytes in the unmapped range [start, end) that programs may use; 0: none. */
static uint64_t highest(uint64_t start, uint64_t end, uint64_t bytes)
{
	if (end < start || end - start < bytes)
		return 0;
	uint64_t at = bytes >= BLOCK_SIZE ? (end - bytes) & ~(BLOCK_SIZE - 1) : end - bytes;
	if (at >= start && vm_is_allowed(at, bytes))
		return at;
	/* The image, the direct map or the engine is in the way. */
	if (at < start)
		return 0;
	if (overlaps(at, bytes, LAYOUT_DIRECT_MAP, LAYOUT_DIRECT_MAP + LAYOUT_DIRECT_MAP_SIZE))
		return highest(start, LAYOUT_DIRECT_MAP, bytes);
	if (overlaps(at, bytes, LAYOUT_ENGINE, LAYOUT_ENGINE_END))
		return highest(start, LAYOUT_ENGINE, bytes);
	return highest(start, (uint64_t)__image_start, bytes);
}

uint64_t vm_find_gap_below(uint64_t bytes, uint64_t low, uint64_t high)
{
	const struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(high);
	/* A mapping that has grown in place may cross the bound. */
	uint64_t end = i < all->count && guarded_start(&all->list[i]) < high ? guarded_start(&all->list[i]) : high;
	while (i-- > 0 && end > low) {
		uint64_t start = all->list[i].end > low ? all->list[i].end : low;
		uint64_t found = highest(start, end, bytes);
		if (found)
			return found;
		end = guarded_start(&all->list[i]);
	}
	return end > low ? highest(low, end, bytes) : 0;
}

bool vm_is_free(uint64_t address, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(address);
	return i == all->count || all->list[i].start >= address + bytes;
}

int vm_protection(uint64_t address)
{
	const struct mapping *mapping = mappings_at(address);
	return mapping ? mapping->prot : 0;
}

__attribute__((cold)) uint64_t vm_reach(uint64_t address, uint64_t bytes, int rights)
{
	uint64_t at = address;
	if (!mappings_at(address))
		personality.memory_grow(address);
	while (at - address < bytes && (vm_protection(at) & rights) == rights)
		at = (at / PAGE_SIZE + 1) * PAGE_SIZE;
	return at - address < bytes ? at - address : bytes;
}

const struct vm_backing *vm_backing_at(uint64_t address, struct vm_backing *backing)
{
	const struct mapping *mapping = mappings_at(address);
	if (!mapping)
		return NULL;
	*backing = mapping->backing;
	backing->page += (address - mapping->start) / PAGE_SIZE;
	return backing;
}

bool vm_is_mapped(uint64_t address, uint64_t bytes)
{
	return mapped_end(address, address + bytes) == address + bytes;
}

uint64_t vm_mapping_end(uint64_t address)
{
	const struct mapping *mapping = mappings_at(address);
	return mapping ? mapping->end : address;
}

uint64_t vm_next_mapping(uint64_t address, uint64_t limit)
{
	const struct mappings *all = &space_current->mappings;
	size_t i = mappings_find(address);
	return i < all->count && all->list[i].start < limit ? all->list[i].start : limit;
}

uint64_t vm_mapped_bytes(uint64_t low, uint64_t high, uint64_t *writable)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t bytes = 0, private = 0;
	for (size_t i = mappings_find(low); i < all->count && all->list[i].start < high; i++) {
		const struct mapping *mapping = &all->list[i];
		uint64_t start = mapping->start > low ? mapping->start : low;
		uint64_t end = mapping->end < high ? mapping->end : high;
		bytes += end - start;
		private += mapping->prot & VM_WRITE && !mapping->backing.shared && !(mapping->hints & VM_GROWS_DOWN)
		                   ? end - start
		                   : 0;
	}
	if (writable)
		*writable = private;
	return bytes;
}

int vm_move(uint64_t from, uint64_t to, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	assert(vm_is_mapped(from, bytes));
	assert(vm_is_free(to, bytes));
	size_t spans = 0;
	for (size_t i = mappings_find(from); i < all->count && all->list[i].start < from + bytes; i++)
		spans++;
	if (mappings_reserve(spans + 2) || pages_split(from, from + bytes))
		return -ENOMEM;
	personality.exec_thaw(from, bytes);
	int result = pages_move(from, to, bytes);
	pagetable_flush();
	if (result)
		return result;
	mappings_cut(from);
	mappings_cut(from + bytes);
	for (size_t i = 0; i < spans; i++) {
		size_t first = mappings_find(from);
		struct mapping moved = all->list[first];
		const struct vm_backing *backing = &moved.backing;
		moved.start += to - from;
		moved.end += to - from;
		/* Remove it before adding it: beside its old place it would be joined with itself. */
		if (backing->ops)
			backing->ops->get(backing);
		mappings_remove(first, first + 1);
		mappings_add(moved);
		if (backing->ops)
			backing->ops->put(backing);
	}
	return 0;
}

void vm_discard_plain(uint64_t address, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t limit = address + bytes;
	for (size_t i = mappings_find(address); i < all->count && all->list[i].start < limit; i++) {
		const struct mapping *mapping = &all->list[i];
		uint64_t start = mapping->start > address ? mapping->start : address;
		uint64_t end = mapping->end < limit ? mapping->end : limit;
		if (!mapping->backing.ops) {
			personality.exec_thaw(start, end - start);
			pages_clear(start, end - start);
		} else if (!(mapping->prot & VM_EXEC)) /* code stays as exec_check has scanned it */
			pages_free(start, end);
	}
	pagetable_flush();
}

void vm_discard(uint64_t address, uint64_t bytes)
{
	personality.vm_discard(address, bytes);
}
