/* SPDX-License-Identifier: MIT */
/* The list of the stub areas of an address space, and memory for them. */
#include "kernel/linux/patch/stub.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/mm/array.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"

uint64_t stub_areas_map(uint64_t start, uint64_t end, uint64_t bytes, uint64_t reach)
{
	uint64_t low = end > reach + PAGE_SIZE ? end - reach : PAGE_SIZE;
	uint64_t at = vm_find_gap_below(bytes, low, start);
	if (!at)
		at = vm_find_gap_below(bytes, end, start + reach);
	return at && !code_map(at, bytes) ? at : 0;
}

int stub_areas_add(struct stub_areas *all, const struct stub_area *area)
{
	if (!array_reserve(all->list, all->room, all->count + 1))
		return -ENOMEM;
	all->list[all->count++] = *area;
	return 0;
}

int stub_areas_copy(struct stub_areas *to, const struct stub_areas *from)
{
	if (!from->count)
		return 0;
	to->list = kmalloc(from->count * sizeof(*to->list));
	if (!to->list)
		return -ENOMEM;
	memcpy(to->list, from->list, from->count * sizeof(*to->list));
	to->count = to->room = from->count;
	return 0;
}

void stub_areas_fini(struct stub_areas *all)
{
	kfree(all->list);
	*all = (struct stub_areas){0};
}
