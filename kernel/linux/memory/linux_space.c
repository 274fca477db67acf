/* SPDX-License-Identifier: MIT */
/* A copy is made at once, page by page where pages exist: a fault for each page that is written to later would cost
 * more than copying it. Only code, which is not written to, is shared. */
#include "kernel/linux/memory/linux_space.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry/view.h"
#include "kernel/linux/memory/shared_frames.h"
#include "kernel/linux/memory/space_tables.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"

extern const char __image_start[], __image_end[]; /* linux.ld */

static struct linux_space first = {.refs = 1};

/* Makes another space current without switching the processor to it. Returns the one to come back to. */
static struct linux_space *visit(struct linux_space *space)
{
	struct linux_space *current = linux_space_self();
	pagetable_edit(&space->base, true);
	return current;
}

static void come_back(struct linux_space *current)
{
	pagetable_edit(&current->base, false);
	pagetable_flush();
}

void linux_space_zap_elsewhere(const void *object, uint64_t from, uint64_t end, bool copies)
{
	static bool inside;
	if (inside)
		return;
	inside = true;
	for (struct linux_space *space = &first; space; space = space->next) {
		if (space == linux_space_self() || !space->base.mappings.count)
			continue;
		struct linux_space *current = visit(space);
		vm_zap(object, from, end, copies);
		come_back(current);
	}
	inside = false;
}

struct space *linux_space_after(const struct space *space)
{
	struct linux_space *next = space ? ((const struct linux_space *)space)->next : &first;
	return next ? &next->base : NULL;
}

