/* SPDX-License-Identifier: MIT */
/* Searches the bytes first, and disassembles only functions with hits. Judges hits outside functions by vote
 * (vote.h), and patches only single instructions there. */
#include "code/code_hits.h"

#include <errno.h>
#include <string.h>

#include "abi/opcodes.h"
#include "base/array.h"
#include "code/code_data.h"
#include "code/code_seeds.h"
#include "scan/instruction_kind.h"
#include "scan/opcode_search.h"
#include "scan/vote.h"
#include "scan/vote_memo.h"

/* Shares of the votes, as 1 of N. Disassembly of data soon meets bytes that are not code, and then does not vote. If
 * fewer than 1 of YES_MIN votes are for an instruction, the hit is data. If 1 of YES_ENOUGH are (in raw memory 1 of
 * YES_MIN), it can be code. */
#define YES_MIN 16
#define YES_ENOUGH 3
#define NO_ENOUGH 8 /* share of votes against an instruction in raw memory that makes it unlikely */
#define XBEGIN_REACH (1UL << 20)
#define NUMBER_MAX 1024 /* limit of system call numbers */
#define VOTE_WORK 2048  /* cost of one vote, about */
#define PREFIXES_MAX 3
#define ADDRESS_BITS 48   /* of a program's addresses */
#define UNDECIDED_BYTES 2 /* bytes that certainly belong to the instruction, if it is one */

/* Adds undecided bytes to the patches: the kernel must know them before it runs raw memory. */
static int append_doubt(struct code_search *search, uint64_t offset, enum code_kind kind)
{
	return code_search_append(search, &(struct code_patch){.offset = search->area->offset + offset,
	                                                       .kind = (uint8_t)kind,
	                                                       .length = UNDECIDED_BYTES});
}

static int append_undecided(struct code_search *search, uint64_t offset)
{
	struct code_scan *scan = search->scan;
	if (search->map.is_raw)
		return append_doubt(search, offset, CODE_UNDECIDED);
	if (!array_reserve(scan->undecided, scan->undecided_room, scan->undecided_count + 1))
		return code_search_out_of_memory(search);
	scan->undecided[scan->undecided_count++] = search->area->offset + offset;
	return 0;
}

/* Chooses the patch of a system call in no known function. Rule A needs no function, and a mov of a small number with a
 * syscall behind it does not occur in data: some thousand of 2^56 byte strings are one. In raw memory system calls only
 * trap. */
static void take_outside(const struct code_search *search, const struct vote *vote, struct code_patch *patch)
{
	const uint8_t *bytes = search->area->bytes + vote->offset;
	uint32_t number = NUMBER_MAX;
	patch->kind = CODE_SYSCALL_TRAP;
	patch->reason = CODE_REASON_OUTSIDE;
	if (code_search_is_sigreturn(search->area, vote->offset)) {
		patch->reason = CODE_REASON_SIGRETURN;
		return;
	}
	if (search->map.is_raw || vote->number_bytes < 5 || 8 * vote->numbers < 7 * vote->yes ||
	    search->area->address + vote->offset - vote->number_bytes < search->floor)
		return;
	memcpy(&number, bytes - sizeof(number), sizeof(number));
	if (number >= NUMBER_MAX)
		return;
	patch->kind = CODE_SYSCALL;
	patch->reason = CODE_REASON_A;
	patch->before = vote->number_bytes;
	patch->offset -= vote->number_bytes;
}

/* Finds the instruction that covers a hit and is certainly executed. Returns 1, 0 if none is known, or a negative
 * errno. */
static int find_executed(struct code_search *search, uint64_t offset, struct code_step *step)
{
	const struct code_area *area = search->area;
	uint64_t address = area->address + offset;
	if (!search->map.is_raw) {
		uint64_t before = search->entries.disassembled;
		int result = code_entries_lead(&search->entries, &search->map, area, search->gap, address, step);
		int spent = result < 0 ? code_search_out_of_memory(search)
		                       : code_search_spend(search, search->entries.disassembled - before);
		return spent ? spent : result;
	}
	const struct code_step *found = code_function_step_at(&search->function, address);
	if (found)
		*step = *found;
	return found ? 1 : 0;
}

