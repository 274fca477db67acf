/* SPDX-License-Identifier: MIT */
/* The segment bases of a thread are in struct thread; the processor's are set from them. */
#include "kernel/trap/base_instruction.h"

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/base.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/gate.h"
#include "kernel/arch/trap_register.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/signal/signal.h"

#define PREFIX_F3 0xf3
#define MODRM_REGISTER 3 /* mod: the operand is a register */
#define ADDRESS_END 0x7ffffffff000UL

/* The reg field of ModRM. */
enum {
	READ_FS,
	READ_GS,
	WRITE_FS,
	WRITE_GS,
};

/* Whether the processor lacks the instruction and no engine replaces it. This happens only under the multiboot door,
 * where the gate can set FS, but not GS. base_load_fs would trap here again. */
static bool is_by_gate(const struct trap_frame *frame)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return frame->vector == TRAP_INVALID_OPCODE && !boot->set_base;
}

/* Sets FS. The kernel's own WRFSBASE (base_wrfsbase) loads the base of the next thread, whose struct thread has the
 * value already. */
static void write_fs(const struct trap_frame *frame, uint64_t value)
{
	if (!is_by_gate(frame)) {
		thread_set_fs_base(value);
		return;
	}
	if (frame->rip != (uint64_t)base_wrfsbase)
		thread_current->fs_base = value;
	gate_set_fs_base(value);
}

unsigned base_instruction_emulate(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES])
{
	const uint8_t *at = code + 1;
	uint8_t rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
	uint64_t mask = rex & 8 ? UINT64_MAX : UINT32_MAX;
	if (code[0] != PREFIX_F3 || at[0] != 0x0f || at[1] != 0xae || at[2] >> 6 != MODRM_REGISTER)
		return 0;
	const unsigned number = (at[2] & 7U) | (rex & 1U) << 3, which = at[2] >> 3 & 7;
	thread_segments_unreadable |= is_by_gate(frame);
	thread_segments_note();
	const uint64_t value = trap_register_get(frame, number) & mask;
	if (which > WRITE_GS || (which >= WRITE_FS && value >= ADDRESS_END))
		return 0;
	if ((which == READ_GS || which == WRITE_GS) && is_by_gate(frame))
		return 0;
	if (which == READ_FS)
		trap_register_set(frame, number, thread_current->fs_base & mask);
	else if (which == READ_GS)
		trap_register_set(frame, number, thread_current->gs_base & mask);
	else if (which == WRITE_FS)
		write_fs(frame, value);
	else
		thread_set_gs_base(value);
	return (unsigned)(at + 3 - code);
}

void base_instruction_trapped(struct trap_frame *frame, const uint8_t code[BASE_INSTRUCTION_BYTES], uint64_t address)
{
	unsigned length = base_instruction_emulate(frame, code);
	frame->rip = address + length;
	if (!length) {
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program loaded a base of FS or GS that is no address of a program");
	}
}
