/* SPDX-License-Identifier: MIT */
/* An instruction that writes to the page that it is in needs both at once: it is stepped over, alone, with the page
 * writable and executable and without patches. */
#include "kernel/linux/jit_pages.h"

#include "abi/code.h"
#include "kernel/end.h"
#include "kernel/linux/code_bytes.h"
#include "kernel/linux/jit_patches.h"
#include "kernel/linux/patch.h"
#include "kernel/linux/spin.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/trap/emulate.h"

#define RFLAGS_TF 0x100UL

#define PAGE_FAULT_WRITE 2UL
#define PAGE_FAULT_FETCH 16UL

const bool exec_is_settled_late = true;

/* The step over an instruction that writes to its own page, or begins in the one before it. */
static struct {
	bool active;
	uint64_t pages[2];
	uint64_t trap_flag; /* as the program has it */
} step;

static uint64_t page_of(uint64_t address)
{
	return address & ~(PAGE_SIZE - 1);
}

/* The entry of a page that is the mapping's own, or NULL. */
static uint64_t *own_entry(uint64_t page)
{
	bool large;
	uint64_t *entry = pagetable_entry(page, false, &large);
	if (!entry || !(*entry & PTE_OWNED))
		return NULL;
	if (large) {
		if (pagetable_split(page))
			end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs");
		entry = pagetable_entry(page, false, &large);
	}
	return entry;
}

static void set(uint64_t *entry, uint64_t page, int prot, uint64_t bits)
{
	*entry = (*entry & (PTE_ADDRESS | PTE_OWNED)) | pages_flags(prot) | bits;
	pagetable_invalidate(page);
}

/* Makes data of code. */
static void thaw(const struct mapping *mapping, uint64_t page, uint64_t *entry)
{
	code_unshare(page);
	if (*entry & PTE_PATCHED)
		patch_undo(page);
	else
		jit_patches_undo(page);
	set(entry, page, mapping->prot & ~VM_EXEC, 0);
}

/* Makes code of data. */
static void settle(const struct mapping *mapping, uint64_t page, uint64_t *entry, uint64_t executed)
{
	jit_patches_find(page, executed);
	set(entry, page, mapping->prot & ~VM_WRITE, PTE_CODE | PTE_MADE);
}

void jit_pages_unsettle(uint64_t address, uint64_t bytes)
{
	const struct mapping *mapping = mappings_at(address);
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		if (!code_is_fresh(page, page + 1))
			continue;
		code_unshare(page);
		set(own_entry(page), page, mapping->prot & ~VM_EXEC, 0);
	}
	pagetable_flush();
}

void exec_thaw(uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		bool large;
		uint64_t *entry = pagetable_entry(page, false, &large);
		if (!entry || large)
			page |= BLOCK_SIZE - PAGE_SIZE;
		else if (*entry & PTE_CODE)
			thaw(mappings_at(page), page, entry);
	}
}

/* Makes the page of an instruction, if it is code, writable for the time of a step. */
static void open(unsigned which, uint64_t page)
{
	const struct mapping *mapping = mappings_at(page);
	uint64_t *entry = own_entry(page);
	step.pages[which] = 0;
	if (!mapping || !entry || !(*entry & PTE_CODE))
		return;
	thaw(mapping, page, entry);
	*entry &= ~PTE_NO_EXECUTE;
	step.pages[which] = page;
}

static void begin_step(struct trap_frame *frame)
{
	uint64_t first = page_of(frame->rip), last = page_of(frame->rip + CODE_INSTRUCTION_MAX - 1);
	open(0, first);
	open(1, last != first ? last : 0);
	step.active = true;
	step.trap_flag = frame->rflags & RFLAGS_TF;
	frame->rflags |= RFLAGS_TF;
}

/* What the step has left is data. */
static void end_step(struct trap_frame *frame)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t *entry = step.pages[i] ? own_entry(step.pages[i]) : NULL;
		if (!entry || *entry & PTE_CODE)
			continue;
		*entry |= PTE_NO_EXECUTE;
		pagetable_invalidate(step.pages[i]);
	}
	pagetable_flush();
	step.active = false;
	frame->rflags = (frame->rflags & ~RFLAGS_TF) | step.trap_flag;
}

static bool is_in_instruction(const struct trap_frame *frame, uint64_t page)
{
	return page == page_of(frame->rip) || page == page_of(frame->rip + CODE_INSTRUCTION_MAX - 1);
}

/* A page that shall be executed. */
static bool fault_to_execute(const struct mapping *mapping, uint64_t page, uint64_t executed)
{
	if (!(mapping->prot & VM_EXEC))
		return false;
	uint64_t *entry = own_entry(page);
	if (!entry && !mapping->backing.ops) {
		if (vm_fault(page, VM_READ) != VM_FAULT_DONE)
			return false;
		entry = own_entry(page);
	}
	if (!entry || *entry & PTE_CODE)
		return false;
	settle(mapping, page, entry, executed);
	pagetable_flush();
	return true;
}

/* A page that shall be written to. */
static bool fault_to_write(const struct mapping *mapping, uint64_t page, struct trap_frame *frame)
{
	uint64_t *entry = own_entry(page);
	if (!(mapping->prot & VM_WRITE) || !entry || !(*entry & PTE_CODE))
		return false;
	if (is_in_instruction(frame, page))
		begin_step(frame);
	else
		thaw(mapping, page, entry);
	pagetable_flush();
	return true;
}

bool exec_fault(struct trap_frame *frame)
{
	if (!step.active && spin_trap(frame))
		return true;
	bool was_step = step.active && frame->vector == TRAP_DEBUG;
	if (step.active)
		end_step(frame);
	if (frame->vector != TRAP_PAGE_FAULT)
		return was_step && !(frame->rflags & RFLAGS_TF);
	const struct mapping *mapping = mappings_at(frame->address);
	uint64_t page = page_of(frame->address);
	if (!mapping)
		return false;
	if (frame->error_code & PAGE_FAULT_FETCH)
		return fault_to_execute(mapping, page, frame->rip);
	return frame->error_code & PAGE_FAULT_WRITE && fault_to_write(mapping, page, frame);
}
