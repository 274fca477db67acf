/* SPDX-License-Identifier: MIT */
/* Only the usual instructions of compiled code are copied. An operand relative to the instruction pointer becomes one
 *in a register that the instruction does not use, which the next instruction of the copy restores:
 *
 *	INSTRUCTION          as it is, or with (%rsi) or (%rdi) in place of DISPLACEMENT(%rip)
 *	movabs $VALUE, REG   only then
 *	jmp *0(%rip)
 *	.quad NEXT
 */
#include "kernel/linux/debug/debug_aside.h"

#include <stddef.h>

#include "kernel/arch/trap_register.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/memory/linux_space.h"

#define COPY_AT (PAGE_SIZE - 64) /* in the page: INSTRUCTION, movabs, jmp and NEXT take at most 15 + 10 + 6 + 8 */
#define COPY_BYTES 64

#define REX 0x40
#define REX_W 8
#define REX_R 4
#define RSI 6
#define RDI 7

/* A decoded instruction. */
struct plain {
	unsigned bytes; /* 0: it is not one that is copied */
	unsigned rex_at, modrm_at;
	bool has_rex, has_modrm;
	bool is_relative; /* its operand is relative to the instruction pointer */
};

/* What follows the opcode. */
enum form {
	FORM_NONE, /* it is not copied */
	FORM_PLAIN,
	FORM_BYTE, /* an immediate byte */
	FORM_WORD, /* an immediate of the operand's size, at most 4 bytes */
	FORM_FULL, /* of 8 bytes with REX.W */
	FORM_MODRM,
	FORM_MODRM_BYTE,
	FORM_MODRM_WORD,
	FORM_GROUP_BYTE, /* f6, f7: an immediate with reg 0 and 1 */
	FORM_GROUP_WORD,
	FORM_GROUP_PLAIN, /* fe, ff: only reg 0 and 1 */
	FORM_ZERO_BYTE,   /* c6, c7: an immediate, only reg 0 */
	FORM_ZERO_WORD,
};

static enum form form_of(uint8_t opcode)
{
	if (opcode < 0x40)
		return (opcode & 7) < 4    ? FORM_MODRM
		       : (opcode & 7) == 4 ? FORM_BYTE
		       : (opcode & 7) == 5 ? FORM_WORD
		                           : FORM_NONE;
	switch (opcode) {
	case 0x50 ... 0x5f: /* push, pop */
	case 0x90 ... 0x99: /* xchg, cwde, cdq */
	case 0xc9:          /* leave */
		return FORM_PLAIN;
	case 0x6a:
	case 0xa8:
	case 0xb0 ... 0xb7:
		return FORM_BYTE;
	case 0x68:
	case 0xa9:
		return FORM_WORD;
	case 0xb8 ... 0xbf:
		return FORM_FULL;
	case 0x63:
	case 0x84 ... 0x8b: /* test, xchg, mov */
	case 0x8d:
	case 0xd0 ... 0xd3: /* shifts */
		return FORM_MODRM;
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xc0:
	case 0xc1:
		return FORM_MODRM_BYTE;
	case 0x69:
	case 0x81:
		return FORM_MODRM_WORD;
	case 0xc6:
		return FORM_ZERO_BYTE;
	case 0xc7:
		return FORM_ZERO_WORD;
	case 0xf6:
		return FORM_GROUP_BYTE;
	case 0xf7:
		return FORM_GROUP_WORD;
	case 0xfe:
	case 0xff:
		return FORM_GROUP_PLAIN;
	default:
		return FORM_NONE;
	}
}

/* After 0f. */
static enum form form_of_second(uint8_t opcode)
{
	switch (opcode) {
	case 0x10 ... 0x17: /* moves of SSE */
	case 0x1e ... 0x1f: /* endbr64, nop */
	case 0x28 ... 0x2f:
	case 0x40 ... 0x4f: /* cmov */
	case 0x51 ... 0x6f:
	case 0x7e ... 0x7f:
	case 0x90 ... 0x9f: /* setcc */
	case 0xaf:          /* imul */
	case 0xb6 ... 0xb7: /* movzx */
	case 0xbe ... 0xbf: /* movsx */
	case 0xd4:
	case 0xd6:
	case 0xeb:
	case 0xef:
	case 0xfa ... 0xfe:
		return FORM_MODRM;
	default:
		return FORM_NONE;
	}
}

