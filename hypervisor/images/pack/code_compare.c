/* SPDX-License-Identifier: MIT */
#include "pack/code_compare.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "base/error.h"
#include "guest/elf_file.h"
#include "pack/portable.h"

/* Limit of bytes to compare in all: WORK_MIN, and WORK_FACTOR for each byte. It is needed because tables can make one
 * byte part of any number of functions. */
#define WORK_FACTOR 4
#define WORK_MIN (16UL << 20)
#define ADDRESS_BYTES 4   /* of an address relative to an instruction */
#define NAME_COMPARED 256 /* bytes of a name; each of many names may be as long as the file */

/* A program, and its functions in the order of names. */
struct program {
	struct elf_file elf;
	struct elf_symbol *functions;
	size_t count;
};

/* The bytes of a function that the file has. */
struct code {
	const struct program *program;
	const uint8_t *bytes;
	uint64_t count;
};

static int compare_symbol_names(const struct elf_symbol *a, const struct elf_symbol *b)
{
	return strncmp(a->name, b->name, NAME_COMPARED);
}

static int by_symbol_name(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;
	int order = compare_symbol_names(x, y);
	return order ? order : (x->address > y->address) - (x->address < y->address);
}

/* Keeps one name of each function. The functions are sorted by address. */
static void drop_names(struct program *program)
{
	size_t kept = 0;
	for (size_t i = 0; i < program->count; i++) {
		const struct elf_symbol *function = &program->functions[i];
		if (!function->name[0])
			continue;
		if (!kept || program->functions[kept - 1].address != function->address)
			program->functions[kept++] = *function;
		else if (compare_symbol_names(function, &program->functions[kept - 1]) < 0)
			program->functions[kept - 1] = *function;
	}
	program->count = kept;
}

static int open_program(struct program *program, const uint8_t *file, uint64_t bytes, struct error *error)
{
	int result = elf_file_open(&program->elf, file, bytes, error);
	if (result)
		return result;
	if (elf_file_functions(&program->elf, &program->functions, &program->count))
		return error_set(error, ENOMEM, "out of memory");
	drop_names(program);
	if (program->count)
		qsort(program->functions, program->count, sizeof(*program->functions), by_symbol_name);
	return 0;
}

static struct code function_code(const struct program *program, const struct elf_symbol *function)
{
	uint64_t left = 0;
	const uint8_t *bytes = elf_file_at(&program->elf, function->address, &left);
	return (struct code){program, bytes, !bytes ? 0 : left < function->bytes ? left : function->bytes};
}

/* Whether an instruction has an address relative to itself that lies outside of the function. */
static bool leads_out(const struct code *code, uint64_t offset, const struct instruction *instruction)
{
	struct instruction_uses uses;
	if (instruction->flags & (INSTRUCTION_TARGET | INSTRUCTION_REFERENCE))
		return instruction->target >= code->count;
	if (!disassembler_uses(code->bytes + offset, code->count - offset, offset, &uses))
		return false;
	if (uses.is_stack && !uses.is_call) /* a push from memory, of which `uses` describes the stack */
		return (instruction->flags & (INSTRUCTION_MEMORY | INSTRUCTION_MOVABLE)) == INSTRUCTION_MEMORY;
	return uses.base == CODE_RIP && (uint64_t)uses.displacement >= code->count;
}

/* Whether 4 bytes are an address in a program that is loaded where it is linked. */
static bool is_code_address(const struct program *program, const uint8_t *bytes)
{
	uint32_t value;
	bool is_loaded = false;
	memcpy(&value, bytes, ADDRESS_BYTES);
	for (unsigned i = 0; i < program->elf.segment_count && program->elf.header.e_type == ET_EXEC; i++)
		is_loaded = is_loaded || value - program->elf.segments[i].address < program->elf.segments[i].bytes;
	return is_loaded;
}

/* Whether two instructions of one length, which differ from byte `first` to `last`, have different addresses there. */
static bool has_addresses(const struct code codes[2], uint64_t offset, unsigned length, unsigned first, unsigned last)
{
	for (unsigned at = last < ADDRESS_BYTES ? 0 : last + 1 - ADDRESS_BYTES; at <= first; at++)
		if (at + ADDRESS_BYTES <= length && is_code_address(codes[0].program, codes[0].bytes + offset + at) &&
		    is_code_address(codes[1].program, codes[1].bytes + offset + at))
			return true;
	return false;
}