/* Decides a hit by the instruction that certainly covers it. Returns 1 and sets *patch, with length 0 if nothing must
 * be patched. Returns 0 if that is unknown, also for a file's system calls and decision points, which the vote judges
 * better. Or returns a negative errno. */
static int look_up(struct code_search *search, uint64_t offset, struct code_patch *patch)
{
	struct code_step step;
	int result = find_executed(search, offset, &step);
	if (result <= 0)
		return result;
	const struct instruction *in = &step.instruction;
	unsigned set = disassembler_set_of(in->kind) & search->set;
	if (set && set != OPCODE_TRAPS && !search->map.is_raw)
		return 0;
	*patch = (struct code_patch){.offset = search->area->offset + (step.address - search->area->address),
	                             .kind = in->kind == CODE_SYSCALL ? CODE_SYSCALL_TRAP : in->kind,
	                             .length = set ? in->length : 0};
	return 1;
}

/* Disassembles a hit as an instruction that must not run unchanged, with the fewest prefixes that make it one: TPAUSE
 * without its prefix is MFENCE. Returns the offset of the byte after it, or 0 if it is not one. */
static uint64_t read_trap(const struct code_area *area, uint64_t offset, struct instruction *in)
{
	for (unsigned prefixes = 0; prefixes <= PREFIXES_MAX && prefixes <= offset; prefixes++) {
		const uint64_t at = offset - prefixes;
		if (prefixes && !opcodes_is_prefix(area->bytes[at]))
			return 0;
		const unsigned length = disassemble(area->bytes + at, area->count - at, area->address + at, in);
		if (length > prefixes && disassembler_set_of(in->kind) == OPCODE_TRAPS)
			return at + length;
	}
	return 0;
}

/* Whether the bytes of a hit, if they are code, are an instruction with results of the host that is worth reporting as
 * undecided. The rare ones are not: programs do not read descriptor tables, but constants and displacements look like
 * such instructions, and so do the tables that compilers put beside the code that they make. */
static bool may_trap(const struct code_search *search, uint64_t offset)
{
	struct instruction in;
	return read_trap(search->area, offset, &in) && !instruction_is_rare(in.kind);
}

/* Whether a hit would be an instruction that programs do not use. */
static bool is_rare(const struct code_area *area, uint64_t offset)
{
	struct instruction in;
	return read_trap(area, offset, &in) && instruction_is_rare(in.kind);
}

/* Whether an instruction is one that programs do not use, while data beside the code that programs make look like it:
 * OpenJDK's lists of the calls of a method often contain SYSENTER, between bytes that look like code. */
static bool is_seldom_meant(uint8_t kind)
{
	return instruction_is_rare(kind) && kind != TRAP_X87_STATE;
}

/* Whether a hit would be an XBEGIN with a distant target: OpenJDK's `mov $0x1f8, %rdi` contains these bytes. */
static bool is_far(const struct code_area *area, uint64_t offset)
{
	uint64_t address = area->address + offset;
	struct instruction in;
	return disassemble(area->bytes + offset, area->count - offset, address, &in) && in.kind == TRAP_TSX &&
	       in.flags & INSTRUCTION_TARGET && in.target - address + XBEGIN_REACH > 2 * XBEGIN_REACH;
}

/* Whether code follows the instruction that a hit would be. */
static bool is_before_code(const struct code_area *area, uint64_t offset)
{
	struct instruction in;
	const uint64_t end = read_trap(area, offset, &in);
	return end && vote_goes_on(area->bytes, area->count, area->address, end);
}

