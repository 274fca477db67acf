/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_price.h"

#include "abi/code.h"

#define PRICE(name, price, instruction) PRICE_##name = price,
enum { TICK_PRICE_LIST(PRICE) };
#undef PRICE

/* The opcode of an instruction, without legacy prefixes and REX, and what was before it. */
struct opcode {
	uint8_t map; /* 0: one byte; 1: after 0f; 2: after 0f 38, 3: after 0f 3a; others are not told apart */
	uint8_t byte, modrm, sib;
	bool has_repeat, has_lock;
};

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || (byte & 0xe7) == 0x26 ||
	       (byte & 0xfe) == 0x64;
}

/* Reads an instruction that was disassembled, so that it ends within `length` bytes. */
static struct opcode opcode_of(const uint8_t *at, unsigned length)
{
	struct opcode found = {0};
	unsigned i = 0;
	for (; i + 1 < length && is_prefix(at[i]); i++) {
		found.has_lock |= at[i] == 0xf0;
		found.has_repeat |= at[i] == 0xf2 || at[i] == 0xf3;
	}
	if (at[i] == 0xc5 && i + 3 < length) { /* VEX, with map 1 */
		found.map = 1;
		found.has_repeat = at[i + 1] & 2;
		i += 2;
	} else if ((at[i] == 0xc4 || at[i] == 0x62) && i + 4 < length) { /* VEX, EVEX */
		found.map = at[i + 1] & 7;
		found.has_repeat = at[i + 2] & 2;
		i += at[i] == 0x62 ? 4 : 3;
	} else {
		if ((at[i] & 0xf0) == 0x40 && i + 1 < length)
			i++;
		if (at[i] == 0x0f && i + 1 < length) {
			found.map = 1;
			i++;
		}
		if (found.map && (at[i] == 0x38 || at[i] == 0x3a) && i + 1 < length)
			found.map = at[i++] == 0x38 ? 2 : 3;
	}
	found.byte = i < length ? at[i] : 0;
	found.modrm = i + 1 < length ? at[i + 1] : 0;
	found.sib = i + 2 < length ? at[i + 2] : 0;
	return found;
}

static unsigned price_of_one_byte(const struct opcode *opcode)
{
	const unsigned reg = opcode->modrm >> 3 & 7;
	if ((opcode->byte & 0xfe) == 0xf6)
		return reg >= 6 ? PRICE_DIVIDE : reg >= 4 ? PRICE_MULTIPLY : 0;
	if (opcode->byte == 0x69 || opcode->byte == 0x6b)
		return PRICE_MULTIPLY;
	if ((opcode->byte & 0xf0) == 0x50) /* push, pop */
		return PRICE_STACK;
	if ((opcode->byte >= 0xa4 && opcode->byte <= 0xa7) || (opcode->byte >= 0xaa && opcode->byte <= 0xaf))
		return opcode->has_repeat ? PRICE_STRING : PRICE_MEMORY;
	if (opcode->byte == 0xff && reg == 6)
		return PRICE_MEMORY;
	return 0;
}

/* What an instruction costs by its opcode, in addition to PRICE_PLAIN. */
static unsigned price_of_opcode(const struct opcode *opcode)
{
	if (opcode->has_lock)
		return PRICE_LOCKED;
	if (opcode->map == 0)
		return price_of_one_byte(opcode);
	if (opcode->map != 1)
		return 0;
	return opcode->byte == 0xaf   ? PRICE_MULTIPLY
	       : opcode->byte == 0x5e ? PRICE_FP_DIVIDE
	       : opcode->byte == 0x51 ? PRICE_FP_DIVIDE /* square root */
	                              : 0;
}

/* Whether an instruction works on several elements of vector registers, or moves them. The repeat prefixes make it one
 * on a single element, but in movdqu. */
static bool is_vector(const struct opcode *opcode)
{
	const uint8_t byte = opcode->byte;
	if (opcode->map == 2 || opcode->map == 3)
		return byte < 0xf0; /* others are integer instructions */
	const bool is_moved = byte == 0x6f || byte == 0x7f;
	const bool is_sse = (byte >= 0x10 && byte <= 0x17) || (byte >= 0x28 && byte <= 0x2f) ||
	                    (byte >= 0x50 && byte <= 0x7f) || byte == 0xc2 || byte == 0xc6 || byte >= 0xd0;
	return opcode->map == 1 && is_sse && (is_moved || !opcode->has_repeat);
}

/* What the memory operand of an instruction costs, by its addressing form. */
static unsigned price_of_memory(const struct opcode *opcode)
{
	const bool has_sib = (opcode->modrm & 7) == 4;
	const unsigned base = (has_sib ? opcode->sib : opcode->modrm) & 7;
	const bool is_lea = opcode->map == 0 && opcode->byte == 0x8d;
	const bool is_nop = opcode->map == 1 && opcode->byte >= 0x18 && opcode->byte <= 0x1f;
	if (is_lea || is_nop)
		return 0;
	if (is_vector(opcode))
		return PRICE_VECTOR_MEMORY;
	if (has_sib && (opcode->sib >> 3 & 7) != 4)
		return PRICE_INDEXED;
	return (base == 4 && has_sib) || (base == 5 && opcode->modrm >> 6) ? PRICE_STACK : PRICE_MEMORY;
}

unsigned tick_repeated_bytes(const uint8_t *at, unsigned length)
{
	const bool is_wide = length == 3 && at[1] == 0x48;
	/* Other prefixes are rare. */
	if ((at[0] & 0xfe) != 0xf2 || !(length == 2 || is_wide))
		return 0;
	const uint8_t opcode = at[length - 1];
	if ((opcode & 0xfe) != 0xa4 && (opcode & 0xfe) != 0xaa)
		return 0;
	return !(opcode & 1) ? 1 : is_wide ? 8 : 4;
}

unsigned tick_price_of_bytes(unsigned bytes)
{
	return bytes * PRICE_BYTES * CODE_TICK_PARTS / (16 << TICK_PRICE_SHIFT);
}

unsigned tick_price_of(const struct code_area *area, const struct code_step *step)
{
	const struct instruction *in = &step->instruction;
	const struct opcode opcode = opcode_of(area->bytes + (step->address - area->address), in->length);
	const unsigned memory = in->flags & INSTRUCTION_MEMORY ? price_of_memory(&opcode) : 0;
	if (in->flags & INSTRUCTION_INDIRECT)
		return PRICE_POINTER;
	if (in->flags & INSTRUCTION_LEAVES)
		return opcode.byte == 0xff && !opcode.map ? PRICE_POINTER : PRICE_CALL;
	if (in->flags & INSTRUCTION_TARGET && !(in->flags & INSTRUCTION_REFERENCE))
		return in->flags & INSTRUCTION_END ? PRICE_PLAIN : PRICE_BRANCH;
	return (is_vector(&opcode) ? PRICE_VECTOR : PRICE_PLAIN) + price_of_opcode(&opcode) + memory;
}
