/* SPDX-License-Identifier: MIT */
/* Pages of objects: mapped when they are touched, copied when a private mapping is written to, and unmapped when the
 * object changes. Copies by the kernel to and from program memory fault like the program.
 *
 * exec.h scans code once, and scanned code must not change. So only copies are ever executable, and pages that nothing
 * can change: those of the root image and of host files. */
#include "kernel/mm/vm.h"

#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/personality.h"
#include "kernel/mm/space.h"

/* Pages mapped at one fault, if they are in memory: all of a page table. A fault costs as much as 100 of them. */
#define AROUND (BLOCK_SIZE / PAGE_SIZE)

/* Blocks mapped behind that of a fault, for a program that continues upwards: less than this, a power of two. Dynamic
 * linkers and constructors go through a library so, and a fault costs as much as 1,000 pages. */
#define BLOCKS_AHEAD 8

/* Pages copied at one fault: the initial number, and the maximum for a program that continues upwards, as a dynamic
 * linker does. Powers of two. */
#define COPY_AROUND 16
#define COPY_AROUND_MAX 512

/* Pages of a program's data that are copied when it is mapped: others may never be touched. */
#define TOUCH_COPY_MAX 512

/* Anonymous memory populated at one fault: the initial amount, and the maximum for a program that continues upwards. */
#define FILL_BYTES 0x10000UL
#define FILL_BYTES_MAX (BLOCK_SIZE / 2)

static bool is_copy(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	return entry && *entry & PTE_OWNED;
}

static bool is_present(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	return entry && *entry & PTE_PRESENT;
}

/* Sets the entry of a page. */
static int show_page_entry(uint64_t address, uint64_t value)
{
	bool large;
	uint64_t *entry = pagetable_entry(address, true, &large);
	if (entry && large) { /* show_block made it */
		if (pagetable_split(address))
			return -ENOMEM;
		entry = pagetable_entry(address, true, &large);
	}
	if (!entry)
		return -ENOMEM;
	if (*entry)
		pagetable_invalidate(address);
	*entry = pagetable_leaf(value);
	return 0;
}

/* Makes the copies that show_copy has put off. */
static void copy_now(void)
{
	if (personality.copy_now)
		personality.copy_now();
}

static int show_copy(uint64_t address, uint64_t flags, uint64_t original)
{
	uint64_t code = flags & PTE_PRESENT && !(flags & PTE_NO_EXECUTE) ? PTE_CODE : 0;
	uint64_t frame = frame_alloc_to_overwrite();
	if (!frame)
		return -ENOMEM;
	int result = show_page_entry(address, frame | flags | code | PTE_OWNED);
	if (result)
		frame_free(frame);
	else if (!personality.copy_later || !personality.copy_later(frame, original))
		memcpy(phys_to_virt(frame), phys_to_virt(original), PAGE_SIZE);
	return result;
}

/* Whether a page of an object may be executed where it is: nothing changes it, and it needs no patch. */
static bool is_plain_code(const struct mapping *mapping, uint64_t number, uint64_t physical, bool own)
{
	return (mapping->prot & (VM_WRITE | VM_EXEC)) == VM_EXEC && !own && physical >= LAYOUT_RAM_MAX &&
	       personality.exec_is_plain && personality.exec_is_plain(mapping->backing.object, number, 1);
}

/* The entry that shows a page of a mapping's object where it is. */
static uint64_t shown_entry(const struct mapping *mapping, uint64_t number, uint64_t physical, bool own)
{
	uint64_t flags = pages_flags(mapping->prot);
	if (!mapping->backing.shared || !own)
		flags &= ~(PTE_WRITE | PTE_GUARDED);
	if (is_plain_code(mapping, number, physical, own))
		return physical | flags | PTE_CODE | PTE_PATCHED;
	return flags ? physical | flags | PTE_NO_EXECUTE : 0;
}

/* Maps one page of a mapping's object. ops->page may change page tables, but not the list of mappings. */
static int map_object_page(const struct mapping *mapping, uint64_t address, enum vm_access access)
{
	const struct vm_backing *backing = &mapping->backing;
	uint64_t number = backing->page + (address - mapping->start) / PAGE_SIZE;
	uint64_t physical;
	bool own, copy = access == VM_STORE && !backing->shared;
	if (is_copy(address)) {
		pagetable_invalidate(address);
		return 0;
	}
	int result = backing->ops->page(backing->object, number, copy ? VM_LOAD : access, &physical, &own);
	if (result)
		return result;
	return copy ? show_copy(address, pages_flags(mapping->prot), physical)
	            : show_page_entry(address, shown_entry(mapping, number, physical, own));
}

