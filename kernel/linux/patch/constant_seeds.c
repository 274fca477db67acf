/* SPDX-License-Identifier: MIT */
/* Seeds are set in a mapping when it is made, when it becomes writable, when it gets the file's contents again, and
 * when the file's seeds become known, which is when its code is mapped. A value that differs from the file's constant
 * was stored by the program. Pages are copied before anything writes to them. */
#include "kernel/linux/patch/constant_seeds.h"

#include <stddef.h>

#include "abi/boot.h"
#include "abi/code.h"
#include "abi/constant_seeds.h"
#include "kernel/arch/direct_map.h"
#include "kernel/end.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/inode.h"
#include "kernel/mm/space.h"

static const struct range {
	uint32_t low, high;
} ranges[] = {
#define X(unused, symbol, name, low, high) {low, high},
	CONSTANT_SEEDS(X)
#undef X
};

static uint64_t run_seed(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->seed;
}

/* The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
	return x ^ x >> 31;
}

static uint32_t seeded(uint32_t constant, const struct range *range)
{
	uint64_t values = (uint64_t)range->high - range->low + 1;
	return range->low + (uint32_t)(mix(mix(run_seed()) + constant) % values);
}

static void set_seed(struct inode *inode, const struct code_patch *patch, uint64_t address)
{
	const struct range *range = &ranges[patch->reason];
	uint32_t constant, value;
	if (data_read(inode, &constant, sizeof(constant), patch->offset) != sizeof(constant) || constant < range->low ||
	    constant > range->high)
		return;
	enum vm_fault fault = vm_populate(address & ~(PAGE_SIZE - 1), PAGE_SIZE, VM_WRITE);
	if (fault == VM_FAULT_NO_MEMORY)
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's data needs; raise --memory");
	if (fault != VM_FAULT_DONE)
		return;
	code_get(&value, address, sizeof(value));
	if (value != constant)
		return;
	value = seeded(constant, range);
	code_put(address, &value, sizeof(value));
}

/* Sets the seeds in the part of a mapping inside [start, end). */
static void set_in(const struct mapping *mapping, uint64_t start, uint64_t end)
{
	const struct vm_backing *backing = &mapping->backing;
	start = start > mapping->start ? start : mapping->start;
	end = end < mapping->end ? end : mapping->end;
	if (!backing->ops || backing->shared || !(mapping->prot & VM_WRITE))
		return;
	struct inode *inode = backing->object;
	uint64_t first = backing->page * PAGE_SIZE, offset = first + (start - mapping->start);
	const struct code_patch *patch;
	for (; (patch = patch_next_seed(inode, offset)); offset = patch->offset + patch->length) {
		uint64_t address = mapping->start + (patch->offset - first);
		if (patch->offset < first || address >= end)
			break;
		set_seed(inode, patch, address);
	}
}

/* Sets the seeds in [address, address + bytes) that still have the file's value. Ends the run without memory. */
static void set_seeds_between(uint64_t address, uint64_t bytes)
{
	const struct mappings *all = &space_current->mappings;
	if (!run_seed())
		return;
	for (size_t i = mappings_find(address); i < all->count && all->list[i].start < address + bytes; i++)
		set_in(&all->list[i], address, address + bytes);
}

void constant_seeds_set_all(const void *object)
{
	const struct mappings *all = &space_current->mappings;
	for (size_t i = 0; i < all->count && run_seed(); i++)
		if (all->list[i].backing.object == object)
			set_in(&all->list[i], 0, UINT64_MAX);
}

int constant_seeds_map_object(uint64_t address, uint64_t bytes, int prot, const struct vm_backing *backing)
{
	int result = vm_map_object_plain(address, bytes, prot, backing);
	if (!result)
		set_seeds_between(address, bytes);
	return result;
}

int constant_seeds_protect(uint64_t address, uint64_t bytes, int prot)
{
	int result = vm_protect_plain(address, bytes, prot);
	if (prot & VM_WRITE)
		set_seeds_between(address, bytes);
	return result;
}

void constant_seeds_discard(uint64_t address, uint64_t bytes)
{
	vm_discard_plain(address, bytes);
	set_seeds_between(address, bytes);
}