/* Bytes of the displacement and SIB behind a ModRM. */
static unsigned operand_bytes(const uint8_t *modrm)
{
	const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	const bool has_sib = mod != 3 && rm == 4;
	if (mod == 0)
		return rm == 5 ? 4 : has_sib ? ((modrm[1] & 7) == 5 ? 5 : 1) : 0;
	return (mod == 1 ? 1U : mod == 2 ? 4U : 0U) + has_sib;
}

static unsigned immediate_bytes(enum form form, unsigned reg, bool is_short, bool is_wide)
{
	const unsigned word = is_short ? 2 : 4;
	switch (form) {
	case FORM_BYTE:
	case FORM_MODRM_BYTE:
	case FORM_ZERO_BYTE:
		return 1;
	case FORM_WORD:
	case FORM_MODRM_WORD:
	case FORM_ZERO_WORD:
		return word;
	case FORM_FULL:
		return is_wide ? 8 : word;
	case FORM_GROUP_BYTE:
		return reg < 2 ? 1 : 0;
	case FORM_GROUP_WORD:
		return reg < 2 ? word : 0;
	default:
		return 0;
	}
}

/* The bytes behind them are zeros. */
static struct plain decode_plain(const uint8_t code[DEBUG_CODE_BYTES + 8])
{
	struct plain plain = {0};
	unsigned at = 0;
	bool is_short = false;
	for (; at < 4 && (code[at] == 0x66 || code[at] == 0xf2 || code[at] == 0xf3); at++)
		is_short |= code[at] == 0x66;
	plain.has_rex = (code[at] & 0xf0) == REX;
	plain.rex_at = at;
	at += plain.has_rex;
	const uint8_t rex = plain.has_rex ? code[plain.rex_at] : 0;
	const bool is_second = code[at] == 0x0f;
	at += is_second;
	const enum form form = is_second ? form_of_second(code[at]) : form_of(code[at]);
	at++;
	plain.modrm_at = at;
	plain.has_modrm = form >= FORM_MODRM;
	const unsigned reg = code[at] >> 3 & 7;
	if (form == FORM_NONE || (form == FORM_GROUP_PLAIN && reg > 1) || (form >= FORM_ZERO_BYTE && reg))
		return plain;
	if (plain.has_modrm) {
		plain.is_relative = (code[at] & 0xc7) == 5;
		at += 1 + operand_bytes(code + at);
	}
	plain.bytes = at + immediate_bytes(form, reg, is_short && !(rex & REX_W), rex & REX_W);
	return plain;
}

/* --- jumps --- */

/* Whether the condition of a jump holds (SDM 1, appendix B). */
static bool condition_holds(unsigned number, uint64_t flags)
{
	const bool cf = flags & 1, pf = flags & 4, zf = flags & 0x40, sf = flags & 0x80, of = flags & 0x800;
	const bool conditions[] = {of, cf, zf, cf || zf, sf, pf, sf != of, zf || sf != of};
	return conditions[number >> 1 & 7] != (number & 1);
}

static bool follow_jump(struct trap_frame *frame, const uint8_t *code, unsigned bytes)
{
	const bool is_near = code[0] == 0xe9 || (code[0] == 0x0f && (code[1] & 0xf0) == 0x80);
	const bool is_short = code[0] == 0xeb || (code[0] & 0xf0) == 0x70;
	const unsigned length = is_short ? 2 : code[0] == 0xe9 ? 5 : 6;
	const unsigned number = code[0] == 0x0f ? code[1] : code[0];
	const bool always = code[0] == 0xe9 || code[0] == 0xeb;
	int32_t distance = (int8_t)code[1];
	if (!(is_near || is_short) || length > bytes)
		return false;
	if (is_near)
		memcpy(&distance, code + length - sizeof(distance), sizeof(distance));
	frame->rip += length;
	if (always || condition_holds(number & 0xf, frame->rflags))
		frame->rip += (uint64_t)(int64_t)distance;
	return true;
}

