/* SPDX-License-Identifier: MIT */
/* An instruction that writes to its own page needs both rights at once. The kernel steps this one instruction, with the
 * page writable, executable and without patches.
 *
 * Code with doubtful bytes is watched: all instructions of its page are stepped, so that reaching such a place is seen,
 * while reads find the bytes unchanged. */
#include "kernel/linux/patch/jit_pages.h"

#include "abi/code.h"
#include "abi/tables.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/spin.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/jit_doubts.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/pages.h"
#include "kernel/mm/pagetable.h"
#include "kernel/trap/emulate.h"

#define RFLAGS_TF 0x100UL

/* Opcodes that read the flags, or set them. */
#define INT1 0xf1
#define IRET 0xcf
#define POPF 0x9d
#define PUSHF 0x9c

#define PAGE_FAULT_WRITE 2UL
#define PAGE_FAULT_FETCH 16UL

/* The step over an instruction that writes to its own page, starts in the page before it, or is watched. */
static struct {
	bool active;
	uint64_t pages[2];
	uint64_t trap_flag; /* the trap flag as the program set it */
	uint8_t opcode;
	uint64_t watched; /* address of the last watched instruction */
} step;

static uint64_t page_of(uint64_t address)
{
	return address & ~(PAGE_SIZE - 1);
}

/* The entry of a page that the mapping owns, or NULL. */
static uint64_t *own_entry(uint64_t page)
{
	bool large;
	uint64_t *entry = pagetable_entry(page, false, &large);
	if (!entry || !(*entry & PTE_OWNED))
		return NULL;
	if (large) {
		if (pagetable_split(page))
			end_with_report(END_REFUSED, 0,
			                "no memory is left for what a program's code needs; raise --memory");
		entry = pagetable_entry(page, false, &large);
	}
	return entry;
}

static void set_page_rights(uint64_t *entry, uint64_t page, int prot, uint64_t bits)
{
	*entry = (*entry & (PTE_ADDRESS | PTE_OWNED)) | pages_flags(prot) | bits;
	pagetable_invalidate(page);
}

/* Unmaps a page of an object. The next fault on it decides what it is. */
static void set_absent(uint64_t page, uint64_t *entry)
{
	*entry = 0;
	pagetable_invalidate(page);
}

/* Turns a page of code into data. */
static void thaw(const struct mapping *mapping, uint64_t page, uint64_t *entry)
{
	code_unshare(page);
	if (*entry & PTE_PATCHED)
		patch_undo(page);
	else
		jit_patches_undo(page);
	jit_patches_count(STATS_CODE_pages_written);
	set_page_rights(entry, page, mapping->prot & ~VM_EXEC, 0);
}

/* Turns a page of data into code. */
static void settle_page(const struct mapping *mapping, uint64_t page, uint64_t *entry, uint64_t executed)
{
	if (jit_patches_find(page, executed))
		set_page_rights(entry, page, (mapping->prot & ~(VM_WRITE | VM_EXEC)) | VM_READ,
		                PTE_CODE | PTE_MADE | PTE_WATCHED);
	else
		set_page_rights(entry, page, mapping->prot & ~VM_WRITE, PTE_CODE | PTE_MADE);
}

static bool is_watched(const uint64_t *entry)
{
	return *entry & PTE_WATCHED;
}

/* The address of an instruction's opcode, after its prefixes, and the opcode's bytes as far as they are in memory. */
static uint64_t look_at_opcode(uint64_t address, uint8_t opcode[2])
{
	uint64_t at = address;
	opcode[0] = opcode[1] = 0;
	for (; at < address + CODE_INSTRUCTION_MAX; at++) {
		if (copy_from_user(opcode, (const void *)at, 1))
			return at;
		switch (opcode[0]) {
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x64:
		case 0x65:
		case 0x66:
		case 0x67:
		case 0xf0:
		case 0xf2:
		case 0xf3:
			continue;
		default:
			if ((opcode[0] & 0xf0) == 0x40) /* REX */
				continue;
		}
		break;
	}
	if (copy_from_user(&opcode[1], (const void *)(at + 1), 1))
		opcode[1] = 0;
	return at;
}

