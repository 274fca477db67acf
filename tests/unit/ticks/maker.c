/* SPDX-License-Identifier: MIT */
#include "tests/unit/ticks/maker.h"

#include <assert.h>

unsigned maker_draw(struct maker *maker, unsigned limit)
{
	maker->random ^= maker->random << 13;
	maker->random ^= maker->random >> 7;
	maker->random ^= maker->random << 17;
	return (unsigned)((maker->random >> 20) % limit);
}

uint64_t maker_here(const struct maker *maker)
{
	return PROGRAM_CODE + maker->at;
}

void maker_bytes(struct maker *maker, const void *bytes, unsigned count)
{
	assert(maker->at + count <= PROGRAM_CODE_BYTES);
	memcpy(maker->program->file + PROGRAM_CODE_OFFSET + maker->at, bytes, count);
	maker->at += count;
}

void maker_word(struct maker *maker, uint32_t word)
{
	maker_bytes(maker, &word, sizeof(word));
}

void maker_begin(struct maker *maker)
{
	maker->program->instructions++;
}

unsigned maker_label(struct maker *maker)
{
	assert(maker->label_count < MAKER_LABELS);
	return maker->label_count++;
}

void maker_put(struct maker *maker, unsigned label)
{
	maker->labels[label] = maker_here(maker);
}

static void add_fixup(struct maker *maker, uint8_t *at, uint64_t address, uint64_t base, enum maker_use use,
                      unsigned label, int added)
{
	assert(maker->fixup_count < sizeof(maker->fixups) / sizeof(*maker->fixups));
	maker->fixups[maker->fixup_count++] = (struct maker_fixup){at, address, base, use, label, (unsigned)added};
}

static uint8_t *code_at(struct maker *maker)
{
	return maker->program->file + PROGRAM_CODE_OFFSET + maker->at;
}

void maker_distance(struct maker *maker, unsigned label, unsigned behind, int added)
{
	add_fixup(maker, code_at(maker), maker_here(maker), maker_here(maker) + 4 + behind, MAKER_LONG, label, added);
	maker_word(maker, 0);
}

void maker_jump(struct maker *maker, unsigned condition, unsigned label, bool is_near)
{
	maker_begin(maker);
	if (is_near && !maker->no_short) {
		MAKER_ADD(maker, condition == MAKER_ALWAYS ? 0xeb : (uint8_t)(0x70 + condition));
		add_fixup(maker, code_at(maker), maker_here(maker), maker_here(maker) + 1, MAKER_SHORT, label, 0);
		MAKER_ADD(maker, 0);
		return;
	}
	if (condition == MAKER_ALWAYS)
		MAKER_ADD(maker, 0xe9);
	else
		MAKER_ADD(maker, 0x0f, (uint8_t)(0x80 + condition));
	maker_distance(maker, label, 0, 0);
}

uint64_t maker_table(struct maker *maker, const unsigned *labels, unsigned count, enum maker_use use, uint64_t base)
{
	const unsigned bytes = use == MAKER_ABSOLUTE ? 8 : use == MAKER_WORD ? 2 : 4;
	const uint64_t address = PROGRAM_DATA + maker->data_at;
	assert(maker->data_at + count * bytes <= PROGRAM_DATA_BYTES / 2);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *at = maker->program->file + PROGRAM_DATA_OFFSET + maker->data_at + i * bytes;
		add_fixup(maker, at, address + (uint64_t)i * bytes, base ? base : address, use, labels[i], 0);
	}
	maker->data_at += (count * bytes + 7) / 8 * 8;
	return address;
}

bool maker_finish(struct maker *maker)
{
	for (unsigned i = 0; i < maker->fixup_count; i++) {
		const struct maker_fixup *fixup = &maker->fixups[i];
		const uint64_t target = maker->labels[fixup->label] + (uint64_t)(int)fixup->added;
		const int64_t distance = (int64_t)(target - fixup->base);
		const unsigned bytes = fixup->use == MAKER_SHORT      ? 1
		                       : fixup->use == MAKER_WORD     ? 2
		                       : fixup->use == MAKER_ABSOLUTE ? 8
		                                                      : 4;
		if (fixup->use == MAKER_SHORT && distance != (int8_t)distance)
			return false;
		memcpy(fixup->at, fixup->use == MAKER_ABSOLUTE ? (const void *)&target : &distance, bytes);
	}
	return true;
}

/* --- instructions --- */

unsigned maker_register(struct maker *maker)
{
	static const uint8_t registers[] = {RAX, RCX, RDX, RBX, RBP, RSI, 8, 9, 10, 11, 12, 13, 15};
	return registers[maker_draw(maker, sizeof(registers))];
}

static uint8_t rex(bool is_wide, unsigned reg, unsigned rm)
{
	return (uint8_t)(0x40 | is_wide << 3 | (reg >> 3) << 2 | rm >> 3);
}

