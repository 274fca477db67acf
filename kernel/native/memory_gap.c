/* SPDX-License-Identifier: MIT */
/* Where mappings of a native image go: from the bottom up, in an area that nothing else uses. */
#include "kernel/mm/vm.h"
#include "kernel/sys/memory.h"

uint64_t memory_gap(uint64_t bytes)
{
	return vm_find_gap(bytes, LAYOUT_MMAP, LAYOUT_MMAP_END);
}
