/* SPDX-License-Identifier: MIT */
/* The heap of brk(2): mapped in whole 2 MiB pages ahead of its end, and cleared when it shrinks. */
#include "kernel/mm/brk.h"

#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/arch/direct_map.h"
#include "kernel/mm/vm.h"

static uint64_t heap_end;    /* what the program asked for */
static uint64_t heap_mapped; /* end of what is mapped */

void brk_init(uint64_t mapped_bytes)
{
	heap_end = LAYOUT_HEAP;
	heap_mapped = LAYOUT_HEAP + mapped_bytes;
}

static int extend(uint64_t end)
{
	uint64_t blocks = (end + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	uint64_t pages = (end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	int result = vm_map(heap_mapped, blocks - heap_mapped, VM_READ | VM_WRITE);
	if (!result) {
		heap_mapped = blocks;
		return 0;
	}
	result = vm_map(heap_mapped, pages - heap_mapped, VM_READ | VM_WRITE);
	if (!result)
		heap_mapped = pages;
	return result;
}

uint64_t brk_set(uint64_t end)
{
	if (end < LAYOUT_HEAP || end > LAYOUT_HEAP_END)
		return heap_end;
	if (end > heap_mapped && extend(end))
		return heap_end;
	if (end < heap_end) {
		uint64_t keep = (end + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
		if (keep < heap_mapped && !vm_unmap(keep, heap_mapped - keep))
			heap_mapped = keep;
		uint64_t clear = heap_end < heap_mapped ? heap_end : heap_mapped;
		memset((void *)end, 0, clear - end);
	}
	heap_end = end;
	return heap_end;
}