static uint8_t modrm(unsigned mode, unsigned reg, unsigned rm)
{
	return (uint8_t)(mode << 6 | (reg & 7) << 3 | (rm & 7));
}

/* Adds REX where it is needed, or at times anyway. */
static void add_rex(struct maker *maker, unsigned reg, unsigned rm)
{
	const bool is_wide = maker_draw(maker, 2);
	if (is_wide || reg > 7 || rm > 7)
		MAKER_ADD(maker, rex(is_wide, reg, rm));
}

/* The operation of a register with a register, or with memory in the buffer or relative to the instruction. */
static void add_operands(struct maker *maker, const uint8_t *opcode, unsigned bytes, unsigned reg, unsigned behind)
{
	const unsigned rm = maker_register(maker), form = maker_draw(maker, 5);
	const uint64_t address = PROGRAM_BUFFER + 8UL * maker_draw(maker, 64);
	add_rex(maker, reg, form < 2 ? rm : 0);
	maker_bytes(maker, opcode, bytes);
	if (form < 2) {
		MAKER_ADD(maker, modrm(3, reg, rm));
	} else if (form == 2) {
		MAKER_ADD(maker, modrm(1, reg, RDI), (uint8_t)maker_draw(maker, 120));
	} else if (form == 3) {
		MAKER_ADD(maker, modrm(2, reg, RDI));
		maker_word(maker, maker_draw(maker, 1000));
	} else {
		MAKER_ADD(maker, modrm(0, reg, 5));
		maker_word(maker, (uint32_t)(address - (maker_here(maker) + 4 + behind)));
	}
}

static void add_operation(struct maker *maker)
{
	const uint8_t opcode = (uint8_t)(maker_draw(maker, 8) * 8 + (maker_draw(maker, 2) ? 1 : 3));
	add_operands(maker, &opcode, 1, maker_register(maker), 0);
}

static void add_operation_with_constant(struct maker *maker)
{
	const bool is_short = maker_draw(maker, 2);
	const uint8_t opcode = is_short ? 0x83 : 0x81;
	add_operands(maker, &opcode, 1, maker_draw(maker, 8), is_short ? 1 : 4);
	if (is_short)
		MAKER_ADD(maker, (uint8_t)maker_draw(maker, 256));
	else
		maker_word(maker, maker_draw(maker, 1U << 31));
}

static void add_move(struct maker *maker)
{
	static const uint8_t moves[] = {0x89, 0x8b};
	const unsigned to = maker_register(maker);
	uint8_t constant[8] = {0};
	switch (maker_draw(maker, 3)) {
	case 0:
		add_operands(maker, &moves[maker_draw(maker, 2)], 1, to, 0);
		break;
	case 1:
		if (to > 7)
			MAKER_ADD(maker, 0x41);
		MAKER_ADD(maker, (uint8_t)(0xb8 + (to & 7)));
		maker_word(maker, maker_draw(maker, 1U << 31));
		break;
	default:
		for (unsigned i = 0; i < sizeof(constant); i++)
			constant[i] = (uint8_t)maker_draw(maker, 256);
		MAKER_ADD(maker, rex(true, 0, to), (uint8_t)(0xb8 + (to & 7)));
		maker_bytes(maker, constant, sizeof(constant));
	}
}

static void add_multiplication(struct maker *maker)
{
	static const uint8_t multiply[] = {0x0f, 0xaf}, by_constant = 0x6b;
	const bool is_constant = maker_draw(maker, 2);
	add_operands(maker, is_constant ? &by_constant : multiply, is_constant ? 1 : 2, maker_register(maker),
	             is_constant);
	if (is_constant)
		MAKER_ADD(maker, (uint8_t)maker_draw(maker, 256));
}

/* Instructions that read flags into registers or memory. */
static void add_use_of_flags(struct maker *maker)
{
	const uint8_t condition = (uint8_t)maker_draw(maker, 16);
	const unsigned to = maker_register(maker);
	const uint8_t move[] = {0x0f, (uint8_t)(0x40 + condition)};
	switch (maker_draw(maker, 4)) {
	case 0:
		MAKER_ADD(maker, rex(false, 0, to), 0x0f, (uint8_t)(0x90 + condition), modrm(3, 0, to));
		break;
	case 1:
		add_operands(maker, move, sizeof(move), to, 0);
		break;
	case 2: /* pushfq; pop; and without the trap flag, and others that are not the program's */
		MAKER_ADD(maker, 0x9c, rex(false, 0, to), (uint8_t)(0x58 + (to & 7)));
		MAKER_ADD(maker, rex(true, 0, to), 0x81, modrm(3, 4, to));
		maker_word(maker, 0xcd5);
		maker->program->instructions += 2;
		break;
	default:
		MAKER_ADD(maker, 0x9f); /* lahf */
	}
}

