/* SPDX-License-Identifier: MIT */
/* Saves each requested state and marks it as in use: which states a processor takes for unused depends on the
 * processor. */
#include "kernel/linux/cpu/xsave.h"

#include <stdint.h>

#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
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

#define OPCODE_XSAVE 4
#define OPCODE_XRSTOR 5

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

static bool save(uint64_t area, uint32_t states)
{
	static uint8_t built[CPU_AREA_BYTES] __attribute__((aligned(16)));
	uint64_t in_use;
	bool failed = false;
	cpu_save_vector(built);
	if (states & STATE_X87)
		failed |= copy_to_user((void *)area, built, X87_BYTES) ||
		          copy_to_user((void *)(area + STACK_AT), built + STACK_AT, XMM_AT - STACK_AT);
	if (states & (STATE_SSE | STATE_AVX))
		failed |= copy_to_user((void *)(area + X87_BYTES), built + X87_BYTES, MXCSR_BYTES);
	if (states & STATE_SSE)
		failed |= copy_to_user((void *)(area + XMM_AT), built + XMM_AT, XMM_BYTES);
	for (unsigned i = 0; i < PARTS; i++)
		if (states & parts[i].state)
			failed |=
				copy_to_user((void *)(area + parts[i].offset), built + parts[i].offset, parts[i].bytes);
	failed |= copy_from_user(&in_use, (const void *)(area + CPU_FXSAVE_BYTES), sizeof(in_use));
	in_use |= states;
	failed |= copy_to_user((void *)(area + CPU_FXSAVE_BYTES), &in_use, sizeof(in_use));
	return !failed;
}

static bool restore(uint64_t area, uint32_t states)
{
	static uint8_t wanted[CPU_AREA_BYTES] __attribute__((aligned(16))),
		now[CPU_AREA_BYTES] __attribute__((aligned(16)));
	static const uint8_t x87[X87_BYTES] = {0x7f, 0x03};
	uint64_t header[CPU_HEADER_BYTES / sizeof(uint64_t)];
	uint32_t mxcsr;
	if (copy_from_user(wanted, (const void *)area, cpu_xsave_bytes()))
		return false;
	memcpy(header, wanted + CPU_FXSAVE_BYTES, sizeof(header));
	for (unsigned i = 1; i < sizeof(header) / sizeof(header[0]); i++)
		if (header[i])
			return false;
	memcpy(&mxcsr, wanted + X87_BYTES, sizeof(mxcsr));
	if (header[0] & ~(uint64_t)cpu_xcr0() || ((states & (STATE_SSE | STATE_AVX)) && mxcsr & ~MXCSR_KNOWN))
		return false;
	if (!(header[0] & STATE_X87)) {
		memset(wanted, 0, XMM_AT);
		memcpy(wanted, x87, sizeof(x87));
	}
	if (!(header[0] & STATE_SSE))
		memset(wanted + XMM_AT, 0, XMM_BYTES);
	xsave_clear(wanted, header[0]);
	cpu_save_vector(now);
	if (states & STATE_X87) {
		memcpy(now, wanted, X87_BYTES);
		memcpy(now + STACK_AT, wanted + STACK_AT, XMM_AT - STACK_AT);
	}
	if (states & (STATE_SSE | STATE_AVX))
		memcpy(now + X87_BYTES, &mxcsr, sizeof(mxcsr));
	if (states & STATE_SSE)
		memcpy(now + XMM_AT, wanted + XMM_AT, XMM_BYTES);
	for (unsigned i = 0; i < PARTS; i++)
		if (states & parts[i].state)
			memcpy(now + parts[i].offset, wanted + parts[i].offset, parts[i].bytes);
	now[CPU_FXSAVE_BYTES] =
		CPU_STATE_AVX | (cpu_model == CPU_V4 ? CPU_STATE_WIDE : 0); /* they may be nonzero now */
	cpu_load_vector(now);
	return true;
}

bool xsave_emulate(const struct trap_frame *frame, const unsigned char *code, unsigned length)
{
	const unsigned char *at = code;
	uint8_t rex = (*at & 0xf0) == 0x40 ? *at++ : 0;
	if (at[0] != 0x0f || at[1] != 0xae) /* XSAVEC and XSAVEOPT are not in leaf 0xd; segments' bases are not used */
		return false;
	const unsigned operation = at[2] >> 3 & 7;
	const uint64_t area = operand_address(frame, at + 2, rex, frame->rip - 1 + length);
	const uint32_t states = (uint32_t)frame->rax & cpu_xcr0();
	if (area % ALIGNMENT)
		return false;
	return operation == OPCODE_XSAVE ? save(area, states) : operation == OPCODE_XRSTOR && restore(area, states);
}
