/* SPDX-License-Identifier: MIT */
/* CPUID, RDTSC and similar instructions, computed from the processor model and the virtual clock. The time stamp
 * counter runs at 1 GHz. */
#include "kernel/trap/emulate.h"

#include "abi/cpu_model.h"
#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/trap/base_instruction.h"
#include "kernel/trap/descriptor.h"
#include "kernel/trap/refused.h"
#include "kernel/trap/x87_state.h"

/* Cost of reading the counter, so that a loop that waits for time to pass ends. */
#define RDTSC_NS 20

static void emulate_cpuid(struct trap_frame *frame)
{
	struct cpu_leaf leaf = cpu_model_leaf((uint32_t)frame->rax, (uint32_t)frame->rcx);
	frame->rax = leaf.eax;
	frame->rbx = leaf.ebx;
	frame->rcx = leaf.ecx;
	frame->rdx = leaf.edx;
}

void emulate_rdtsc(struct trap_frame *frame)
{
	vclock_advance(RDTSC_NS);
	/* As on a processor, whose counter starts at the boot. */
	uint64_t now = vclock_since_boot(vclock_ticks_inline() / TICKS_PER_NS);
	frame->rax = (uint32_t)now;
	frame->rdx = now >> 32;
}

/* Reads the instruction: its first byte is in the table, the others are in memory. */
static void emulate_by_code(struct trap_frame *frame, const struct trap_site *site)
{
	uint8_t code[DESCRIPTOR_CODE_BYTES] = {site->first};
	int error = copy_from_user(code + 1, (const void *)(site->address + 1), site->length - 1U);
	assert(!error); /* it is executed */
	if (site->kind == TRAP_BASE)
		base_instruction_trapped(frame, code, site->address);
	else if (site->kind == TRAP_X87_STATE)
		x87_state_emulate(frame, code, site->length);
	else
		descriptor_emulate(frame, code, site->length);
}

bool emulate_trap_site(struct trap_frame *frame)
{
	uint64_t address = frame->rip - 1;
	const struct trap_site *site = personality.emulate_site(address);
	if (!site)
		return personality.emulate_own(frame);
	switch (site->kind) {
	case TRAP_CPUID:
		emulate_cpuid(frame);
		break;
	case TRAP_RDTSC:
		emulate_rdtsc(frame);
		break;
	case TRAP_RDTSCP:
		emulate_rdtsc(frame);
		frame->rcx = 0; /* IA32_TSC_AUX: processor 0 */
		break;
	case TRAP_SEGMENT:
	case TRAP_DESCRIPTOR:
	case TRAP_X87_STATE:
	case TRAP_BASE:
		emulate_by_code(frame, site);
		return true;
	case TRAP_SYSENTER: /* as on a processor that has it, when the kernel does not use it */
		frame->rip = address;
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program executed SYSENTER or SYSEXIT, which enter or leave another kernel");
		return true;
	default: /* RDRAND, RDSEED, RDPID, XGETBV, TSX, RDPRU, VMCALL, AMX and others: not in the model */
		frame->rip = address;
		frame->vector = TRAP_INVALID_OPCODE;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGILL, LINUX_ILL_ILLOPN, address,
		             "the program executed an instruction that its processor model does not have");
		return true;
	}
	frame->rip = address + site->length;
	return true;
}

bool emulate_is_refused_cpuid(const struct trap_frame *frame)
{
	uint8_t code[CPUID_BYTES];
	return frame->vector == TRAP_GENERAL_PROTECTION && !frame->error_code &&
	       !copy_from_user(code, (const void *)frame->rip, sizeof(code)) && code[0] == 0x0f && code[1] == 0xa2;
}

bool emulate_refused(struct trap_frame *frame)
{
	uint8_t code[BASE_INSTRUCTION_BYTES] = {0};
	unsigned length = 0;
	for (unsigned i = 0; i < BASE_INSTRUCTION_BYTES; i++) /* byte by byte: the next page may not be mapped */
		if (copy_from_user(&code[i], (const void *)(frame->rip + i), 1))
			break;
	if (code[0] == 0x0f && code[1] == 0x31) {
		emulate_rdtsc(frame);
		length = 2;
	} else if (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9) {
		emulate_rdtsc(frame);
		frame->rcx = 0; /* IA32_TSC_AUX: processor 0 */
		length = 3;
	} else if (emulate_is_refused_cpuid(frame)) {
		emulate_cpuid(frame);
		length = CPUID_BYTES;
	} else if (frame->vector == TRAP_INVALID_OPCODE) {
		length = base_instruction_emulate(frame, code);
	}
	frame->rip += length;
	if (!length)
		refused_settle(frame);
	return length != 0;
}
