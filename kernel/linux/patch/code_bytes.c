/* SPDX-License-Identifier: MIT */
#include "kernel/linux/patch/code_bytes.h"

#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/memory/shared_frames.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"

uint64_t code_page(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	if (!entry || !(*entry & PTE_OWNED))
		return 0;
	return large ? (*entry & ~PTE_LARGE) + (address & (BLOCK_SIZE - 1) & ~(PAGE_SIZE - 1)) : *entry;
}

uint64_t *code_entry(uint64_t address)
{
	bool large;
	uint64_t *entry = pagetable_entry(address, false, &large);
	return entry && !large && *entry & PTE_CODE ? entry : NULL;
}

const uint8_t *code_byte(uint64_t address)
{
	uint64_t entry = code_page(address);
	assert(entry != 0);
	return (const uint8_t *)phys_to_virt(entry & PTE_ADDRESS) + address % PAGE_SIZE;
}

/* The byte at an address in a page of an object, or NULL. */
static const uint8_t *byte_of_object(uint64_t address)
{
	struct vm_backing backing;
	const struct vm_backing *shown = vm_backing_at(address, &backing);
	uint64_t physical;
	bool own;
	if (!shown || !shown->ops || shown->ops->page(shown->object, shown->page, VM_LOAD, &physical, &own))
		return NULL;
	return (const uint8_t *)phys_to_virt(physical) + address % PAGE_SIZE;
}

bool code_is_shown(uint64_t address)
{
	return code_page(address) || byte_of_object(address);
}

void code_unshare(uint64_t page)
{
	bool large;
	uint64_t *entry = pagetable_entry(page, false, &large);
	if (large || !shared_frames_has(*entry & PTE_ADDRESS))
		return;
	uint64_t before = *entry & PTE_ADDRESS, frame = frame_alloc_to_overwrite();
	if (!frame)
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs; raise --memory");
	memcpy(phys_to_virt(frame), phys_to_virt(before), PAGE_SIZE);
	*entry = frame | (*entry & ~PTE_ADDRESS);
	frame_free(before);
	pagetable_invalidate(page);
	pagetable_flush();
}

bool code_is_fresh(uint64_t address, uint64_t end)
{
	for (uint64_t page = address & ~(PAGE_SIZE - 1); page < end; page += PAGE_SIZE)
		if ((code_page(page) & (PTE_CODE | PTE_PATCHED | PTE_MADE)) != PTE_CODE)
			return false;
	return true;
}

/* Returns how many of the bytes are in the page of the address. */
static size_t part_of(uint64_t address, size_t bytes)
{
	size_t left = PAGE_SIZE - address % PAGE_SIZE;
	return bytes < left ? bytes : left;
}

static uint8_t *byte_to_write(uint64_t address)
{
	uint64_t entry = code_page(address);
	assert(entry != 0);
	if (shared_frames_has(entry & PTE_ADDRESS)) {
		code_unshare(address & ~(PAGE_SIZE - 1));
		entry = code_page(address);
	}
	return (uint8_t *)phys_to_virt(entry & PTE_ADDRESS) + address % PAGE_SIZE;
}

void code_put(uint64_t address, const void *from, size_t bytes)
{
	for (size_t at = 0, part; at < bytes; at += part) {
		part = part_of(address + at, bytes - at);
		memcpy(byte_to_write(address + at), (const uint8_t *)from + at, part);
	}
}

void code_put_next(struct code_writer *writer, const void *from, size_t bytes)
{
	const uint64_t page = writer->address & ~(PAGE_SIZE - 1);
	if (part_of(writer->address, bytes) < bytes) {
		code_put(writer->address, from, bytes);
	} else {
		if (!writer->page || writer->page_address != page)
			writer->page = byte_to_write(page);
		writer->page_address = page;
		memcpy(writer->page + writer->address % PAGE_SIZE, from, bytes);
	}
	writer->address += bytes;
}

void code_get(void *to, uint64_t address, size_t bytes)
{
	for (size_t at = 0, part; at < bytes; at += part) {
		part = part_of(address + at, bytes - at);
		const uint64_t entry = code_page(address + at);
		const uint8_t *byte =
			entry ? (const uint8_t *)phys_to_virt(entry & PTE_ADDRESS) + (address + at) % PAGE_SIZE
			      : byte_of_object(address + at);
		assert(byte != NULL);
		memcpy((uint8_t *)to + at, byte, part);
	}
}

int code_map(uint64_t address, uint64_t bytes)
{
	if (vm_map(address, bytes, VM_READ | VM_EXEC))
		return -ENOMEM;
	/* The pages are not accessible yet, so the processor holds no translations to invalidate. */
	if (!pages_fill(address, address + bytes, 0))
		return 0;
	vm_unmap(address, bytes);
	return -ENOMEM;
}

void code_settle(uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		bool large;
		uint64_t *entry = pagetable_entry(page, false, &large);
		assert(entry != NULL);
		*entry = (*entry & (PTE_ADDRESS | PTE_OWNED | PTE_LARGE)) | pages_flags(VM_READ | VM_EXEC) | PTE_CODE |
		         PTE_MADE;
	}
}
