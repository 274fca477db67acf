/* SPDX-License-Identifier: MIT */
/* Works in two steps: a search for the opcode bytes, which most programs do not contain, and then disassembly around
 * the hits. */
#include "scan/scan_code.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "scan/disassembler.h"
#include "scan/vote.h"
#include "scan/instruction_kind.h"
#include "scan/opcode_search.h"

struct search {
	const struct scan_code *code;
	const struct code_range *functions;
	size_t function_count;
	enum scan_outside outside;
	struct scan_sites *sites;
	uint64_t decided; /* offset: candidates before it are decided */
	struct error *error;
};

int scan_code_candidates(const struct scan_code *code, int (*visit)(void *context, uint64_t offset), void *context)
{
	return opcode_search(code->bytes, code->count, OPCODE_TRAPS, visit, context);
}

static bool is_trap_instruction(const struct instruction *instruction)
{
	return disassembler_set_of(instruction->kind) == OPCODE_TRAPS;
}

static int append_found(struct search *search, uint64_t offset, const struct instruction *instruction)
{
	struct scan_sites *sites = search->sites;
	if (!array_reserve(sites->at, sites->room, sites->count + 1))
		return error_set(search->error, ENOMEM, "out of memory");
	sites->at[sites->count++] = (struct trap_site){
		.address = search->code->address + offset,
		.kind = instruction->kind,
		.length = instruction->length,
		.first = search->code->bytes[offset],
	};
	return 0;
}

/* Takes the instructions of a function. Sets *end to where disassembly ended: the function's end, or bytes that are not
 * code. */
static int scan_function(struct search *search, const struct code_range *function, uint64_t *end)
{
	const struct scan_code *code = search->code;
	uint64_t at = function->address - code->address;
	uint64_t stop = code->count - at < function->bytes ? code->count : at + function->bytes;
	int result = 0;
	while (at < stop && !result) {
		struct instruction instruction;
		unsigned length = disassemble(code->bytes + at, code->count - at, code->address + at, &instruction);
		if (!length)
			break;
		if (is_trap_instruction(&instruction) && at >= search->decided)
			result = append_found(search, at, &instruction);
		at += length;
	}
	*end = at;
	return result;
}

/* Whether a candidate, if it is an instruction, is one that programs do not use. Displacements may look like these. */
static bool may_be_rare(const struct scan_code *code, uint64_t at)
{
	struct instruction instruction;
	unsigned length = disassemble(code->bytes + at, code->count - at, code->address + at, &instruction);
	return length && instruction_is_rare(instruction.kind);
}

/* Judges a candidate that is in no function; the code around it begins at offset `gap`. Leaves the bytes if they are
 * data, and otherwise refuses the image. Never patches them, because they may be data after all. */
static int judge_candidate(struct search *search, uint64_t candidate, uint64_t gap)
{
	const struct scan_code *code = search->code;
	struct vote vote;
	if (search->outside == SCAN_OUTSIDE_LEAVE)
		return 0;
	vote_ask(code->bytes, code->count, code->address, gap, candidate, OPCODE_TRAPS | OPCODE_RARE, &vote);
	if (vote.no > 7 * vote.yes || (!vote.yes && may_be_rare(code, candidate)))
		return 0;
	return error_set(
		search->error, ENOTSUP,
		"the bytes at 0x%lx look like an instruction that has to be replaced, but are in no function that "
		".eh_frame "
		"describes: give assembly .cfi_startproc and .cfi_endproc, and move data to .rodata",
		search->code->address + candidate);
}

static int consider(void *context, uint64_t offset)
{
	struct search *search = context;
	uint64_t address = search->code->address + offset, gap = search->code->address, end;
	if (offset < search->decided)
		return 0;
	int result = disassembler_load(search->error);
	if (result)
		return result;
	const struct code_range *function = code_range_find(search->functions, search->function_count, address, &gap);
	if (!function || function->address < search->code->address)
		return judge_candidate(search, offset, gap - search->code->address);
	result = scan_function(search, function, &end);
	if (result)
		return result;
	if (end > search->decided)
		search->decided = end;
	/* Bytes of the function before the candidate are no instruction, so disassembly from its start cannot decide.
	 */
	return offset < end ? 0 : judge_candidate(search, offset, end);
}

int scan_code_find(const struct scan_code *code, const struct code_range *functions, size_t function_count,
                   enum scan_outside outside, struct scan_sites *sites, struct error *error)
{
	struct search search = {.code = code,
	                        .functions = functions,
	                        .function_count = function_count,
	                        .outside = outside,
	                        .sites = sites,
	                        .error = error};
	return scan_code_candidates(code, consider, &search);
}
