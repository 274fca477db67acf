/* SPDX-License-Identifier: MIT */
/* Only one form is understood: the code that GCC and Clang generate for a `switch` in position-independent code:
 *
 *	lea table(%rip), %base ... movslq (%base,%index,4), %to; add %base, %to; jmp *%to
 *
 * Other instructions may come between. Entries are distances from the table. The lea that belongs to a jump is not
 * traced: every address that the function takes by lea is read as a table, as long as its entries lead into code. This
 * gives too many labels, but misses none. */
#include "code/code_tables.h"

#include <errno.h>
#include <string.h>

/* BACK: how many steps before the jump the add and the load may be. */
#define BACK 8
#define ENTRIES_MAX 65536

#define REX_W 0x48
#define REX_R 0x04
#define REX_B 0x01

/* An instruction with a REX prefix, an opcode of one byte and ModRM. */
struct fields {
	uint8_t rex, opcode, modrm;
	const uint8_t *rest;
	unsigned left;
};

static bool read_fields(const struct code_area *area, const struct code_step *step, struct fields *fields)
{
	const uint8_t *at = area->bytes + (step->address - area->address);
	if (step->instruction.length < 3 || (at[0] & 0xf8) != REX_W)
		return false;
	*fields = (struct fields){at[0], at[1], at[2], at + 3, step->instruction.length - 3U};
	return true;
}

static unsigned reg_of(const struct fields *f)
{
	return (f->modrm >> 3 & 7) | (f->rex & REX_R ? 8 : 0);
}

static unsigned rm_of(const struct fields *f)
{
	return (f->modrm & 7) | (f->rex & REX_B ? 8 : 0);
}

/* Returns the register of `jmp *%reg`, or -1. */
static int jump_register(const struct code_area *area, const struct code_step *step)
{
	const uint8_t *at = area->bytes + (step->address - area->address);
	unsigned length = step->instruction.length, high = 0;
	if (length && at[0] == 0x3e) /* notrack */
		at++, length--;
	if (length == 3 && at[0] == 0x41)
		at++, length--, high = 8;
	return length == 2 && at[0] == 0xff && (at[1] & 0xf8) == 0xe0 ? (int)((at[1] & 7) | high) : -1;
}

/* Whether a step adds two registers, one of which is `to`. Sets *from to the other one. */
static bool is_sum(const struct code_area *area, const struct code_step *step, unsigned to, unsigned *from)
{
	struct fields f;
	if (!read_fields(area, step, &f) || f.left || f.modrm < 0xc0)
		return false;
	unsigned target = f.opcode == 0x01 ? rm_of(&f) : reg_of(&f);
	*from = f.opcode == 0x01 ? reg_of(&f) : rm_of(&f);
	return (f.opcode == 0x01 || f.opcode == 0x03) && target == to;
}

/* Whether a step is movslq (%base,%any,4), %to. */
static bool is_load(const struct code_area *area, const struct code_step *step, unsigned to, unsigned base)
{
	struct fields f;
	if (!read_fields(area, step, &f) || f.opcode != 0x63 || (f.modrm & 7) != 4 || reg_of(&f) != to)
		return false;
	unsigned mod = f.modrm >> 6;
	if (mod > 1 || f.left != 1 + mod ||
	    (mod && f.rest[1])) /* (%rbp) and (%r13) are encoded with a displacement of 0 */
		return false;
	unsigned sib_base = (f.rest[0] & 7) | (f.rex & REX_B ? 8 : 0);
	return f.rest[0] >> 6 == 2 && sib_base == base && (mod || (f.rest[0] & 7) != 5);
}

/* Whether a step is the jump of a `switch`. Sets *base to the register of the table. */
static bool is_switch(const struct code_area *area, const struct code_function *function, size_t step, unsigned *base)
{
	int to = jump_register(area, &function->steps[step]);
	bool is_added = false;
	for (size_t back = 1; to >= 0 && back <= BACK && back <= step; back++) {
		const struct code_step *s = &function->steps[step - back];
		if (!(s->instruction.flags & (INSTRUCTION_MOVABLE | INSTRUCTION_REFERENCE)) ||
		    !code_function_goes_on(function, step - back))
			return false;
		if (!is_added)
			is_added = is_sum(area, s, (unsigned)to, base);
		else if (is_load(area, s, (unsigned)to, *base))
			return true;
	}
	return false;
}

/* Adds the entries of a possible table to the labels. Returns how many lead into the function, -EINVAL if the table
 * does not end, or -ENOMEM. */
static int add_table(const struct elf_file *elf, const struct code_area *area, struct code_function *function,
                     uint64_t table)
{
	uint64_t left;
	const uint8_t *at = elf_file_at(elf, table, &left);
	int inside = 0;
	for (uint64_t i = 0; at && i < left / 4; i++) {
		int32_t distance;
		memcpy(&distance, at + 4 * i, sizeof(distance));
		uint64_t target = table + (uint64_t)(int64_t)distance;
		if (target - area->address >= area->count)
			break;
		if (i == ENTRIES_MAX)
			return -EINVAL;
		inside += target >= function->start && target < function->end;
		int result = code_function_add_listed(function, target);
		if (result)
			return result;
	}
	return inside;
}

/* Reads every table. Sets bit n of *bases if register n holds a table's address. Returns 0, -EINVAL or -ENOMEM. */
static int add_tables(const struct elf_file *elf, const struct code_area *area, struct code_function *function,
                      unsigned *bases)
{
	uint64_t last = 0;
	for (size_t i = 0; i < function->count; i++) {
		const struct code_step *s = &function->steps[i];
		struct fields f;
		if (!(s->instruction.flags & INSTRUCTION_REFERENCE) || !read_fields(area, s, &f))
			continue;
		int inside = s->instruction.target == last ? 1 : add_table(elf, area, function, s->instruction.target);
		if (inside < 0)
			return inside;
		if (inside)
			*bases |= 1U << reg_of(&f);
		last = inside ? s->instruction.target : 0;
	}
	return 0;
}

int code_tables_add_labels_but(const struct elf_file *elf, const struct code_area *area, struct code_function *function,
                               code_tables_jump *is_other)
{
	unsigned bases = 0, base = 0;
	if (!function->indirect)
		return 0;
	int result = add_tables(elf, area, function, &bases);
	for (size_t i = 0; i < function->count && !result; i++)
		if ((function->steps[i].instruction.flags & INSTRUCTION_INDIRECT) &&
		    !(is_switch(area, function, i, &base) && bases >> base & 1) &&
		    !(is_other && is_other(area, function, i)))
			result = -EINVAL;
	return result;
}

int code_tables_add_labels(const struct elf_file *elf, const struct code_area *area, struct code_function *function)
{
	return code_tables_add_labels_but(elf, area, function, NULL);
}