/* Whether two instructions are the same, or differ only in such an address. */
static bool is_same_instruction(const struct code codes[2], uint64_t offset, const struct instruction instructions[2])
{
	const uint8_t *a = codes[0].bytes + offset, *b = codes[1].bytes + offset;
	unsigned length = instructions[0].length, first = 0, last = length - 1;
	if (length != instructions[1].length)
		return false;
	while (first < length && a[first] == b[first])
		first++;
	if (first == length)
		return true;
	while (a[last] == b[last])
		last--;
	if (last - first >= ADDRESS_BYTES || strcmp(disassembler_mnemonic(a, length), disassembler_mnemonic(b, length)))
		return false;
	return has_addresses(codes, offset, length, first, last) ||
	       (leads_out(&codes[0], offset, &instructions[0]) && leads_out(&codes[1], offset, &instructions[1]));
}

/* Disassembles an instruction. A byte at which none begins counts as an instruction of one byte. Returns false at the
 * end of the function. */
static bool take_instruction(const struct code *code, uint64_t offset, struct instruction *instruction)
{
	if (offset >= code->count)
		return false;
	if (!disassemble(code->bytes + offset, code->count - offset, offset, instruction))
		*instruction = (struct instruction){.length = 1};
	return true;
}

/* Finds the first instruction that differs. */
static bool differ(const struct code codes[2], struct code_difference *difference)
{
	uint64_t offset = 0;
	struct instruction in[2];
	if (codes[0].count == codes[1].count &&
	    (!codes[0].count || !memcmp(codes[0].bytes, codes[1].bytes, codes[0].count)))
		return false;
	for (bool has[2] = {true, true};; offset += in[0].length) {
		for (unsigned i = 0; i < 2; i++)
			has[i] = take_instruction(&codes[i], offset, &in[i]);
		if (!has[0] && !has[1])
			return false;
		if (!has[0] || !has[1] || !is_same_instruction(codes, offset, in))
			break;
	}
	difference->offset = offset;
	for (unsigned i = 0; i < 2; i++) {
		difference->texts[i][0] = 0;
		if (offset < codes[i].count)
			disassembler_format(codes[i].bytes + offset, codes[i].count - offset, offset,
			                    difference->texts[i]);
	}
	return true;
}

static int64_t compare_programs(const struct program programs[2], uint64_t work,
                                void (*each)(void *context, const struct code_difference *difference), void *context,
                                struct error *error)
{
	int64_t found = 0;
	for (size_t at[2] = {0, 0}; at[0] < programs[0].count || at[1] < programs[1].count;) {
		const struct elf_symbol *a = &programs[0].functions[at[0]], *b = &programs[1].functions[at[1]];
		int order = at[0] == programs[0].count   ? 1
		            : at[1] == programs[1].count ? -1
		                                         : compare_symbol_names(a, b);
		struct code_difference difference = {.name = order > 0 ? b->name : a->name,
		                                     .kind = order < 0   ? CODE_ONLY_FIRST
		                                             : order > 0 ? CODE_ONLY_SECOND
		                                                         : CODE_DIFFERS};
		at[0] += order <= 0;
		at[1] += order >= 0;
		if (!order) {
			const struct code codes[2] = {function_code(&programs[0], a), function_code(&programs[1], b)};
			if (codes[0].count + codes[1].count > work)
				return error_set(error, EFBIG, "its functions take too long to compare: they overlap");
			work -= codes[0].count + codes[1].count;
			if (!differ(codes, &difference))
				continue;
		}
		found++;
		each(context, &difference);
	}
	return found;
}

int64_t code_compare(const uint8_t *const files[2], const uint64_t bytes[2],
                     void (*each)(void *context, const struct code_difference *difference), void *context,
                     struct error *error)
{
	struct program programs[2] = {0};
	int64_t result = 0;
	if (!portable_is_code(files[0], bytes[0]) || !portable_is_code(files[1], bytes[1]))
		return 0;
	result = disassembler_load(error);
	for (unsigned i = 0; i < 2 && !result; i++)
		result = open_program(&programs[i], files[i], bytes[i], error);
	if (!result)
		result = compare_programs(programs, WORK_MIN + WORK_FACTOR * (bytes[0] + bytes[1]), each, context,
		                          error);
	free(programs[0].functions);
	free(programs[1].functions);
	return result;
}
