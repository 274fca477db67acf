/* SPDX-License-Identifier: MIT */
#include "kernel/trap/refused.h"

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/trap/operand.h"

#define CODE_BYTES 16 /* one more than the maximum length of an instruction */

#define LOCK 0xf0
#define RSP 4
#define RDI 7

/* The parts of an instruction (SDM 2A, chapter 2). */
struct instruction {
	uint8_t code[CODE_BYTES];
	unsigned map; /* 0: one byte; 1, 2, 3: after 0F, 0F 38, 0F 3A */
	uint8_t opcode, rex;
	bool is_locked, is_vex, is_wide;
	const uint8_t *modrm;
};

/* Skips prefixes, and finds opcode and ModRM. A prefix for a segment base or a 32-bit address ends the search and
 * counts as an unknown opcode, so that the instruction is not handled here. */
static bool decode(uint64_t rip, struct instruction *out)
{
	const uint8_t *at = out->code;
	*out = (struct instruction){0};
	for (unsigned i = 0; i < CODE_BYTES; i++) /* byte by byte: the next page may not be mapped */
		if (copy_from_user(&out->code[i], (const void *)(rip + i), 1))
			break;
	while (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == LOCK || *at == 0x2e || *at == 0x36 || *at == 0x3e ||
	       *at == 0x26) {
		out->is_locked |= *at == LOCK;
		if (++at == out->code + 4)
			return false;
	}
	if ((*at & 0xf0) == 0x40)
		out->rex = *at++;
	if (*at == 0xc5) {
		out->is_vex = true;
		out->map = 1;
		out->is_wide = at[1] & 4;
		at += 2;
	} else if (*at == 0xc4) {
		out->is_vex = true;
		out->map = at[1] & 31;
		out->rex = ~at[1] >> 5 & 7;
		out->is_wide = at[2] & 4;
		at += 3;
	} else if (*at == 0x0f) {
		at++;
		out->map = *at == 0x38 ? 2 : *at == 0x3a ? 3 : 1;
		at += out->map > 1;
	}
	out->opcode = *at;
	out->modrm = at + 1;
	return out->map <= 3;
}

static bool is_byte_between(uint8_t value, uint8_t low, uint8_t high)
{
	return value >= low && value <= high;
}

#define X87_FIRST 0xd8
#define X87_LAST 0xdf
#define STATE 0xae /* FXSAVE, FXRSTOR, LDMXCSR, STMXCSR; also the XSAVE family, which some processors lack */
#define MASKMOV 0xf7
#define CMPXCHG16B 0xc7

/* Whether the instruction has a ModRM and exists on all processors of the model. */
static bool is_known_instruction(const struct instruction *it)
{
	static const struct {
		uint8_t low, high;
	} known[] = {{0x10, 0x17}, {0x28, 0x2f}, {0x50, 0x70}, {0x74, 0x76}, {0x7c, 0x7f},
	             {0xae, 0xae}, {0xb8, 0xb8}, {0xbc, 0xbd}, {0xc2, 0xc7}, {0xd0, 0xfe}};
	if (it->is_locked)
		return it->map == 1 && it->opcode == CMPXCHG16B;
	if (it->map == 0)
		return is_byte_between(it->opcode, X87_FIRST, X87_LAST);
	for (unsigned i = 0; it->map == 1 && i < sizeof(known) / sizeof(known[0]); i++)
		if (is_byte_between(it->opcode, known[i].low, known[i].high))
			return true;
	return it->map > 1;
}

/* The alignment that an instruction requires; 1: none. SSE instructions without such a requirement are executed, so one
 * that gets here requires 16 bytes. */
static uint64_t alignment(const struct instruction *it)
{
	static const uint8_t moves[] = {0x28, 0x29, 0x2b, 0x6f, 0x7f, 0xe7};
	if (!it->is_vex)
		return it->map ? 16 : 1;
	bool checks = it->map == 2 && it->opcode == 0x2a;
	for (unsigned i = 0; it->map == 1 && i < sizeof(moves); i++)
		checks |= it->opcode == moves[i];
	return !checks ? 1 : it->is_wide ? 32 : 16;
}

