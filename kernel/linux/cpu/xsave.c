/* SPDX-License-Identifier: MIT */
/* Saves each requested state and marks it as in use: which states a processor takes for unused depends on the
 * processor. */
#include "kernel/linux/cpu/xsave.h"

#include <stdint.h>

#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/signal/signal.h"
#include "kernel/trap/operand.h"

#define STATE_X87 1U
#define STATE_SSE 2U
#define STATE_AVX 4U
#define STATE_MASKS 0x20U
#define STATE_HIGH 0x40U
#define STATE_MORE 0x80U

/* Places in the legacy region. */
#define X87_BYTES 24 /* control words and the address of the last instruction; then MXCSR and its mask */
#define MXCSR_BYTES 8
#define STACK_AT 32 /* the x87 registers */
#define XMM_AT 160
#define XMM_BYTES 256
#define MXCSR_KNOWN 0xffffU
#define ALIGNMENT 64
#define HEADER_CHECKED 24 /* bytes of the header that XRSTOR checks in the standard format (SDM 1, 13.8.1) */

#define OPCODE_STATE 0xae /* after 0x0f; ModRM.reg selects the instruction */
#define OPERATION_XSAVE 4
#define OPERATION_XRSTOR 5

/* An area in the program's memory. */
struct area {
	uint64_t address;
	uint64_t bad; /* where an access failed */
};

enum outcome {
	DONE,
	FAULT,   /* at area.bad */
	INVALID, /* the alignment or the contents of the area */
};