void jit_pages_unsettle(uint64_t address, uint64_t bytes)
{
	const struct mapping *mapping = mappings_at(address);
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		if (!code_is_fresh(page, page + 1))
			continue;
		code_unshare(page);
		set_page_rights(own_entry(page), page, mapping->prot & ~VM_EXEC, 0);
	}
	pagetable_flush();
}

void jit_pages_thaw(uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		bool large;
		uint64_t *entry = pagetable_entry(page, false, &large);
		if (entry && (*entry & (PTE_CODE | PTE_OWNED)) == PTE_CODE)
			set_absent(page, entry);
		else if (!entry || large)
			page |= BLOCK_SIZE - PAGE_SIZE;
		else if (*entry & PTE_CODE)
			thaw(mappings_at(page), page, entry);
	}
}

/* Makes a page of code writable during a step. Other pages stay unchanged. */
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

/* Makes a watched page executable during a step. Other pages stay unchanged. */
static void open_watched(unsigned which, uint64_t page)
{
	uint64_t *entry = page ? own_entry(page) : NULL;
	step.pages[which] = 0;
	if (!entry || !is_watched(entry))
		return;
	step.pages[which] = page;
	if (!(*entry & PTE_NO_EXECUTE))
		return;
	*entry &= ~PTE_NO_EXECUTE;
	pagetable_invalidate(page);
}

static void begin_step(struct trap_frame *frame, void (*open_page)(unsigned which, uint64_t page))
{
	uint64_t first = page_of(frame->rip), last = page_of(frame->rip + CODE_INSTRUCTION_MAX - 1);
	uint8_t opcode[2];
	look_at_opcode(frame->rip, opcode);
	open_page(0, first);
	open_page(1, last != first ? last : 0);
	step.active = true;
	step.opcode = opcode[0];
	step.trap_flag = frame->rflags & RFLAGS_TF;
	frame->rflags |= RFLAGS_TF;
}

/* Sets the flags that the program would have without the step. */
static void settle_flags(struct trap_frame *frame)
{
	uint8_t pushed, *const at = (uint8_t *)frame->rsp + 1;
	bool is_done = frame->vector == TRAP_DEBUG;
	if (is_done && (step.opcode == POPF || step.opcode == IRET))
		return;
	frame->rflags = (frame->rflags & ~RFLAGS_TF) | step.trap_flag;
	if (!is_done || step.opcode != PUSHF || copy_from_user(&pushed, at, 1))
		return;
	pushed = (uint8_t)((pushed & ~(RFLAGS_TF >> 8)) | step.trap_flag >> 8);
	if (copy_to_user(at, &pushed, 1))
		return; /* another thread has unmapped the stack, so the program cannot see the flag either */
}

/* After a step, pages are data or watched again. */
static void close_pages(void)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t *entry = step.pages[i] ? own_entry(step.pages[i]) : NULL;
		if (!entry || (*entry & PTE_CODE && !is_watched(entry)))
			continue;
		*entry |= PTE_NO_EXECUTE;
		pagetable_invalidate(step.pages[i]);
	}
	pagetable_flush();
	step.active = false;
}

static void end_step(struct trap_frame *frame)
{
	close_pages();
	settle_flags(frame);
}

/* A `syscall` is not stepped over: it would store the flag in r11, and keep it set in the kernel. */
static void enter_syscall(struct trap_frame *frame, uint64_t opcode)
{
	syscall_flags = frame->rflags;
	frame->r11 = frame->rsp;
	frame->rcx = opcode + 2;
	frame->rip = (uint64_t)entry_syscall;
	frame->rsp = (uint64_t)linux_frame(thread_current);
	frame->rflags = TABLES_RFLAGS;
}

