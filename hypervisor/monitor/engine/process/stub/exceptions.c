/* SPDX-License-Identifier: MIT */
/* Does what a processor does at an exception (SDM volume 3A, 6.12 and 6.14): reads the IDT in guest memory, switches to
 * the stack that the gate names, and pushes a frame there. There is no ring 0, so this file also does the work of the
 * kernel's two ring-0 stubs (kernel/arch/gate.S). */
#include "engine/process/stub/exceptions.h"

#include "abi/tables.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/mapped.h"
#include "engine/process/stub/spaces.h"
#include "engine/process/stub/stops.h"
#include "engine/process/stub/system.h"
#include "engine/process/stub/tables.h"

#define RFLAGS_TF 0x100L
#define RFLAGS_NT 0x4000L
#define RFLAGS_RF 0x10000L

#define VECTOR_PAGE_FAULT 14U

/* 1 for each vector that has an error code: 8, 10 to 14, 17, 21. */
#define VECTORS_WITH_ERROR 0x00227d00U

#define TSS_IST_1 36U

static const char triple_fault[] =
	"the guest's processor shut down: an exception could not be delivered (triple fault)";

static uint64_t read_physical(uint64_t address)
{
	return *(volatile uint64_t *)(LAYOUT_ENGINE_WINDOW + address);
}

/* Loads registers from a frame in the kernel's memory, as IRETQ does. */
static void load_frame(greg_t *registers, uint64_t at)
{
	const uint64_t *frame = tables_memory(at);
	if (!frame || (at & (PAGE_SIZE - 1)) > PAGE_SIZE - IMAGE_FRAME_BYTES)
		stops_broken(registers, triple_fault);
	registers[REG_RIP] = (greg_t)frame[0];
	registers[REG_EFL] = (greg_t)frame[2];
	registers[REG_RSP] = (greg_t)frame[3];
}

/* Does the work of the kernel's gate_breakpoint. */
static void breakpoint(ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const struct image_header *image = &PLAN->image;
	uint64_t from = (uint64_t)registers[REG_RIP], argument = (uint64_t)registers[REG_RDI];
	if (from == image->gate_load_cr3) {
		if (!argument)
			stops_broken(registers, triple_fault);
		spaces_load(context, argument);
	} else if (from == image->gate_invlpg) {
		mapped_forget_page(argument);
	} else {
		load_frame(registers, image->breakpoint_frame);
	}
}

void exceptions_deliver(ucontext_t *context, unsigned vector, uint64_t error, uint64_t address)
{
	greg_t *registers = context->uc_mcontext.gregs;
	const uint64_t low = read_physical(LAYOUT_IDT + 16 * vector),
		       high = read_physical(LAYOUT_IDT + 16 * vector + 8);
	const uint64_t target = (low & 0xffff) | (low >> 48) << 16 | high << 32;
	const unsigned selector = low >> 16 & 0xffff, ist = low >> 32 & 7;
	const uint64_t top = ist ? read_physical(LAYOUT_TSS + TSS_IST_1 + 8 * (ist - 1)) & ~15UL : 0;
	uint64_t *frame = top ? tables_memory(top - 8) : NULL;
	if (!frame || ((top - 8) & (PAGE_SIZE - 1)) < 8 * sizeof(uint64_t) || !(low >> 47 & 1))
		stops_broken(registers, triple_fault);
	const uint64_t *end = frame + 1;
	*frame = (uint64_t)registers[REG_CSGSFS] >> 48;
	*--frame = (uint64_t)registers[REG_RSP];
	*--frame = (uint64_t)registers[REG_EFL];
	*--frame = (uint64_t)registers[REG_CSGSFS] & 0xffff;
	*--frame = (uint64_t)registers[REG_RIP];
	if (VECTORS_WITH_ERROR >> vector & 1)
		*--frame = error;
	registers[REG_CSGSFS] = (greg_t)(((uint64_t)registers[REG_CSGSFS] & 0x0000ffffffff0000UL) |
	                                 SELECTOR_RING3_CODE | (uint64_t)SELECTOR_RING3_DATA << 48);
	if (selector == SELECTOR_RING3_CODE) {
		registers[REG_RIP] = (greg_t)target;
		registers[REG_RSP] = (greg_t)(top - (uint64_t)((const char *)end - (const char *)frame));
		registers[REG_EFL] &= ~(RFLAGS_TF | RFLAGS_NT | RFLAGS_RF);
	} else if (vector == VECTOR_PAGE_FAULT) {
		*--frame = (uint64_t)registers[REG_RAX]; /* the work of gate_page_fault */
		registers[REG_RAX] = (greg_t)address;
		load_frame(registers, PLAN->image.page_fault_frame);
	} else {
		breakpoint(context);
	}
}