static void add_one_operand(struct maker *maker)
{
	static const uint8_t shifts[] = {0xd1, 0xc1};
	const unsigned rm = maker_register(maker);
	const bool is_shift = maker_draw(maker, 2), by_constant = maker_draw(maker, 2);
	if (!is_shift) { /* inc, dec, not, neg */
		const bool is_step = maker_draw(maker, 2);
		add_rex(maker, 0, rm);
		MAKER_ADD(maker, is_step ? 0xff : 0xf7, modrm(3, maker_draw(maker, 2) + (is_step ? 0 : 2), rm));
		return;
	}
	const uint8_t *opcode = &shifts[by_constant];
	add_rex(maker, 0, rm);
	MAKER_ADD(maker, *opcode, modrm(3, 4 + maker_draw(maker, 2), rm));
	if (by_constant)
		MAKER_ADD(maker, (uint8_t)maker_draw(maker, 31));
}

/* Reads constants out of code: any, also the middle of an instruction. */
static void add_code_as_data(struct maker *maker)
{
	const uint64_t address = PROGRAM_CODE + maker_draw(maker, maker->at + 60);
	if (maker_draw(maker, 2)) {
		const unsigned to = maker_register(maker);
		MAKER_ADD(maker, rex(maker_draw(maker, 2), to, 0), 0x8b, modrm(0, to, 5));
	} else {
		MAKER_ADD(maker, 0x0f, 0x10, modrm(0, 0, 5)); /* movups */
		maker_word(maker, (uint32_t)(address - (maker_here(maker) + 4)));
		maker_begin(maker);
		MAKER_ADD(maker, 0x0f, 0x11, 0x47, 0x40); /* movups %xmm0, 0x40(%rdi) */
		return;
	}
	maker_word(maker, (uint32_t)(address - (maker_here(maker) + 4)));
}

static void add_strings(struct maker *maker)
{
	/* push %rdi, %rcx and %rsi; mov %rdi, %rsi; mov $count, %ecx; rep movs or stos; pop them */
	MAKER_ADD(maker, 0x57, 0x51, 0x56, 0x48, 0x89, 0xfe, 0xb9);
	maker_word(maker, maker_draw(maker, 120));
	MAKER_ADD(maker, 0xf3);
	if (maker_draw(maker, 2))
		MAKER_ADD(maker, 0x48);
	MAKER_ADD(maker, (uint8_t)((maker_draw(maker, 2) ? 0xaa : 0xa4) + maker_draw(maker, 2)), 0x5e, 0x59, 0x5f);
	maker->program->instructions += 8;
}

static void add_stack_use(struct maker *maker)
{
	const unsigned from = maker_register(maker), to = maker_register(maker);
	if (from > 7)
		MAKER_ADD(maker, 0x41);
	MAKER_ADD(maker, (uint8_t)(0x50 + (from & 7)));
	if (to > 7)
		MAKER_ADD(maker, 0x41);
	MAKER_ADD(maker, (uint8_t)(0x58 + (to & 7)));
	maker_begin(maker);
}

static void add_address(struct maker *maker)
{
	const unsigned to = maker_register(maker);
	if (maker_draw(maker, 2)) { /* lea 5(%r8, %rdx, 4), %to */
		MAKER_ADD(maker, (uint8_t)(0x49 | (to > 7) << 2), 0x8d, modrm(1, to, 4), 0x90, 5);
		return;
	}
	MAKER_ADD(maker, (uint8_t)(0x48 | (to > 7) << 2), 0x8d, modrm(0, to, 5));
	maker_word(maker, (uint32_t)(PROGRAM_BUFFER - (maker_here(maker) + 4)));
}

static void add_nothing(struct maker *maker)
{
	static const uint8_t nop[] = {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0};
	const unsigned skip = maker_draw(maker, 3);
	if (skip == 2)
		MAKER_ADD(maker, 0x90);
	else
		maker_bytes(maker, nop + skip, (unsigned)sizeof(nop) - skip);
}

void maker_instruction(struct maker *maker)
{
	maker_begin(maker);
	const unsigned kind = maker_draw(maker, 32);
	if (kind < 9)
		add_operation(maker);
	else if (kind < 14)
		add_operation_with_constant(maker);
	else if (kind < 18)
		add_move(maker);
	else if (kind < 20)
		add_multiplication(maker);
	else if (kind < 23)
		add_use_of_flags(maker);
	else if (kind < 26)
		add_one_operand(maker);
	else if (kind < 28)
		add_address(maker);
	else if (kind < 30)
		add_stack_use(maker);
	else if (kind == 30)
		add_nothing(maker);
	else if (maker_draw(maker, 2))
		add_code_as_data(maker);
	else
		add_strings(maker);
}