/* Executes one instruction in a watched page. */
static void step_watched(const struct mapping *mapping, uint64_t page, uint64_t *entry, struct trap_frame *frame)
{
	uint8_t opcode[2];
	uint64_t at = look_at_opcode(frame->rip, opcode);
	bool is_entry = frame->rip - step.watched > CODE_INSTRUCTION_MAX;
	step.watched = frame->rip;
	if (jit_doubts_come(page, at, is_entry)) {
		thaw(mapping, page, entry);
		settle_page(mapping, page, entry, frame->rip);
	} else if (!jit_doubts_count(page)) {
		set_page_rights(entry, page, mapping->prot & ~VM_WRITE, PTE_CODE | PTE_MADE);
	}
	if (!is_watched(entry))
		return;
	jit_patches_count(STATS_CODE_instructions_watched);
	if (opcode[0] == 0x0f && opcode[1] == 0x05)
		enter_syscall(frame, at);
	else
		begin_step(frame, open_watched);
}

static bool is_in_instruction(const struct trap_frame *frame, uint64_t page)
{
	return page == page_of(frame->rip) || page == page_of(frame->rip + CODE_INSTRUCTION_MAX - 1);
}

/* Steps on in a watched page that is still open: the fast path, which handles most steps. Returns whether it did. */
static bool step_in_open_page(struct trap_frame *frame)
{
	uint64_t page = page_of(frame->rip);
	uint64_t *entry = step.active && frame->vector == TRAP_DEBUG && step.pages[0] == page ? own_entry(page) : NULL;
	if (!entry || !is_watched(entry) || step.pages[1] || page_of(frame->rip + CODE_INSTRUCTION_MAX - 1) != page ||
	    step.trap_flag || step.opcode == INT1 || step.opcode == POPF || step.opcode == IRET)
		return false;
	settle_flags(frame);
	step.active = false;
	step_watched(mappings_at(page), page, entry, frame);
	if (!step.active)
		close_pages();
	return true;
}

/* Turns a page of data into code because the program executes it. Where tables are shadowed, the host makes the page's
 * translation anew before the program goes on, and takes the right to write from it; INVLPG would cost 13 us. */
static void settle_executed(const struct mapping *mapping, uint64_t page, uint64_t *entry, uint64_t executed)
{
	settle_page(mapping, page, entry, executed);
	if (pagetable_is_shadowed())
		pagetable_forget(page);
}

/* Handles a fault on a page that the program executes. */
static bool fault_to_execute(const struct mapping *mapping, uint64_t page, struct trap_frame *frame)
{
	if (!(mapping->prot & VM_EXEC))
		return false;
	uint64_t *entry = own_entry(page);
	if (!entry && (!mapping->backing.ops || mapping->prot & VM_WRITE)) {
		if (vm_fault(page, mapping->backing.ops ? VM_EXEC : VM_READ) != VM_FAULT_DONE)
			return false;
		entry = own_entry(page);
	}
	if (!entry || (*entry & PTE_CODE && !is_watched(entry)))
		return false;
	if (is_watched(entry))
		step_watched(mapping, page, entry, frame);
	else
		settle_executed(mapping, page, entry, frame->rip);
	pagetable_flush();
	return true;
}

/* Handles a fault on a page to which the program writes. */
static bool fault_to_write(const struct mapping *mapping, uint64_t page, struct trap_frame *frame)
{
	uint64_t *entry = own_entry(page);
	if (!(mapping->prot & VM_WRITE) || !entry || !(*entry & PTE_CODE))
		return false;
	if (is_in_instruction(frame, page)) {
		jit_patches_count(STATS_CODE_stores_stepped);
		begin_step(frame, open);
	} else {
		thaw(mapping, page, entry);
	}
	pagetable_flush();
	return true;
}

bool jit_pages_fault(struct trap_frame *frame)
{
	if (!step.active && spin_trap(frame))
		return true;
	if (step_in_open_page(frame))
		return true;
	bool was_step = step.active && frame->vector == TRAP_DEBUG && step.opcode != INT1;
	if (step.active)
		end_step(frame);
	if (frame->vector != TRAP_PAGE_FAULT)
		return was_step && !step.trap_flag;
	const struct mapping *mapping = mappings_at(frame->address);
	uint64_t page = page_of(frame->address);
	if (!mapping)
		return false;
	if (frame->error_code & PAGE_FAULT_FETCH)
		return fault_to_execute(mapping, page, frame);
	return frame->error_code & PAGE_FAULT_WRITE && fault_to_write(mapping, page, frame);
}
