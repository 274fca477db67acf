/* SPDX-License-Identifier: MIT */
/* The place of a native image's mappings: upwards from the start of an area that nothing else uses. Shared mappings are
 * like private ones, because there is one process. */
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/memory.h"

const unsigned pagetable_more = 0;

int memory_shared(uint64_t bytes, struct file **object)
{
	(void)bytes;
	*object = NULL;
	return 0;
}

uint64_t memory_gap(uint64_t bytes)
{
	return vm_find_gap(bytes, LAYOUT_MMAP, LAYOUT_MMAP_END);
}
