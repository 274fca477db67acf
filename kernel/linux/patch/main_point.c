/* SPDX-License-Identifier: MIT */
/* The trap is in the code that the program executes: in its copy, or in a page for page tables, because the run digest
 * leaves these out. The trap goes when it was hit. So the memory of such a run is that of a run without it. */
#include "kernel/linux/patch/main_point.h"

#include "abi/code.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/end.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/policy.h"

#define BYTE_SHIFT 8 /* of the replaced byte, in sched_from.main */

static uint8_t *byte_at(uint64_t address)
{
	return (uint8_t *)phys_to_virt(*code_entry(address) & PTE_ADDRESS) + address % PAGE_SIZE;
}

/* Makes the code at an address writable for the kernel. Returns whether there is any. */
static bool make_own(uint64_t address)
{
	const uint64_t page = address & ~(PAGE_SIZE - 1);
	if (!vm_is_mapped(page, PAGE_SIZE))
		return false;
	vm_populate(page, PAGE_SIZE, VM_READ);
	uint64_t *entry = code_entry(page);
	if (!entry || *entry & PTE_OWNED)
		return entry;
	uint64_t copy = pagetable_page_alloc();
	if (!copy)
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs; raise --memory");
	memcpy(phys_to_virt(copy), phys_to_virt(*entry & PTE_ADDRESS), PAGE_SIZE);
	*entry = copy | (*entry & ~PTE_ADDRESS);
	pagetable_invalidate(page);
	pagetable_flush();
	return true;
}

void main_point_set(uint64_t entry)
{
	struct sched_from *from = &sched_shared()->from;
	uint64_t at = entry + from->number;
	if (from->kind != SCHED_FROM_MAIN || from->main != SCHED_MAIN_WANTED || !make_own(at))
		return;
	if (*code_entry(at) & PTE_OWNED)
		code_unshare(at & ~(PAGE_SIZE - 1));
	from->number = at;
	from->main = SCHED_MAIN_SET | (uint32_t)*byte_at(at) << BYTE_SHIFT;
	*byte_at(at) = CODE_TRAP;
}

bool main_point_reached(struct trap_frame *frame)
{
	const struct sched_from *from = &sched_shared()->from;
	const uint8_t byte = (uint8_t)(from->main >> BYTE_SHIFT);
	if (!(from->main & SCHED_MAIN_SET) || frame->rip - 1 != from->number || !code_entry(from->number) ||
	    *byte_at(from->number) != CODE_TRAP)
		return false;
	if (byte == CODE_TRAP && from->kind != SCHED_FROM_MAIN)
		return false; /* this is the trap of a decision point at main, which was under that of main */
	struct trap_frame *own = (struct trap_frame *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - 24) - 1;
	if (*code_entry(from->number) & PTE_OWNED)
		code_unshare(from->number & ~(PAGE_SIZE - 1));
	*byte_at(from->number) = byte;
	*own = *frame;
	own->rip--;
	((uint64_t *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP))[-1] = own->rsp; /* for unwinders (ask.S) */
	/* Outside of the trap, whose stack further faults would use. A child may have a copy of the trap at main: then
	 * the policy has started already, and there is nothing more to do. */
	frame->rip = (uint64_t)entry_main;
	frame->rsp = (uint64_t)own;
	frame->rflags = TABLES_RFLAGS;
	return true;
}
