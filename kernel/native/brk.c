/* SPDX-License-Identifier: MIT */
/* The heap of brk(2): mapped in whole 2 MiB pages ahead of its end, and cleared when it shrinks. */
#include "kernel/mm/brk.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/vm.h"

static uint64_t heap_end;    /* what the program asked for */
static uint64_t heap_mapped; /* end of what is mapped */

void brk_init(uint64_t mapped_bytes)
{
	heap_end = LAYOUT_HEAP;
	heap_mapped = LAYOUT_HEAP + mapped_bytes;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int extend(uint64_t end)
{
	uint64_t blocks = (end + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	uint64_t pages = (end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	int result = -ENOMEM;
	if (!vm_is_free(heap_mapped, pages - heap_mapped)) /* mmap(2) can put something there */
		return result;
	if (vm_is_free(heap_mapped, blocks - heap_mapped))
		result = vm_map(heap_mapped, blocks - heap_mapped, VM_READ | VM_WRITE);
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
		uint64_t clear = least(heap_end, heap_mapped);
		uint64_t page = least(clear, (end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1));
		clear_user((void *)end, page - end); /* a program that has taken this page away meets that, not us */
		vm_discard(page, ((clear + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1)) - page);
	}
	heap_end = end;
	return heap_end;
}

uint64_t brk_ahead(void)
{
	return heap_mapped - ((heap_end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1));
}
