/* SPDX-License-Identifier: MIT */
/* Walks four levels of page tables (SDM volume 3A, chapter 4.5), reading each entry once and through the checked
 * accessor. So the walk ends for any tables, also for those that point to themselves. */
#include "guest/guest_virtual.h"

#include <errno.h>

#include "abi/tables.h"

int guest_virtual_translate(const struct guest_memory *memory, uint64_t va, gpa_t *to, uint64_t *bytes)
{
	uint64_t table = memory->tables ? memory->tables : LAYOUT_PAGE_TABLES, entry;
	if (va >> 47 != 0 && va >> 47 != 0x1ffff)
		return -EFAULT;
	for (unsigned shift = 39;; shift -= 9) {
		gpa_t at = gpa(table + (va >> shift & 511) * sizeof(entry));
		if (guest_memory_read(memory, at, &entry, sizeof(entry)) || !(entry & PTE_PRESENT))
			return -EFAULT;
		if ((entry & PTE_LARGE) && shift > 21)
			return -EFAULT; /* the kernel makes no 1 GiB pages */
		if (shift == 12 || (entry & PTE_LARGE)) {
			uint64_t offset_mask = (1UL << shift) - 1;
			*to = gpa((entry & PTE_ADDRESS & ~offset_mask) | (va & offset_mask));
			*bytes = offset_mask + 1 - (va & offset_mask);
			return 0;
		}
		table = entry & PTE_ADDRESS;
	}
}

uint64_t guest_virtual_read_some(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes)
{
	uint64_t done = 0;
	while (done < bytes) {
		gpa_t from;
		uint64_t part;
		if (guest_virtual_translate(memory, va + done, &from, &part))
			break;
		if (part > bytes - done)
			part = bytes - done;
		if (guest_memory_read_shown(memory, from, (uint8_t *)to + done, part))
			break;
		done += part;
	}
	return done;
}

int guest_virtual_read(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes)
{
	return guest_virtual_read_some(memory, va, to, bytes) == bytes ? 0 : -EFAULT;
}