void linux_space_init(void)
{
	uint64_t start = (uint64_t)__image_start & ~(BLOCK_SIZE - 1);
	uint64_t end = ((uint64_t)__image_end + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	space_tables_init(start, end);
	first.base = *space_current; /* the kernel has started in a space without a place for the rest */
	space_current = &first.base;
}

/* Frees a space that the processor has left. */
static void destroy_space(struct linux_space *space)
{
	struct linux_space *current = visit(space), *before = &first;
	mappings_remove(0, space->base.mappings.count);
	come_back(current);
	while (before->next != space)
		before = before->next;
	before->next = space->next;
	space_tables_free(space->base.top);
	kfree(space->base.mappings.list);
	jit_patches_free(&space->jit_patches);
	stub_areas_fini(&space->stubs);
	kfree(space);
}

void linux_space_use(struct linux_space *space)
{
	struct linux_space *left = linux_space_self();
	if (space == left)
		return;
	pagetable_load(&space->base);
	view_space(space);
	if (!left->refs)
		destroy_space(left);
}

struct linux_space *linux_space_create(void)
{
	const size_t room = space_current->mappings.room;
	struct linux_space *space = kzalloc(sizeof(*space));
	if (!space)
		return NULL;
	space->refs = 1;
	space->base.top = space_tables_new();
	space->base.mappings.room = room;
	space->base.mappings.list = kmalloc(room * sizeof(struct mapping));
	if (space->base.top && space->base.mappings.list) {
		space->next = first.next;
		first.next = space;
		return space;
	}
	if (space->base.top)
		space_tables_free(space->base.top);
	kfree(space->base.mappings.list);
	kfree(space);
	return NULL;
}

/* Code of a file, patched and otherwise unchanged. A page that is to be changed gets a copy first (code_bytes.h). */
static bool is_shareable(uint64_t entry)
{
	return (entry & (PTE_CODE | PTE_PATCHED | PTE_MADE)) == (PTE_CODE | PTE_PATCHED);
}

/* Maps a page in the copy, too. Returns 0 or -ENOMEM. */
static int map_copied_page(uint64_t address, uint64_t from)
{
	bool large;
	uint64_t *entry = pagetable_entry(address, true, &large);
	if (!entry)
		return -ENOMEM;
	*entry = from;
	return 0;
}

/* Makes a page's entry in the copy, with a frame of its own or a shared one. Returns 0 or -ENOMEM. */
static int copy_page(uint64_t address, uint64_t from)
{
	uint64_t frame = from & PTE_ADDRESS;
	if (!is_shareable(from) || !shared_frames_add(frame)) {
		frame = frame_alloc_to_overwrite();
		if (!frame)
			return -ENOMEM;
		memcpy(phys_to_virt(frame), phys_to_virt(from & PTE_ADDRESS), PAGE_SIZE);
	}
	int result = map_copied_page(address, pagetable_with_frame(from, frame));
	if (result)
		frame_free(frame);
	return result;
}

static int copy_block(uint64_t address, uint64_t from)
{
	uint64_t block = frame_alloc_block_to_overwrite();
	uint64_t *entry = block ? pagetable_block_entry(address) : NULL;
	if (!entry) {
		if (block)
			frame_free_blocks(block, 1);
		return -ENOMEM;
	}
	if (*entry) /* a reused page directory may still refer to an empty page table */
		pagetable_free_leaf(entry);
	memcpy(phys_to_virt(block), phys_to_virt(from & PTE_ADDRESS & ~(BLOCK_SIZE - 1)), BLOCK_SIZE);
	*entry = block | (from & ~PTE_ADDRESS);
	return 0;
}

/* Copies the pages of a mapping from the space with these tables into the one being edited. Returns 0 or -ENOMEM. */
static int copy_mapping_pages(const struct mapping *mapping, uint64_t from)
{
	int result = 0;
	for (uint64_t at = mapping->start, step; at < mapping->end && !result; at += step) {
		bool large;
		const uint64_t *entry = pagetable_entry_of(from, at, &large);
		step = large || !entry ? BLOCK_SIZE - (at & (BLOCK_SIZE - 1)) : PAGE_SIZE;
		if (entry && *entry & PTE_OWNED)
			result = large ? copy_block(at, *entry) : copy_page(at, *entry);
		else if (entry && *entry && !large) /* a page of an object: it is mapped at its first touch there */
			result = map_copied_page(at, *entry);
	}
	return result;
}

struct linux_space *linux_space_copy(void)
{
	struct linux_space *copy = linux_space_create();
	if (!copy)
		return NULL;
	copy->base.brk = space_current->brk;
	copy->layout = linux_space_self()->layout;
	int result = jit_patches_copy(&copy->jit_patches);
	if (!result)
		result = stub_areas_copy(&copy->stubs, &linux_space_self()->stubs);
	struct linux_space *original = visit(copy);
	for (size_t i = 0; i < original->base.mappings.count && !result; i++) {
		const struct mapping *mapping = &original->base.mappings.list[i];
		if (mapping->hints & VM_FORK_DROPS)
			continue;
		result = mappings_reserve(1);
		if (!result) {
			mappings_add(*mapping);
			result = mapping->hints & VM_FORK_WIPES ? 0 : copy_mapping_pages(mapping, original->base.top);
		}
	}
	come_back(original);
	if (!result)
		return copy;
	linux_space_put(copy);
	return NULL;
}

struct linux_space_extent linux_space_extent(const struct linux_space *space)
{
	const struct mappings *all = &space->base.mappings;
	struct linux_space_extent extent = {0};
	for (size_t i = 0; i < all->count; i++) {
		uint64_t bytes = all->list[i].end - all->list[i].start;
		extent.mapped += bytes;
		extent.resident += all->list[i].prot ? bytes : 0;
		extent.stack += all->list[i].hints & VM_GROWS_DOWN ? bytes : 0;
	}
	return extent;
}

bool linux_space_shows(const struct linux_space *space, const struct mapping *map, struct mapping *seen)
{
	const struct brk *brk = &space->base.brk;
	*seen = *map;
	if (map->end == brk->mapped && map->start < brk->mapped && brk->start < brk->mapped)
		seen->end = brk_page_end(brk);
	return seen->start < seen->end;
}

uint64_t linux_space_mappings_of(const void *object, bool writable)
{
	uint64_t count = 0;
	for (const struct linux_space *space = &first; space; space = space->next) {
		const struct mappings *all = &space->base.mappings;
		for (size_t i = 0; i < all->count; i++) {
			const struct vm_backing *backing = &all->list[i].backing;
			count += backing->ops && backing->object == object &&
			         (!writable || (backing->shared && backing->may_write));
		}
	}
	return count;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct linux_space_extent linux_space_peak(const struct linux_space *space)
{
	const struct linux_space_extent now = linux_space_extent(space), *peak = &space->peak;
	return (struct linux_space_extent){larger(now.mapped, peak->mapped), larger(now.resident, peak->resident),
	                                   now.stack};
}

/* Records the maximum of memory before an unmapping, because the use is largest then. Counting at each growth would
 * cost more. */
int linux_space_unmap(uint64_t address, uint64_t bytes)
{
	if (!vm_is_free(address, bytes))
		linux_space_self()->peak = linux_space_peak(linux_space_self());
	return vm_unmap_plain(address, bytes);
}

void linux_space_put(struct linux_space *space)
{
	assert(space->refs > 0);
	if (--space->refs)
		return;
	if (space != linux_space_self())
		destroy_space(space);
	else /* frees the mappings at once, because other processes may wait for locks of the mapped files */
		mappings_remove(0, space->base.mappings.count);
}