/* --- the copy --- */

static uint64_t copy_place(void)
{
	const uint64_t page = debug_aside_page();
	return page ? page + COPY_AT : 0;
}

uint64_t debug_aside_page(void)
{
	static const char magic[4] = {0x7f, 'E', 'L', 'F'}, none[COPY_BYTES];
	char begins[sizeof(magic)], rest[COPY_BYTES];
	const uint64_t page = linux_space_self()->layout.vdso;
	if (!page || !debug_memory_peek(page, begins, sizeof(begins)) || memcmp(begins, magic, sizeof(magic)))
		return 0;
	if (debug_state()->aside_page == page) /* which has been looked at, and may have a copy in it now */
		return page;
	if (!debug_memory_peek(page + COPY_AT, rest, sizeof(rest)) || memcmp(rest, none, sizeof(none)))
		return 0;
	debug_state()->aside_page = page;
	return page;
}

/* Puts the operand's address into a register. Returns the size of the instruction, which has no displacement any more.
 */
static unsigned replace_operand(struct trap_frame *frame, const struct plain *plain, uint8_t *code)
{
	struct debug_state *state = debug_state();
	const uint8_t rex = plain->has_rex ? code[plain->rex_at] : 0;
	const unsigned used = (code[plain->modrm_at] >> 3 & 7U) | (rex & REX_R ? 8U : 0U);
	const unsigned number = used == RSI ? RDI : RSI;
	int32_t distance;
	uint8_t *modrm = code + plain->modrm_at;
	memcpy(&distance, modrm + 1, sizeof(distance));
	if (plain->has_rex)
		code[plain->rex_at] &= (uint8_t)~1;
	*modrm = (uint8_t)((*modrm & 0x38) | number);
	memmove(modrm + 1, modrm + 1 + sizeof(distance), plain->bytes - plain->modrm_at - 1 - sizeof(distance));
	state->aside_register = number;
	state->aside_value = trap_register_get(frame, number);
	trap_register_set(frame, number, frame->rip + plain->bytes + (uint64_t)(int64_t)distance);
	return plain->bytes - (unsigned)sizeof(distance);
}

bool debug_aside_go(struct trap_frame *frame, const uint8_t given[DEBUG_CODE_BYTES], unsigned bytes, uint8_t *page)
{
	static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
	struct debug_state *state = debug_state();
	uint8_t code[DEBUG_CODE_BYTES + 8] = {0}, *at;
	memcpy(code, given, bytes);
	if (follow_jump(frame, code, bytes))
		return true;
	const struct plain plain = decode_plain(code);
	if (!page || !plain.bytes || plain.bytes > bytes)
		return false;
	unsigned length = plain.bytes;
	const uint64_t next = frame->rip + plain.bytes;
	state->aside_from = frame->rip;
	state->aside_next = next;
	state->aside_register = 0;
	if (plain.is_relative)
		length = replace_operand(frame, &plain, code);
	at = page + COPY_AT;
	memcpy(at, code, length);
	at += length;
	if (state->aside_register) {
		*at++ = REX | REX_W;
		*at++ = (uint8_t)(0xb8 + state->aside_register);
		memcpy(at, &state->aside_value, sizeof(state->aside_value));
		at += sizeof(state->aside_value);
	}
	memcpy(at, jump, sizeof(jump));
	memcpy(at + sizeof(jump), &next, sizeof(next));
	frame->rip = copy_place();
	return true;
}

bool debug_aside_leave(struct trap_frame *frame)
{
	const struct debug_state *state = debug_state();
	const uint64_t copy = state->aside_page ? state->aside_page + COPY_AT : 0;
	if (!copy || frame->rip < copy || frame->rip >= copy + COPY_BYTES)
		return false;
	const bool is_before = frame->rip == copy;
	if (state->aside_register)
		trap_register_set(frame, (unsigned)state->aside_register, state->aside_value);
	frame->rip = is_before ? state->aside_from : state->aside_next;
	return is_before;
}