/* Maps the 2 MiB around an address by one entry, if nothing can change them, and their addresses agree. Where page
 * tables are shadowed, each entry that the processor uses costs the host a fault. Returns whether it did. */
static bool show_block(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	const uint64_t start = address & ~(BLOCK_SIZE - 1), flags = pages_flags(mapping->prot);
	if (mapping->prot & VM_WRITE || start < mapping->start || mapping->end - start < BLOCK_SIZE)
		return false;
	const uint64_t first = backing->page + (start - mapping->start) / PAGE_SIZE;
	const uint64_t physical = backing->ops->block(backing->object, first);
	const bool is_code = mapping->prot & VM_EXEC;
	if (!physical || (is_code && !(personality.exec_is_plain &&
	                               personality.exec_is_plain(backing->object, first, BLOCK_SIZE / PAGE_SIZE))))
		return false;
	uint64_t *entry = pagetable_block_entry(start);
	if (!entry || (*entry && !(*entry & PTE_LARGE) && !pagetable_leaf_is_empty(*entry)))
		return false;
	if (*entry & PTE_LARGE)
		pagetable_invalidate(start);
	else if (*entry)
		pagetable_free_leaf(entry);
	*entry = physical | flags | PTE_LARGE | (is_code ? PTE_CODE | PTE_PATCHED : 0);
	return true;
}

/* Maps the other pages around a page that are in memory. With VM_PEEK ops->page changes no page table. */
static void show_around(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	uint64_t start = address & ~(AROUND * PAGE_SIZE - 1), end = start + AROUND * PAGE_SIZE, physical;
	bool large, own;
	start = start < mapping->start ? mapping->start : start;
	end = end > mapping->end ? mapping->end : end;
	uint64_t *entry = pagetable_entry(start, true, &large),
		 number = backing->page + (start - mapping->start) / PAGE_SIZE;
	for (uint64_t at = start; entry && !large && at < end; at += PAGE_SIZE, number++, entry++)
		if (!*entry && !backing->ops->page(backing->object, number, VM_PEEK, &physical, &own))
			*entry = pagetable_leaf(shown_entry(mapping, number, physical, own));
}

/* Maps the blocks behind a block that was mapped: about as many as are mapped below it. */
static void show_ahead(const struct mapping *mapping, uint64_t address)
{
	const uint64_t start = address & ~(BLOCK_SIZE - 1);
	uint64_t blocks = 1;
	while (blocks < BLOCKS_AHEAD && start >= mapping->start + blocks * BLOCK_SIZE &&
	       is_present(start - blocks * BLOCK_SIZE))
		blocks *= 2;
	for (uint64_t i = 1; i < blocks; i++) {
		const uint64_t at = start + i * BLOCK_SIZE;
		if (at >= mapping->end || is_present(at))
			break;
		if (!show_block(mapping, at))
			show_around(mapping, at);
	}
}

/* Pages to copy from a start on: as many as are copied below it. */
static uint64_t pages_to_copy(const struct mapping *mapping, uint64_t start)
{
	uint64_t pages = COPY_AROUND;
	while (pages < COPY_AROUND_MAX && start >= mapping->start + pages * PAGE_SIZE &&
	       is_copy(start - pages * PAGE_SIZE))
		pages *= 2;
	return pages;
}

/* Copies the pages around a page that is written to, because programs write to much of their data. Copies only pages
 * with the file's original contents: programs may look in them for what is written to the file elsewhere. */
static void copy_around(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	uint64_t start = address & ~(COPY_AROUND * PAGE_SIZE - 1);
	uint64_t end = start + pages_to_copy(mapping, start) * PAGE_SIZE;
	uint64_t physical;
	bool own;
	start = start < mapping->start ? mapping->start : start;
	end = end > mapping->end ? mapping->end : end;
	for (uint64_t at = start; at < end && personality.memory_is_lazy; at += PAGE_SIZE) {
		uint64_t number = backing->page + (at - mapping->start) / PAGE_SIZE;
		if (!is_copy(at) && !backing->ops->page(backing->object, number, VM_PEEK, &physical, &own) && !own)
			map_object_page(mapping, at, VM_STORE);
	}
}

/* Maps a page that is executed. What is not plain code becomes a copy that is data, which the next fault scans
 * (exec_is_settled_late). */
