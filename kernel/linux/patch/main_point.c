/* SPDX-License-Identifier: MIT */
/* The trap is in the code that the program executes, which is a copy already, and goes when it was hit. So the memory
 * of such a run is that of a run without it. */
#include "kernel/linux/patch/main_point.h"

#include "abi/code.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/mm/pagetable.h"
#include "kernel/sched/policy.h"

#define BYTE_SHIFT 8 /* of the replaced byte, in sched_from.main */

void main_point_set(uint64_t entry)
{
	static const uint8_t trap = CODE_TRAP;
	struct sched_from *from = &sched_shared()->from;
	uint64_t at = entry + from->number;
	if (from->kind != SCHED_FROM_MAIN || from->main != SCHED_MAIN_WANTED || !(code_page(at) & PTE_CODE))
		return;
	from->number = at;
	from->main = SCHED_MAIN_SET | (uint32_t)*code_byte(at) << BYTE_SHIFT;
	code_put(at, &trap, sizeof(trap));
}

bool main_point_reached(struct trap_frame *frame)
{
	const struct sched_from *from = &sched_shared()->from;
	const uint8_t byte = (uint8_t)(from->main >> BYTE_SHIFT);
	if (!(from->main & SCHED_MAIN_SET) || frame->rip - 1 != from->number || !code_page(from->number) ||
	    *code_byte(from->number) != CODE_TRAP)
		return false;
	struct trap_frame *own = (struct trap_frame *)(LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - 24) - 1;
	code_put(from->number, &byte, sizeof(byte));
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
