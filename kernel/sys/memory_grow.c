/* SPDX-License-Identifier: MIT */
/* Mappings that grow down: main stacks, and MAP_GROWSDOWN of mmap(2). */
#include "abi/linux_mman.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/memory.h"
#include "kernel/mm/space.h"

/* Bytes by which a mapping grows where it may: each fault costs as much as filling some pages. Linux grows by pages. */
#define GROW_BYTES 0x10000UL

/* Whether the mapping with this index may begin at `start` (Linux, expand_downwards). */
static bool may_begin(size_t index, uint64_t start)
{
	const struct mappings *all = &space_current->mappings;
	const struct mapping *mapping = &all->list[index], *below = index ? mapping - 1 : NULL;
	if (start < VM_ADDRESS_MIN || !vm_is_allowed(start, mapping->start - start))
		return false;
	if (below && below->end > start)
		return false;
	if (below && !(below->hints & VM_GROWS_DOWN) && below->prot && start - below->end < VM_GROW_GUARD)
		return false;
	return mapping->end - start <= limits_get(LINUX_RLIMIT_STACK) &&
	       memory_allowed(mapping->start - start, 0, false);
}

bool memory_grow(uint64_t address)
{
	const struct mappings *all = &space_current->mappings;
	const uint64_t starts[] = {address & ~(GROW_BYTES - 1), address & ~(PAGE_SIZE - 1)};
	const size_t index = mappings_find(address);
	if (index == all->count || !(all->list[index].hints & VM_GROWS_DOWN))
		return false;
	for (unsigned i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (may_begin(index, starts[i]))
			return !vm_grow_down(starts[i]);
	return false;
}