/* The state components after the header. */
static const struct {
	uint32_t state, offset, bytes;
} parts[] = {
	{STATE_AVX, CPU_V3_AVX_OFFSET, CPU_V3_AVX_BYTES},
	{STATE_MASKS, CPU_V4_MASKS_OFFSET, CPU_V4_MASKS_BYTES},
	{STATE_HIGH, CPU_V4_HIGH_OFFSET, CPU_V4_HIGH_BYTES},
	{STATE_MORE, CPU_V4_MORE_OFFSET, CPU_V4_MORE_BYTES},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

void xsave_clear(uint8_t *area, uint64_t states)
{
	for (unsigned i = 0; i < PARTS; i++)
		if (!(states & parts[i].state))
			memset(area + parts[i].offset, 0, parts[i].bytes);
}

/* Where a failed access to a range of at most two pages met the page that it may not access. */
static uint64_t first_bad(uint64_t address, bool is_store)
{
	uint8_t byte;
	bool failed = copy_from_user(&byte, (const void *)address, 1) ||
	              (is_store && copy_to_user((void *)address, &byte, 1));
	return failed ? address : (address | (PAGE_SIZE - 1)) + 1;
}

/* Copies a part of an area to or from the same place in the program's memory. */
static bool put_part(struct area *area, const uint8_t *from, unsigned offset, unsigned bytes)
{
	const uint64_t address = area->address + offset;
	if (!copy_to_user((void *)address, from + offset, bytes))
		return true;
	area->bad = first_bad(address, true);
	return false;
}

static bool get(struct area *area, uint8_t *to, unsigned offset, unsigned bytes)
{
	const uint64_t address = area->address + offset;
	if (!copy_from_user(to + offset, (const void *)address, bytes))
		return true;
	area->bad = first_bad(address, false);
	return false;
}

static bool put_legacy(struct area *area, const uint8_t *from, uint32_t states)
{
	if (states & STATE_X87 &&
	    !(put_part(area, from, 0, X87_BYTES) && put_part(area, from, STACK_AT, XMM_AT - STACK_AT)))
		return false;
	if (states & (STATE_SSE | STATE_AVX) && !put_part(area, from, X87_BYTES, MXCSR_BYTES))
		return false;
	return !(states & STATE_SSE) || put_part(area, from, XMM_AT, XMM_BYTES);
}

static enum outcome save(struct area *area, uint32_t states)
{
	static uint8_t built[CPU_AREA_BYTES] __attribute__((aligned(16)));
	uint64_t in_use;
	cpu_save_vector(built);
	if (!put_legacy(area, built, states))
		return FAULT;
	for (unsigned i = 0; i < PARTS; i++)
		if (states & parts[i].state && !put_part(area, built, parts[i].offset, parts[i].bytes))
			return FAULT;
	if (!get(area, built, CPU_FXSAVE_BYTES, sizeof(in_use)))
		return FAULT;
	memcpy(&in_use, built + CPU_FXSAVE_BYTES, sizeof(in_use));
	in_use |= states;
	memcpy(built + CPU_FXSAVE_BYTES, &in_use, sizeof(in_use));
	return put_part(area, built, CPU_FXSAVE_BYTES, sizeof(in_use)) ? DONE : FAULT;
}

/* Reads an area with those of the states that it has. The others get their values at the processor's start. */
static enum outcome read_area(struct area *area, uint8_t *wanted, uint32_t states)
{
	static const uint8_t x87[X87_BYTES] = {0x7f, 0x03};
	uint64_t header[HEADER_CHECKED / sizeof(uint64_t)];
	uint32_t mxcsr;
	if (!get(area, wanted, 0, CPU_FXSAVE_BYTES + CPU_HEADER_BYTES))
		return FAULT;
	memcpy(header, wanted + CPU_FXSAVE_BYTES, sizeof(header));
	memcpy(&mxcsr, wanted + X87_BYTES, sizeof(mxcsr));
	if (header[0] & ~(uint64_t)cpu_xcr0() || header[1] || header[2] ||
	    (states & (STATE_SSE | STATE_AVX) && mxcsr & ~MXCSR_KNOWN))
		return INVALID;
	if (!(header[0] & STATE_X87)) {
		memset(wanted, 0, X87_BYTES);
		memset(wanted + STACK_AT, 0, XMM_AT - STACK_AT);
		memcpy(wanted, x87, sizeof(x87));
	}
	if (!(header[0] & STATE_SSE))
		memset(wanted + XMM_AT, 0, XMM_BYTES);
	const uint64_t present = states & header[0];
	xsave_clear(wanted, present);
	for (unsigned i = 0; i < PARTS; i++)
		if (present & parts[i].state && !get(area, wanted, parts[i].offset, parts[i].bytes))
			return FAULT;
	return DONE;
}

static enum outcome restore_states(struct area *area, uint32_t states)
{
	static uint8_t wanted[CPU_AREA_BYTES] __attribute__((aligned(16))),
		now[CPU_AREA_BYTES] __attribute__((aligned(16)));
	const enum outcome outcome = read_area(area, wanted, states);
	if (outcome != DONE)
		return outcome;
	cpu_save_vector(now);
	if (states & STATE_X87) {
		memcpy(now, wanted, X87_BYTES);
		memcpy(now + STACK_AT, wanted + STACK_AT, XMM_AT - STACK_AT);
	}
	if (states & (STATE_SSE | STATE_AVX))
		memcpy(now + X87_BYTES, wanted + X87_BYTES, sizeof(uint32_t)); /* without the mask of MXCSR */
	if (states & STATE_SSE)
		memcpy(now + XMM_AT, wanted + XMM_AT, XMM_BYTES);
	for (unsigned i = 0; i < PARTS; i++)
		if (states & parts[i].state)
			memcpy(now + parts[i].offset, wanted + parts[i].offset, parts[i].bytes);
	now[CPU_FXSAVE_BYTES] =
		CPU_STATE_AVX | (cpu_model == CPU_V4 ? CPU_STATE_WIDE : 0); /* they may be nonzero now */
	cpu_load_vector(now);
	return DONE;
}

void xsave_emulate(struct trap_frame *frame, const uint8_t *code, unsigned length)
{
	struct operand operand;
	operand_decode(frame, code, length, &operand);
	const unsigned operation = operand.modrm >> 3 & 7;
	const uint32_t states = (uint32_t)frame->rax & cpu_xcr0();
	struct area area = {.address = operand.address};
	enum outcome outcome = INVALID;
	if (operand.opcode[1] != OPCODE_STATE || (operation != OPERATION_XSAVE && operation != OPERATION_XRSTOR)) {
		frame->rip--;
		frame->vector = TRAP_INVALID_OPCODE;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGILL, LINUX_ILL_ILLOPN, frame->rip,
		             "the program executed XSAVEC or XSAVEOPT, which its processor model does not have");
		return;
	}
	if (area.address % ALIGNMENT == 0)
		outcome = operation == OPERATION_XSAVE ? save(&area, states) : restore_states(&area, states);
	if (outcome == DONE) {
		frame->rip += length - 1UL;
	} else if (outcome == FAULT) {
		operand_fault(frame, area.bad, operation == OPERATION_XSAVE);
	} else {
		frame->rip--;
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program executed XSAVE or XRSTOR with an area that is not aligned to 64 bytes, or "
		             "XRSTOR with an area that has state or a format that the processor model does not have");
	}
}
