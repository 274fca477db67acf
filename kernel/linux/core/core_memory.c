/* SPDX-License-Identifier: MIT */
/* A core file has all memory that a debugger cannot find elsewhere, and the code and constants of mapped programs and
 * libraries: the files of a guest may be in an image. Other files that are only read are left out, as on Linux.
 *
 * Memory that was never touched is a hole. Mappings of terabytes, which hardly have pages, are cut into parts, because
 * file systems limit the size of a file with holes, too. */
#include "kernel/linux/core/core_memory.h"

#include "abi/errno.h"
#include "kernel/linux/core/core_stream.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/mm/pagetable.h"
#include "kernel/vfs/inode.h"

/* A mapping that is larger is cut into pieces of this size; those without pages are not in the file. */
#define PIECE_BYTES (1UL << 30)

/* The kinds of program headers must not be more than 65,535 (PN_XNUM). Mappings alone are less. */
#define CUT_MAX 32768

/* Where the page at an address is in guest-physical memory; 0: it has none. *bytes is what follows there. *entry is its
 * page-table entry, or 0. */
static uint64_t page_at(uint64_t address, uint64_t *bytes, uint64_t *entry)
{
	bool large;
	const uint64_t *found = pagetable_entry(address, false, &large);
	const uint64_t size = !found || large ? BLOCK_SIZE : PAGE_SIZE;
	*bytes = size - (address & (size - 1));
	*entry = found && *found & (PTE_PRESENT | PTE_OWNED) ? *found : 0;
	return *entry ? (*entry & PTE_ADDRESS & ~(size - 1)) + (address & (size - 1)) : 0;
}

/* The object's page at an address; 0: beyond the object's end, or not to be had. */
static uint64_t object_page(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	const uint64_t number = backing->page + (address - mapping->start) / PAGE_SIZE;
	uint64_t physical;
	bool own;
	const int error = backing->ops->page(backing->object, number, VM_LOAD, &physical, &own);
	if (error && error != -ENXIO)
		core_stream_miss(PAGE_SIZE);
	return error ? 0 : physical;
}

static bool is_program(const void *object)
{
	const struct mappings *all = &space_current->mappings;
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].backing.ops && all->list[i].backing.object == object && all->list[i].prot & VM_EXEC)
			return true;
	return false;
}

/* Whether a mapping is in the file. */
static bool is_kept(const struct mapping *mapping)
{
	if (!mapping->backing.ops || (!mapping->backing.shared && mapping->prot & VM_WRITE))
		return true;
	const struct inode *inode = mapping->backing.object;
	const bool is_of_guest = !inode->ops || !inode->ops->origin || inode->data.changed;
	return is_of_guest || is_program(inode);
}

/* The end of the last page in [start, end) that has memory; start: none has. */
static uint64_t last_end(uint64_t start, uint64_t end)
{
	uint64_t last = start, entry;
	for (uint64_t at = start, bytes; at < end; at += bytes)
		if (page_at(at, &bytes, &entry))
			last = at + bytes < end ? at + bytes : end;
	return last;
}

/* The end of the next segment of a mapping, which starts at `start`: of all of it, or of a part in which every piece
 * has pages, or none has. */
static uint64_t cut_mapping(const struct mapping *mapping, uint64_t start)
{
	uint64_t end = start;
	bool has_pages = false;
	if (mapping->backing.ops || mapping->end - mapping->start <= PIECE_BYTES)
		return mapping->end;
	do {
		uint64_t next = (end & ~(PIECE_BYTES - 1)) + PIECE_BYTES;
		next = next < mapping->end ? next : mapping->end;
		const bool piece_has = last_end(end, next) != end;
		if (end != start && piece_has != has_pages)
			break;
		has_pages = piece_has;
		end = next;
	} while (end < mapping->end);
	return end;
}

bool core_memory_next(struct core_walk *walk, struct core_segment *segment)
{
	const struct mappings *all = &space_current->mappings;
	struct mapping seen;
	while (walk->index < all->count && !linux_space_shows(linux_space_self(), &all->list[walk->index], &seen))
		walk->index++;
	if (walk->index == all->count)
		return false;
	const uint64_t start = walk->at ? walk->at : seen.start;
	const uint64_t end = all->count + walk->cuts < CUT_MAX ? cut_mapping(&seen, start) : seen.end;
	*segment = (struct core_segment){.start = start, .end = end, .prot = seen.prot};
	if (is_kept(&seen))
		segment->file_bytes = (seen.backing.ops ? end : last_end(start, end)) - start;
	walk->cuts += end != seen.end;
	walk->index += end == seen.end;
	walk->at = end == seen.end ? 0 : end;
	return true;
}

/* Adds a page of code made at run time, in which instructions may be patched. */
static void add_made_page(uint64_t address)
{
	static uint8_t page[PAGE_SIZE];
	jit_patches_original(page, address, sizeof(page));
	core_stream_add(page, sizeof(page));
}

void core_memory_add(const struct core_segment *segment)
{
	const struct mapping *mapping = mappings_at(segment->start);
	const uint64_t end = segment->start + segment->file_bytes;
	const bool has_jit = linux_space_self()->jit_patches.count;
	for (uint64_t at = segment->start, bytes; at < end; at += bytes) {
		uint64_t entry, physical = page_at(at, &bytes, &entry);
		const bool is_patched = mapping->backing.ops && entry & PTE_PATCHED;
		if (mapping->backing.ops && (!entry || is_patched)) {
			bytes = PAGE_SIZE;
			physical = object_page(mapping, at);
		}
		if (bytes > end - at)
			bytes = end - at;
		if (!physical)
			core_stream_add_hole(bytes);
		else if (has_jit && !is_patched && entry & (PTE_MADE | PTE_CODE) && bytes == PAGE_SIZE)
			add_made_page(at);
		else
			core_stream_add_memory(physical, bytes);
	}
}