/* Whether a hit is in an aligned word that may be an address, between `beside` others on each side. */
static bool is_in_addresses(const struct code_area *area, uint64_t offset, unsigned beside)
{
	const uint64_t start = offset - (area->address + offset) % sizeof(uint64_t);
	const uint64_t reach = beside * sizeof(uint64_t);
	if (start > offset || start < reach || area->count - start < reach + sizeof(uint64_t))
		return false;
	for (uint64_t at = start - reach; at <= start + reach; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, area->bytes + at, sizeof(word));
		if (!word || word >> ADDRESS_BITS)
			return false;
	}
	return true;
}

/* Whether the instruction that a hit would be, and those after it, come to a jump, call or return before the end of the
 * aligned word. */
static bool is_whole_in_word(const struct code_area *area, uint64_t offset)
{
	const uint64_t word = sizeof(uint64_t), end = offset + word - (area->address + offset) % word;
	struct instruction in;
	for (uint64_t at = read_trap(area, offset, &in); at && at < end; at += in.length) {
		if (!disassemble(area->bytes + at, end - at, area->address + at, &in))
			return false;
		if (in.flags & (INSTRUCTION_END | INSTRUCTION_LEAVES))
			return true;
	}
	return false;
}

/* Whether a hit is a part of addresses: compilers of Lisp put the objects that a function refers to before it. Five
 * words in a row with zeros at their ends are no code, except for a function that is in one word. */
static bool is_address(const struct code_area *area, uint64_t offset)
{
	const bool is_aligned = (area->address + offset) % sizeof(uint64_t) == 0;
	return (is_in_addresses(area, offset, 2) && !is_whole_in_word(area, offset)) ||
	       (is_aligned && is_in_addresses(area, offset, 1) && !is_before_code(area, offset));
}

/* Handles a hit in raw memory without enough votes. It may be executed all the same, because disassembly from data
 * before it may never fall into step. It is unlikely only if votes say that other instructions are there, or if the
 * bytes after it are not code. */
static int doubt(struct code_search *search, uint64_t offset, const struct vote *vote)
{
	const struct code_area *area = search->area;
	if (!may_trap(search, offset) || is_address(area, offset))
		return 0;
	bool is_other = vote->no > 7 * vote->yes && vote->no * NO_ENOUGH >= vote->asked;
	bool is_code = !is_other && vote_goes_on(area->bytes, area->count, area->address, offset);
	return append_doubt(search, offset, is_code ? CODE_UNDECIDED : CODE_UNLIKELY);
}

/* Judges a hit that is in no known function. Disassembly also starts in functions before it, because glibc's unwind
 * table of clone3() ends between the mov and the syscall. */
static int judge(struct code_search *search, uint64_t offset)
{
	const struct code_area *area = search->area;
	struct vote vote;
	struct code_patch known;
	int result = code_search_spend(search, VOTE_WORK);
	if (result)
		return result;
	result = look_up(search, offset, &known);
	if (result < 0)
		return result;
	if (result) {
		uint64_t end = area->address + (known.offset - area->offset) + known.length;
		search->decided = search->floor = known.length ? end : area->address + offset;
		return known.length ? code_search_append(search, &known) : 0;
	}
	if (search->map.is_raw && is_far(area, offset))
		return 0;
	if (is_rare(area, offset) && !search->map.is_raw) /* a disassembly that meets it does not vote */
		return 0;
	if (search->map.is_raw)
		vote_memo_ask(area->bytes, area->count, area->address, offset, search->set | OPCODE_RARE, &vote);
	else
		vote_ask(area->bytes, area->count, area->address, 0, offset, search->set, &vote);
	if (vote.no > 7 * vote.yes || vote.yes * YES_MIN < vote.asked || !vote.goes_on)
		return search->map.is_raw ? doubt(search, offset, &vote) : 0;
	if (vote.yes <= 7 * vote.no || vote.yes * (search->map.is_raw ? YES_MIN : YES_ENOUGH) < vote.asked ||
	    (area->is_segment && code_data_surround(area, offset)))
		/* Other kinds need no report: an unpatched system call traps, and `pause` and atomic instructions have
		 * no results that depend on the host. */
		return disassembler_set_of(vote.instruction.kind) == OPCODE_TRAPS ? append_undecided(search, offset)
		                                                                  : 0;
	if (search->map.is_raw && is_seldom_meant(vote.instruction.kind))
		return append_doubt(search, offset, CODE_UNLIKELY);
	struct code_patch patch = {
		.offset = area->offset + vote.offset,
		.kind = vote.instruction.kind,
		.length = vote.instruction.length,
	};
	if (patch.kind == CODE_SYSCALL)
		take_outside(search, &vote, &patch);
	if (code_search_is_point(patch.kind)) {
		code_search_set_operand(area, &patch);
		patch.operand[0] |= CODE_TRAPS;
		patch.reason = CODE_REASON_OUTSIDE;
	}
	if (area->address + (patch.offset - area->offset) < search->floor) /* its prefixes belong to an earlier patch */
		return search->map.is_raw ? doubt(search, offset, &vote) : 0;
	search->decided = search->floor = area->address + vote.offset + patch.length;
	result = code_search_append(search, &patch);
	/* The prefixes may be data; the executed instruction then begins after them. */
	if (!result && search->map.is_raw && vote.offset < offset && may_trap(search, offset))
		result = append_doubt(search, offset, CODE_UNLIKELY);
	return result;
}

