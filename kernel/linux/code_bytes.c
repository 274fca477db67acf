/* SPDX-License-Identifier: MIT */
#include "kernel/linux/code_bytes.h"

#include <stdbool.h>

#include "kernel/arch/direct_map.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/pagetable.h"

uint64_t code_page(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	if (!entry || !(*entry & PTE_OWNED))
		return 0;
	return large ? (*entry & ~PTE_LARGE) + (address & (BLOCK_SIZE - 1) & ~(PAGE_SIZE - 1)) : *entry;
}

uint8_t *code_byte(uint64_t address)
{
	uint64_t entry = code_page(address);
	assert(entry != 0);
	return (uint8_t *)phys_to_virt(entry & PTE_ADDRESS) + address % PAGE_SIZE;
}

void code_put(uint64_t address, const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		*code_byte(address + i) = ((const uint8_t *)from)[i];
}

void code_get(void *to, uint64_t address, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = *code_byte(address + i);
}