static int show_code(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	uint64_t physical, number = backing->page + (address - mapping->start) / PAGE_SIZE;
	bool own;
	int result = backing->ops->page(backing->object, number, VM_LOAD, &physical, &own);
	if (result)
		return result;
	if (is_plain_code(mapping, number, physical, own))
		return map_object_page(mapping, address, VM_LOAD);
	return show_copy(address, pages_flags(VM_READ), physical);
}

static enum vm_fault outcome(int result)
{
	return result == 0 ? VM_FAULT_DONE : result == -ENXIO ? VM_FAULT_BEYOND : VM_FAULT_NO_MEMORY;
}

static bool allows(int prot, int want)
{
	return want == VM_READ ? prot != 0 : (prot & want) != 0; /* on x86, accessible pages are readable */
}

/* Bytes to populate with the page at an address: as many as are populated below it. */
static uint64_t fill_bytes(const struct mapping *mapping, uint64_t start)
{
	uint64_t bytes = FILL_BYTES;
	while (bytes < FILL_BYTES_MAX && start >= mapping->start + bytes && is_present(start - bytes))
		bytes *= 2;
	return bytes;
}

/* Whether there is enough memory to waste some: a program that touches little of each block still gets whole blocks. */
static bool is_plenty(void)
{
	return frame_free_bytes() >= frame_total_bytes() / 2;
}

/* Maps the beginning of the mapping before a part of the same file. ld.so maps all of a file first, then other parts
 * over it: what it reads later would be unmapped again if it had been mapped at once. */
static void touch_before(const struct mapping *mapping)
{
	const struct mapping *before = mappings_at(mapping->start - 1);
	if (!before || !before->backing.ops || before->backing.object != mapping->backing.object || !before->prot ||
	    before->prot & VM_WRITE || is_present(before->start))
		return;
	if (!show_block(before, before->start))
		show_around(before, before->start);
}

void vm_touch(uint64_t address, uint64_t bytes)
{
	const struct mapping *mapping = mappings_at(address);
	assert(mapping != NULL);
	if (!mapping->prot)
		return;
	if (!mapping->backing.ops) {
		if (bytes <= FILL_BYTES && personality.memory_is_lazy && !(mapping->hints & VM_LITTLE) && is_plenty())
			pages_fill(address, address + bytes, mapping->prot);
		return;
	}
	touch_before(mapping);
	if (show_block(mapping, address))
		return;
	if (!(mapping->prot & VM_WRITE) || mapping->backing.shared)
		show_around(mapping, address);
	else if (bytes <= TOUCH_COPY_MAX * PAGE_SIZE)
		for (uint64_t at = address; at < address + bytes; at = (at | (COPY_AROUND * PAGE_SIZE - 1)) + 1)
			copy_around(mapping, at);
	/* The last page may be the file's last one, which is not whole: zeros follow the variables there. */
	const uint64_t last = address + bytes - PAGE_SIZE;
	if (mapping->prot & VM_WRITE && !mapping->backing.shared && personality.memory_is_lazy && !is_copy(last))
		map_object_page(mapping, last, VM_STORE);
	copy_now();
	pagetable_flush();
}

void vm_touch_growth(uint64_t address, uint64_t bytes)
{
	const struct mapping *mapping = mappings_at(address);
	if (mapping && !mapping->backing.ops && (mapping->prot & (VM_WRITE | VM_EXEC)) == VM_WRITE &&
	    mapping->end - address >= bytes && address > mapping->start && is_present(address - 1)) {
		vm_touch(address, bytes);
		gate_show(address);
	}
}

/* Populates anonymous memory where it is touched: a whole block if the mapping covers it, else some pages around. */
static enum vm_fault fill_around(const struct mapping *mapping, uint64_t address)
{
	uint64_t start = address & ~(BLOCK_SIZE - 1), end = start + BLOCK_SIZE;
	if (start < mapping->start || end > mapping->end || mapping->hints & VM_LITTLE || !is_plenty()) {
		start = address & ~(FILL_BYTES - 1);
		if (start + fill_bytes(mapping, start) < end)
			end = start + fill_bytes(mapping, start);
		start = start < mapping->start ? mapping->start : start;
		end = end > mapping->end ? mapping->end : end;
	}
	bool stale = is_present(address); /* the processor holds no translation of an absent page */
	int result = pages_fill(start, end, mapping->prot);
	if (stale)
		pagetable_invalidate(address);
	pagetable_flush();
	return result && !is_present(address) ? VM_FAULT_NO_MEMORY : VM_FAULT_DONE;
}

