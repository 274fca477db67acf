/* SPDX-License-Identifier: MIT */
/* CPUID, RDTSC and their kin, from the processor model and the virtual clock. The counter runs at 1 GHz. */
#include "kernel/trap/emulate.h"

#include "abi/cpu_model.h"
#include "kernel/arch/gate.h"
#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/trap/descriptor.h"
#include "kernel/trap/refused.h"
#include "kernel/trap/x87_state.h"

/* What reading the counter costs; a loop that waits for time to pass so comes to its end. */
#define RDTSC_NS 20

static void emulate_cpuid(struct trap_frame *frame)
{
	struct cpu_leaf leaf = cpu_model_leaf((uint32_t)frame->rax, (uint32_t)frame->rcx);
	frame->rax = leaf.eax;
	frame->rbx = leaf.ebx;
	frame->rcx = leaf.ecx;
	frame->rdx = leaf.edx;
}

static void emulate_rdtsc(struct trap_frame *frame)
{
	vclock_advance(RDTSC_NS);
	uint64_t now = vclock_now();
	frame->rax = (uint32_t)now;
	frame->rdx = now >> 32;
}

/* Of the instruction the first byte is in the table, and the others are where they were. */
static void emulate_by_code(struct trap_frame *frame, const struct trap_site *site)
{
	uint8_t code[DESCRIPTOR_CODE_BYTES] = {site->first};
	int error = copy_from_user(code + 1, (const void *)(site->address + 1), site->length - 1U);
	assert(!error); /* it is executed */
	if (site->kind == TRAP_X87_STATE)
		x87_state_emulate(frame, code, site->length);
	else
		descriptor_emulate(frame, code, site->length);
}

bool emulate_trap_site(struct trap_frame *frame)
{
	uint64_t address = frame->rip - 1;
	const struct trap_site *site = emulate_site(address);
	if (!site)
		return emulate_own(frame);
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
		emulate_by_code(frame, site);
		return true;
	case TRAP_SYSENTER: /* as on a processor that has it, whose kernel has no use for it */
		frame->rip = address;
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program executed SYSENTER or SYSEXIT, which enter or leave another kernel");
		return true;
	default: /* RDRAND, RDSEED, RDPID, XGETBV, TSX, RDPRU, VMCALL and others: not in the model */
		frame->rip = address;
		signal_fault(frame, LINUX_SIGILL, LINUX_ILL_ILLOPN, address,
		             "the program executed an instruction that its processor model does not have");
		return true;
	}
	frame->rip = address + site->length;
	return true;
}

/* Bytes of an instruction that are looked at: F3 REX.W 0F AE ModRM. */
#define LOOK_BYTES 5
#define PREFIX_F3 0xf3
#define MODRM_REGISTER 3 /* mod: the operand is a register */
#define OPCODE_RDFSBASE 0
#define OPCODE_WRFSBASE 2

/* The FS base as this file has set it; nothing else can where ring 3 cannot. */
static uint64_t fs_base;

/* RDFSBASE and WRFSBASE (SDM 2B). Returns the instruction's length, 0 when it is another. */
static unsigned emulate_fs_base(struct trap_frame *frame, const uint8_t code[LOOK_BYTES])
{
	const uint8_t *at = code + 1;
	uint8_t rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
	uint64_t mask = rex & 8 ? UINT64_MAX : UINT32_MAX;
	if (code[0] != PREFIX_F3 || at[0] != 0x0f || at[1] != 0xae || at[2] >> 6 != MODRM_REGISTER)
		return 0;
	const unsigned number = (at[2] & 7U) | (rex & 1U) << 3;
	const uint64_t value = trap_register_get(frame, number) & mask;
	switch (at[2] >> 3 & 7) {
	case OPCODE_RDFSBASE:
		trap_register_set(frame, number, fs_base & mask);
		break;
	case OPCODE_WRFSBASE:
		if (value >> 47) /* an address that ring 3 cannot have */
			return 0;
		fs_base = value;
		gate_set_fs_base(fs_base);
		break;
	default:
		return 0;
	}
	return (unsigned)(at + 3 - code);
}

bool emulate_is_refused_cpuid(const struct trap_frame *frame)
{
	uint8_t code[CPUID_BYTES];
	return frame->vector == TRAP_GENERAL_PROTECTION && !frame->error_code &&
	       !copy_from_user(code, (const void *)frame->rip, sizeof(code)) && code[0] == 0x0f && code[1] == 0xa2;
}

bool emulate_refused_common(struct trap_frame *frame)
{
	uint8_t code[LOOK_BYTES] = {0};
	unsigned length = 0;
	for (unsigned i = 0; i < LOOK_BYTES; i++) /* byte by byte: the next page may not be mapped */
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
		length = emulate_fs_base(frame, code);
	}
	frame->rip += length;
	if (!length)
		refused_settle(frame);
	return length != 0;
}

/* Linux programs have more that the processor refuses (kernel/linux/patch.c). */
bool emulate_refused(struct trap_frame *frame) __attribute__((weak, alias("emulate_refused_common")));
