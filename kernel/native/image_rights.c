/* SPDX-License-Identifier: MIT */
/* Rights of the image's pages. Physical and virtual addresses are equal, so that an entry cleared for PROT_NONE can be
 * made again without saved data. */
#include "kernel/native/native.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"

/* From the linker script, page-aligned. */
extern const char __program_rodata_start[], __program_rodata_end[], __program_data_start[], __program_data_end[];

static bool within(uint64_t address, uint64_t bytes, const char *start, const char *end)
{
	return address >= (uint64_t)start && address < (uint64_t)end && bytes <= (uint64_t)end - address;
}

bool image_rights_is_program(uint64_t address, uint64_t bytes)
{
	return within(address, bytes, __program_rodata_start, __program_rodata_end) ||
	       within(address, bytes, __program_data_start, __program_data_end);
}

int image_rights_protect(uint64_t address, uint64_t bytes, int prot)
{
	assert(image_rights_is_program(address, bytes));
	if (prot & VM_EXEC)
		return -EACCES;
	uint64_t flags = pages_flags(prot);
	for (uint64_t at = address; at < address + bytes; at += PAGE_SIZE) {
		bool large;
		uint64_t *entry = pagetable_entry(at, true, &large);
		assert(entry != NULL); /* text and kernel are in the same table, or the boot door made it */
		assert(!large);
		*entry = flags ? at | flags : 0;
		pagetable_invalidate(at);
	}
	pagetable_flush();
	return 0;
}
