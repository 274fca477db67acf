/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_memory.h"

#include "kernel/lib/string.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"

bool debug_memory_is_there(uint64_t address)
{
	bool large;
	const uint64_t *entry = address < VM_ADDRESS_END ? pagetable_entry(address, false, &large) : NULL;
	return entry && (*entry & (PTE_PRESENT | PTE_USER)) == (PTE_PRESENT | PTE_USER);
}

bool debug_memory_peek(uint64_t address, void *to, size_t bytes)
{
	const uint64_t last = address + bytes - 1;
	if (!debug_memory_is_there(address) || !debug_memory_is_there(last) || !vm_protection(address) ||
	    !vm_protection(last)) /* the kernel's memory is no program's */
		return false;
	memcpy(to, (const void *)address, bytes);
	return true;
}
