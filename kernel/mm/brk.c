/* SPDX-License-Identifier: MIT */
/* The heap of brk(2), mapped in whole 2 MiB pages ahead of its end. The part ahead is private to the heap: to other
 * calls it is unmapped. A heap that shrinks is cleared; that of a Linux program is unmapped. */
#include "kernel/mm/brk.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/vm.h"
#include "kernel/mm/space.h"
#include "kernel/personality.h"

void brk_init(uint64_t start, uint64_t limit, uint64_t mapped_bytes)
{
	space_current->brk = (struct brk){start, limit, start, start + mapped_bytes};
}

static uint64_t page_end_of(uint64_t address)
{
	return (address + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Maps the heap up to the end of the block, or else of the page: a mapping of mmap(2), or the image, may be in the
 * way. */
static int extend(uint64_t end)
{
	struct brk *brk = &space_current->brk;
	const uint64_t units[] = {BLOCK_SIZE, PAGE_SIZE};
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		uint64_t up_to = (end + units[i] - 1) & ~(units[i] - 1), bytes = up_to - brk->mapped;
		if (vm_is_allowed(brk->mapped, bytes) && vm_is_free(brk->mapped, bytes) &&
		    !vm_map(brk->mapped, bytes, VM_READ | VM_WRITE)) {
			brk->mapped = up_to;
			return 0;
		}
	}
	return -ENOMEM;
}

/* Whether other mappings let the heap end there, by Linux's rules: the page after it must be free, and an unmapped heap
 * cannot shrink. */
static bool may_end(uint64_t end)
{
	const struct brk *brk = &space_current->brk;
	uint64_t before = brk_page_end(brk), after = page_end_of(end), mapped = brk->mapped;
	if (after < before)
		return !personality.memory_is_lazy || !vm_is_free(after, before - after);
	return after == before || after + PAGE_SIZE <= mapped || vm_is_placeable(mapped, after + PAGE_SIZE - mapped);
}

uint64_t brk_set(uint64_t end)
{
	struct brk *brk = &space_current->brk;
	if (end < brk->start || end > brk->limit || !may_end(end) || (end > brk->mapped && extend(end)))
		return brk->end;
	if (end < brk->end) {
		const uint64_t unit = personality.memory_is_lazy ? PAGE_SIZE : BLOCK_SIZE;
		uint64_t keep = (end + unit - 1) & ~(unit - 1);
		if (keep < brk->mapped && !vm_unmap(keep, brk->mapped - keep))
			brk->mapped = keep;
		uint64_t clear = least(brk->end, brk->mapped);
		uint64_t page = least(clear, page_end_of(end));
		clear_user((void *)end,
		           page - end); /* a program that has unmapped this page gets the fault, not the kernel */
		vm_discard(page, page_end_of(clear) - page);
	}
	brk->end = end;
	return brk->end;
}

void brk_trim(uint64_t address, uint64_t bytes)
{
	struct brk *brk = &space_current->brk;
	uint64_t end = brk_page_end(brk), ahead = brk_ahead();
	if (ahead && address < brk->mapped && address + bytes > end && !vm_unmap(end, ahead))
		brk->mapped = end;
}

uint64_t brk_ahead(void)
{
	const struct brk *brk = &space_current->brk;
	return brk->mapped - brk_page_end(brk);
}
