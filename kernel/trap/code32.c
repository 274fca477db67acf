/* SPDX-License-Identifier: MIT */
/* Each instruction is executed as the SDM (volume 2) defines it. AAA sets SF, ZF and PF by its result, as AMD
 * processors do; the SDM leaves them undefined. OF, which it also leaves undefined, keeps its value. */
#include "kernel/trap/code32.h"

#include <stdint.h>

#include "abi/layout.h"
#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"

#define OPCODE_DAA 0x27
#define OPCODE_AAA 0x37
#define OPCODE_ARPL 0x63

#define FLAG_CF 0x01UL
#define FLAG_PF 0x04UL
#define FLAG_AF 0x10UL
#define FLAG_ZF 0x40UL
#define FLAG_SF 0x80UL

#define RPL 3UL

static void set_flags(struct trap_frame *frame, uint64_t mask, uint64_t value)
{
	frame->rflags = (frame->rflags & ~mask) | (value & mask);
}

/* SF, ZF and PF of a byte. */
static uint64_t flags_of(uint8_t value)
{
	return (value & 0x80 ? FLAG_SF : 0) | (!value ? FLAG_ZF : 0) | (!__builtin_parity(value) ? FLAG_PF : 0);
}

static void decimal_adjust(struct trap_frame *frame)
{
	const uint8_t before = (uint8_t)frame->rax;
	uint8_t al = before;
	uint64_t flags = 0;
	if ((before & 15) > 9 || (frame->rflags & FLAG_AF)) {
		al = (uint8_t)(al + 0x06);
		flags |= FLAG_AF;
	}
	if (before > 0x99 || (frame->rflags & FLAG_CF)) {
		al = (uint8_t)(al + 0x60);
		flags |= FLAG_CF;
	}
	frame->rax = (frame->rax & ~0xffUL) | al;
	set_flags(frame, FLAG_CF | FLAG_AF | FLAG_SF | FLAG_ZF | FLAG_PF, flags | flags_of(al));
}

static void ascii_adjust(struct trap_frame *frame)
{
	uint16_t ax = (uint16_t)frame->rax;
	bool carries = (ax & 15) > 9 || (frame->rflags & FLAG_AF);
	ax = (uint16_t)((ax + (carries ? 0x106 : 0)) & 0xff0f);
	frame->rax = (frame->rax & ~0xffffUL) | ax;
	set_flags(frame, FLAG_CF | FLAG_AF | FLAG_SF | FLAG_ZF | FLAG_PF,
	          (carries ? FLAG_CF | FLAG_AF : 0) | flags_of((uint8_t)ax));
}

static void adjust_rpl(struct trap_frame *frame, uint8_t modrm)
{
	const uint64_t to = trap_register_get(frame, modrm & 7), from = trap_register_get(frame, modrm >> 3 & 7);
	bool raises = (to & RPL) < (from & RPL);
	if (raises)
		trap_register_set(frame, modrm & 7, (to & ~RPL) | (from & RPL));
	set_flags(frame, FLAG_ZF, raises ? FLAG_ZF : 0);
}

bool code32_emulate(struct trap_frame *frame)
{
	uint8_t code[2];
	if (frame->vector != TRAP_INVALID_OPCODE || frame->cs != SELECTOR_RING3_CODE32 ||
	    copy_from_user(code, (const void *)frame->rip, 1))
		return false;
	if (code[0] == OPCODE_DAA || code[0] == OPCODE_AAA) {
		if (code[0] == OPCODE_DAA)
			decimal_adjust(frame);
		else
			ascii_adjust(frame);
		frame->rip++;
		return true;
	}
	if (code[0] != OPCODE_ARPL || copy_from_user(&code[1], (const void *)(frame->rip + 1), 1) || code[1] < 0xc0)
		return false;
	adjust_rpl(frame, code[1]);
	frame->rip += sizeof(code);
	return true;
}