/* The address of the next instruction, to which the operand's address may be relative. */
static uint64_t next_of(const struct instruction *it, uint64_t rip)
{
	bool has_immediate =
		it->map == 3 ||
		(it->map == 1 && (it->opcode == 0x70 || it->opcode == 0xc2 || is_byte_between(it->opcode, 0xc4, 0xc6)));
	return rip + (uint64_t)(it->modrm - it->code) + 1 + sizeof(int32_t) + has_immediate;
}

static bool is_canonical(uint64_t address)
{
	return (int64_t)(address << 16) >> 16 == (int64_t)address;
}

/* Whether the operand's base is RSP or RBP: then a processor raises a stack-segment fault (SDM 2A, 2.1.5). */
static bool is_of_stack(const struct instruction *it)
{
	const unsigned mod = *it->modrm >> 6, rm = *it->modrm & 7;
	const unsigned base = rm == RSP ? it->modrm[1] & 7 : rm;
	return !(it->rex & 1) && (base == RSP || (base == RSP + 1 && mod != 0));
}

void refused_settle(struct trap_frame *frame)
{
	struct instruction it;
	if (frame->vector != TRAP_INVALID_OPCODE || !decode(frame->rip, &it) || !is_known_instruction(&it))
		return;
	const unsigned operation = *it.modrm >> 3 & 7;
	bool is_state = it.map == 1 && it.opcode == STATE, of_stack = false;
	uint64_t address, aligned = alignment(&it);
	if (operand_is_memory(*it.modrm)) {
		address = operand_address(frame, it.modrm, it.rex, next_of(&it, frame->rip));
		of_stack = is_of_stack(&it);
	} else if (it.map == 1 && it.opcode == MASKMOV) {
		address = trap_register_get(frame, RDI);
		aligned = 1;
	} else {
		return;
	}
	if (is_state && is_byte_between((uint8_t)operation, 4, 6))
		return;
	if (is_canonical(address) && address % aligned == 0 &&
	    !(is_state && operation == 2)) /* LDMXCSR (2) also faults on an invalid value */
		return;
	frame->vector = is_canonical(address) || !of_stack ? TRAP_GENERAL_PROTECTION : TRAP_STACK_SEGMENT;
	frame->error_code = 0;
}

/* Whether the instruction uses memory only at the stack pointer: push, pop, a call or a return. */
static bool is_of_stack_pointer(const struct instruction *it)
{
	if (it->map == 1)
		return (it->opcode & 0xf6) == 0xa0; /* PUSH and POP of FS and GS */
	switch (it->opcode) {
	case 0x68: /* PUSH of a constant */
	case 0x6a:
	case 0x9c: /* PUSHF, POPF */
	case 0x9d:
	case 0xc2: /* RET, ENTER, LEAVE, IRET, CALL */
	case 0xc3:
	case 0xc8:
	case 0xc9:
	case 0xcf:
	case 0xe8:
		return it->map == 0;
	case 0xff: /* CALL and PUSH of a register */
		return it->map == 0 && !operand_is_memory(*it->modrm);
	default:
		return it->map == 0 && is_byte_between(it->opcode, 0x50, 0x5f);
	}
}

/* Whether an opcode of one byte that can access memory has no ModRM: string instructions, MOV at an absolute address,
 * XLAT, and the prefixes at which decode() stops. (TEST with a constant lies among them, and accesses no memory.) */
static bool has_no_modrm(const struct instruction *it)
{
	return it->map == 0 && (is_byte_between(it->opcode, 0x64, 0x67) || is_byte_between(it->opcode, 0x6c, 0x6f) ||
	                        is_byte_between(it->opcode, 0xa0, 0xaf) || it->opcode == 0xd7);
}

bool refused_is_of_stack(const struct trap_frame *frame)
{
	struct instruction it;
	if (!decode(frame->rip, &it))
		return false;
	return is_of_stack_pointer(&it) || (!has_no_modrm(&it) && operand_is_memory(*it.modrm) && is_of_stack(&it));
}