enum vm_fault vm_fault(uint64_t address, int want)
{
	const struct mapping *mapping = mappings_at(address);
	if (!mapping && personality.memory_grow(address)) {
		if (!personality.memory_is_lazy && allows(vm_protection(address), want))
			return VM_FAULT_DONE;
		mapping = mappings_at(address);
	}
	if (!mapping)
		return VM_FAULT_UNMAPPED;
	if (!allows(mapping->prot, want) || (!mapping->backing.ops && !personality.memory_is_lazy))
		return VM_FAULT_DENIED;
	if (!mapping->backing.ops)
		return fill_around(mapping, address);
	uint64_t page = address & ~(PAGE_SIZE - 1);
	bool known = is_copy(page);
	if (want == VM_EXEC && !known && !personality.exec_is_plain) /* executable mappings were copied completely when
	                                                                they were made, so the file had no such page */
		return VM_FAULT_BEYOND;
	if (want != VM_WRITE && !known && show_block(mapping, page)) {
		if (is_plenty())
			show_ahead(mapping, page);
		pagetable_forget(page & ~(BLOCK_SIZE - 1));
		pagetable_flush();
		return VM_FAULT_DONE;
	}
	int result = want == VM_EXEC && !known ? show_code(mapping, page)
	                                       : map_object_page(mapping, page, want == VM_WRITE ? VM_STORE : VM_LOAD);
	if (!result && want != VM_WRITE) {
		show_around(mapping, page);
		if (is_plenty())
			show_ahead(mapping, page);
	} else if (!result && !mapping->backing.shared)
		copy_around(mapping, page);
	copy_now();
	if (!known) /* the fault itself has invalidated the processor's translation of the page (SDM 3A 4.10.4.1) */
		pagetable_forget(page);
	pagetable_flush();
	return outcome(result);
}

enum vm_fault vm_populate(uint64_t address, uint64_t bytes, int want)
{
	int result = 0;
	for (uint64_t at = address; !result && at < address + bytes; at += PAGE_SIZE) {
		const struct mapping *mapping = mappings_at(at);
		assert(mapping != NULL);
		if (!allows(mapping->prot, want))
			return VM_FAULT_DENIED;
		if (mapping->backing.ops)
			result = map_object_page(mapping, at, want == VM_WRITE ? VM_STORE : VM_LOAD);
		else {
			uint64_t end = mapping->end < address + bytes ? mapping->end : address + bytes;
			if (personality.memory_is_lazy && mapping->prot)
				result = pages_fill(at, end, mapping->prot);
			at = end - PAGE_SIZE;
		}
	}
	copy_now();
	pagetable_flush();
	return outcome(result);
}

int vm_detach(uint64_t address, uint64_t bytes)
{
	int result = 0;
	for (uint64_t at = address; !result && at < address + bytes; at += PAGE_SIZE) {
		const struct mapping *mapping = mappings_at(at);
		assert(mapping != NULL);
		if (mapping->backing.ops && !mapping->backing.shared)
			result = map_object_page(mapping, at, VM_STORE);
		if (result == -ENXIO)
			result = 0;
	}
	copy_now();
	return result;
}

bool vm_is_resident(uint64_t address)
{
	const struct mapping *mapping = mappings_at(address);
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	if (entry && *entry)
		return true;
	if (!mapping || !mapping->backing.ops)
		return false;
	const struct vm_backing *backing = &mapping->backing;
	uint64_t physical, number = backing->page + (address - mapping->start) / PAGE_SIZE;
	bool own;
	return backing->ops->page(backing->object, number, VM_PEEK, &physical, &own) == 0;
}

/* Works on the address space with the current mappings. */
static void zap(const void *object, uint64_t first, uint64_t end, bool copies)
{
	const struct mappings *all = &space_current->mappings;
	for (size_t i = 0; i < all->count; i++) {
		const struct mapping *mapping = &all->list[i];
		const struct vm_backing *backing = &mapping->backing;
		uint64_t pages = (mapping->end - mapping->start) / PAGE_SIZE;
		if (backing->object != object || backing->page >= end || backing->page + pages <= first)
			continue;
		uint64_t from = first > backing->page ? first - backing->page : 0;
		uint64_t to = end - backing->page < pages ? end - backing->page : pages;
		if (copies)
			pages_free(mapping->start + from * PAGE_SIZE, mapping->start + to * PAGE_SIZE);
		else
			pages_drop(mapping->start + from * PAGE_SIZE, mapping->start + to * PAGE_SIZE);
	}
	pagetable_flush();
}

void vm_zap(const void *object, uint64_t first, uint64_t end, bool copies)
{
	zap(object, first, end, copies);
	if (personality.vm_zap_elsewhere)
		personality.vm_zap_elsewhere(object, first, end, copies);
}
