/* SPDX-License-Identifier: MIT */
/* The main stack of a native image. */
#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/vm.h"
#include "kernel/native/native.h"

/* Part of RAM that the main stack may take at the most. */
#define STACK_SHARE 8

/* Maps the main stack, and with its last 2 MiB page the beginning of the heap. */
uint64_t main_stack_map(const struct boot_info *boot)
{
	uint64_t bytes = boot->ram_bytes / STACK_SHARE;
	if (bytes > LAYOUT_STACK_MAX)
		bytes = LAYOUT_STACK_MAX;
	uint64_t end = (LAYOUT_STACK_TOP + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	uint64_t start = (LAYOUT_STACK_TOP - bytes) & ~(BLOCK_SIZE - 1);
	int result = vm_map(start, end - start, VM_READ | VM_WRITE);
	assert(result == 0);
	brk_init(LAYOUT_HEAP, LAYOUT_HEAP_END, end - LAYOUT_STACK_TOP);
	return LAYOUT_STACK_TOP;
}