/* Judges a hit in a function that was taken. Instructions that flow reaches are certain, and so are wanted ones that
 * something leads to. A hit inside another instruction is not an instruction if no code can enter it. Any
 * other hit is undecided, because code may enter it in an unknown way. */
static int judge_inside(struct code_search *search, uint64_t offset)
{
	const struct code_function *function = &search->function;
	uint64_t address = search->area->address + offset;
	const struct code_step *s = code_function_step_at(function, address);
	int decided = 0;
	if (search->map.is_raw || address < function->start || address >= function->end || !may_trap(search, offset))
		return 0;
	if (s && s->address < address && function->bytes[address - function->start] == CODE_BYTE_BEGINS)
		decided = 0; /* both are instructions */
	else if (s && s->is_reached)
		decided = 1;
	else if (s && disassembler_set_of(s->instruction.kind) & search->set)
		decided = code_search_is_supported(search, s->address);
	else if (s) {
		decided = code_search_is_hidden(search, s, address);
		decided = decided < 0 ? decided : !decided;
	}
	return decided ? (decided < 0 ? decided : 0) : append_undecided(search, offset);
}

static int visit(void *context, uint64_t offset)
{
	struct code_search *search = context;
	uint64_t address = search->area->address + offset;
	int result = code_search_check_stop(search);
	if (!result)
		result = code_search_take_chosen(search, address);
	if (result)
		return result;
	if (address < search->decided)
		return judge_inside(search, offset);
	result = disassembler_load(search->error);
	if (result)
		return result;
	result = code_map_find(&search->map, search->area, address, &search->range, &search->source, &search->gap);
	if (result < 0)
		return code_search_out_of_memory(search);
	bool in_table = result && search->source == CODE_SOURCE_EH_FRAME;
	if (!in_table && code_map_denies(&search->map, search->area, offset, !result))
		return 0;
	if (!result)
		return judge(search, offset);
	result = code_search_take_function(search);
	if (result)
		return result;
	return address < search->decided ? judge_inside(search, offset) : judge(search, offset);
}

int code_hits_search(struct code_search *search)
{
	int result = 0;
	for (unsigned i = 0; i < search->map.area_count && !result; i++) {
		const struct code_area *area = &search->map.areas[i];
		code_search_enter(search, area);
		result = opcode_search(area->bytes, area->count, search->set, visit, search);
		if (!result)
			result = code_search_take_chosen(search, area->address + area->count);
	}
	if (!result && !search->map.is_raw && code_seeds_add(&search->map.elf, search->scan))
		result = code_search_out_of_memory(search);
	if (!result)
		search->scan->note = search->map.note;
	return result;
}
