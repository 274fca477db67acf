/* SPDX-License-Identifier: MIT */
/* Where Linux programs have their memory: as Linux places it when it does not randomise addresses. */
#include "kernel/linux/memory.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/image.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/memory.h"

static uint64_t heap_start, heap_end;

uint64_t memory_gap(uint64_t bytes)
{
	return vm_find_gap_below(bytes, MEMORY_ADDRESS_MIN, LINUX_MMAP_TOP);
}

bool image_is_program(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
	return false;
}

int image_protect(uint64_t address, uint64_t bytes, int prot)
{
	(void)address, (void)bytes, (void)prot;
	return -EACCES;
}

void brk_init(uint64_t start)
{
	heap_start = heap_end = start;
}

/* The heap is mapped page by page, as it grows. */
uint64_t brk_set(uint64_t end)
{
	uint64_t old = memory_round(heap_end), new = memory_round(end);
	if (end < heap_start || new > LINUX_MMAP_TOP)
		return heap_end;
	if (new > old && (!vm_is_allowed(old, new - old) || !vm_is_free(old, new - old) ||
	                  vm_map(old, new - old, VM_READ | VM_WRITE)))
		return heap_end;
	if (new < old && vm_unmap(new, old - new))
		return heap_end;
	if (end < heap_end) /* what is left of the page must be zero when it is had again */
		clear_user((void *)end, memory_round(end) - end);
	heap_end = end;
	return heap_end;
}

uint64_t brk_ahead(void)
{
	return 0;
}
