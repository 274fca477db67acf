/* SPDX-License-Identifier: MIT */
/* Searches the bytes first, and disassembles only functions with hits, each once from its start. Judges hits outside
 * functions by vote (disassembler.h), and patches only single instructions there. */
#include "code/code_scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "code/code_branches.h"
#include "code/code_chosen.h"
#include "code/code_data.h"
#include "code/code_entries.h"
#include "code/code_map.h"
#include "code/code_mentions.h"
#include "code/code_seeds.h"
#include "code/code_tables.h"
#include "scan/instruction_kind.h"
#include "scan/opcode_search.h"

/* Limit of bytes to disassemble in all: WORK_MIN, and WORK_FACTOR for each byte. It is needed because tables can make
 * one byte part of any number of functions. */
#define WORK_FACTOR 32
#define WORK_MIN (16UL << 20)
/* Shares of the votes, as 1 of N. Disassembly of data soon meets bytes that are not code, and then does not vote. If
 * fewer than 1 of YES_MIN votes are for an instruction, the hit is data. If 1 of YES_ENOUGH are (in raw memory 1 of
 * YES_MIN), it can be code. */
#define YES_MIN 16
#define YES_ENOUGH 3
#define NO_ENOUGH 8 /* share of votes against an instruction in raw memory that makes it unlikely */
#define XBEGIN_REACH (1UL << 20)
#define SIGRETURN 15
#define NUMBER_MAX 1024   /* limit of system call numbers */
#define VOTE_WORK 2048    /* cost of one vote, about */
#define LABEL_WORK 8      /* cost of one label */
#define UNDECIDED_BYTES 2 /* bytes that certainly belong to the instruction, if it is one */

struct search {
	struct code_map map;
	struct code_branches branches;
	struct code_mentions mentions;
	struct code_entries entries;
	struct code_function function; /* the last one read; in raw memory, the code that is certainly executed */
	bool is_complete;              /* all labels that can be known are in `function` */
	bool is_unknown;               /* `function` has more labels, which cannot be known */
	const struct code_area *area;
	struct code_range range; /* range of `function` */
	enum code_source source;
	unsigned set; /* enum opcode_set */
	struct code_chosen chosen;
	uint64_t decided; /* address: hits before it are decided */
	uint64_t floor;   /* address: bytes before it may belong to a patch */
	uint64_t gap;     /* address: the bytes from here to the hit being judged are in no function */
	uint64_t work;    /* bytes that may still be disassembled */
	struct code_scan *scan;
	char *error;
};

static int out_of_memory(struct search *search)
{
	return refuse(search->error, ENOMEM, "out of memory");
}

static int append(struct search *search, const struct code_patch *patch)
{
	struct code_scan *scan = search->scan;
	if (!array_reserve(scan->patches, scan->room, scan->count + 1))
		return out_of_memory(search);
	scan->patches[scan->count++] = *patch;
	return 0;
}

/* Adds undecided bytes to the patches: the kernel must know them before it runs raw memory. */
static int append_doubt(struct search *search, uint64_t offset, enum code_kind kind)
{
	return append(search, &(struct code_patch){.offset = search->area->offset + offset,
	                                           .kind = (uint8_t)kind,
	                                           .length = UNDECIDED_BYTES});
}

static int append_undecided(struct search *search, uint64_t offset)
{
	struct code_scan *scan = search->scan;
	if (search->map.is_raw)
		return append_doubt(search, offset, CODE_UNDECIDED);
	if (!array_reserve(scan->undecided, scan->undecided_room, scan->undecided_count + 1))
		return out_of_memory(search);
	scan->undecided[scan->undecided_count++] = search->area->offset + offset;
	return 0;
}

static bool (*is_stopped)(void);

void code_scan_stop_when(bool (*stopped)(void))
{
	is_stopped = stopped;
}

static int spend(struct search *search, uint64_t work)
{
	if (work > search->work)
		return refuse(search->error, EFBIG, "its unwind tables put the same code into too many functions");
	search->work -= work;
	return 0;
}

static bool is_point(uint8_t kind)
{
	return disassembler_set_of(kind) & OPCODE_POINTS;
}

/* Whether an instruction may become a jump. Then all branches into the instructions around it must be known. */
static bool may_jump(const struct search *search, uint8_t kind)
{
	return kind == CODE_SYSCALL || is_point(kind) || (kind == TRAP_CPUID && !search->map.is_raw);
}

static int is_entered(void *context, uint64_t from, uint64_t to)
{
	struct search *search = context;
	uint64_t before = search->branches.disassembled;
	int result = code_branches_lead(&search->branches, &search->map, search->area, &search->range, search->source,
	                                from, to);
	int spent = result < 0 ? out_of_memory(search) : spend(search, search->branches.disassembled - before);
	return spent ? spent : result;
}

/* Adds landing pads and targets of jump tables to the labels. Returns 0 or a negative errno. */
static int complete_labels(struct search *search)
{
	if (search->is_complete)
		return 0;
	int pads = code_map_add_landing_pads(&search->map, &search->function);
	int tables = code_tables_add_labels(&search->map.elf, search->area, &search->function);
	if (pads == -ENOMEM || tables == -ENOMEM)
		return out_of_memory(search);
	search->is_unknown = pads || tables || !search->function.is_whole;
	search->is_complete = true;
	return spend(search, LABEL_WORK * search->function.label_count);
}

/* Returns the address where control flow would have to enter to come to an instruction that it does not reach: the end
 * of the last instruction before it that does not continue. */
static uint64_t entry_of(const struct code_function *function, uint64_t address)
{
	for (size_t i = function->count; i--;) {
		const struct code_step *s = &function->steps[i];
		uint64_t end = s->address + s->instruction.length;
		if (s->address >= address)
			continue;
		if (s->is_reached || s->instruction.flags & INSTRUCTION_END || end < address)
			return end < address ? address : end;
		address = s->address;
	}
	return address;
}

/* Whether a label, a branch or an address in the file leads to [from, to]. Returns 1, 0 or a negative errno. */
static int is_led_to(struct search *search, uint64_t from, uint64_t to)
{
	if (code_function_is_entered(&search->function, from - 1, to + 1))
		return 1;
	int result = is_entered(search, from - 1, to + 1);
	if (result)
		return result;
	result = code_mentions_any(&search->mentions, &search->map, search->area, from, to);
	return result < 0 ? out_of_memory(search) : result;
}

/* Whether bytes that look like an instruction, and are not reached, may be one. They are data if all labels are known
 * and nothing leads there. Returns 1, 0 or a negative errno. */
static int is_supported(struct search *search, uint64_t address)
{
	int result = complete_labels(search);
	if (result || search->is_unknown)
		return result ? result : 1;
	return is_led_to(search, entry_of(&search->function, address), address);
}

/* Whether an instruction may begin at `address`, inside `step`, which is not reached. It may if something leads into
 * the step, or if unknown jumps may and the step is where control flow would have to enter. Returns 1, 0 or a negative
 * errno. */
static int is_hidden(struct search *search, const struct code_step *step, uint64_t address)
{
	int result = complete_labels(search);
	if (result || (search->is_unknown && entry_of(&search->function, step->address) == step->address))
		return result ? result : 1;
	return is_led_to(search, step->address + 1, address);
}

/* Whether a mov of rt_sigreturn's number stands before the syscall at an offset. libgcc, gdb and others recognise
 * signal frames by these bytes. */
static bool is_sigreturn(const struct code_area *area, uint64_t offset)
{
	static const uint8_t number[] = {SIGRETURN, 0, 0, 0};
	const uint8_t *at = area->bytes + offset;
	if (offset < 5 || memcmp(at - 4, number, sizeof(number)))
		return false;
	return at[-5] == 0xb8 || (offset >= 7 && at[-6] == 0xc7 && at[-5] == 0xc0);
}

/* Adds the memory operand to a decision point's patch, which covers just the instruction. */
static void set_operand(const struct code_area *area, struct code_patch *patch)
{
	struct memory_operand operand;
	uint64_t at = patch->offset - area->offset;
	disassembler_operand(area->bytes + at, area->count - at, &operand);
	memcpy(patch->operand, operand.packed, sizeof(patch->operand));
}

/* Makes a patch of a step of the function. */
static int take_step(struct search *search, size_t step, struct code_surroundings *around)
{
	const struct code_step *s = &search->function.steps[step];
	const struct code_area *area = search->area;
	struct code_patch patch = {
		.offset = area->offset + (s->address - area->address),
		.kind = s->instruction.kind,
		.length = s->instruction.length,
	};
	if (patch.kind == CODE_SYSCALL && is_sigreturn(area, patch.offset - area->offset)) {
		patch.kind = CODE_SYSCALL_TRAP;
		patch.reason = CODE_REASON_SIGRETURN;
	} else if (patch.kind == CODE_SYSCALL) {
		int result = code_rules_choose(&search->function, step, around, &patch);
		if (result)
			return result;
	} else if (is_point(patch.kind)) {
		set_operand(area, &patch);
		int result = code_rules_choose_point(&search->function, step, around, &patch);
		if (result)
			return result;
		bool is_sure = code_chosen_is_sure(&search->chosen, s->address);
		if (patch.operand[0] & CODE_TRAPS && !is_sure)
			return 0;
		patch.operand[2] |= is_sure ? 0 : CODE_UNSURE;
	} else if (patch.kind == TRAP_CPUID && !search->map.is_raw) {
		int result = code_rules_choose_cpuid(&search->function, step, around, &patch);
		if (result)
			return result;
	}
	uint64_t end = (uint64_t)patch.before + patch.length + patch.after;
	around->floor = area->address + (patch.offset - area->offset) + end;
	return append(search, &patch);
}

/* Takes all wanted instructions of the function around a hit, except bytes that may be data. */
static int take_function(struct search *search)
{
	struct code_function *function = &search->function;
	int result =
		spend(search, search->range.bytes < search->area->count ? search->range.bytes : search->area->count);
	if (result)
		return result;
	if (code_function_read(function, search->area, &search->range))
		return out_of_memory(search);
	search->is_complete = false;
	code_chosen_mark(&search->chosen, function, search->area);
	struct code_surroundings around = {
		.is_entered = is_entered, .context = search, .floor = search->floor, .set = search->set};
	for (size_t step = 0; step < function->count && !result; step++) {
		const struct code_step *s = &function->steps[step];
		if (!(disassembler_set_of(s->instruction.kind) & search->set) || s->address < around.floor ||
		    s->address < search->decided)
			continue;
		int supported = s->is_reached ? 1 : is_supported(search, s->address);
		if (supported > 0 && may_jump(search, s->instruction.kind))
			result = complete_labels(search);
		around.is_unknown = search->is_unknown;
		if (supported <= 0)
			result = supported;
		else if (!result)
			result = take_step(search, step, &around);
	}
	search->floor = around.floor;
	uint64_t end = function->end > search->floor ? function->end : search->floor;
	if (end > search->decided)
		search->decided = end;
	return result;
}

/* Chooses the patch of a system call in no known function. Rule A needs no function, and a mov of a small number with a
 * syscall behind it does not occur in data: some thousand of 2^56 byte strings are one. In raw memory system calls only
 * trap. */
static void take_outside(const struct search *search, const struct disassembler_vote *vote, struct code_patch *patch)
{
	const uint8_t *bytes = search->area->bytes + vote->offset;
	uint32_t number = NUMBER_MAX;
	patch->kind = CODE_SYSCALL_TRAP;
	patch->reason = CODE_REASON_OUTSIDE;
	if (is_sigreturn(search->area, vote->offset)) {
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
static int find_executed(struct search *search, uint64_t offset, struct code_step *step)
{
	const struct code_area *area = search->area;
	uint64_t address = area->address + offset;
	if (!search->map.is_raw) {
		uint64_t before = search->entries.disassembled;
		int result = code_entries_lead(&search->entries, &search->map, area, search->gap, address, step);
		int spent = result < 0 ? out_of_memory(search) : spend(search, search->entries.disassembled - before);
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
static int look_up(struct search *search, uint64_t offset, struct code_patch *patch)
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

/* Whether the bytes of a hit, if they are code, are an instruction with results of the host that is worth reporting as
 * undecided. Programs do not read descriptor tables, but constants and displacements look like such instructions. Of
 * these only LAR and LSL count, which show more than whether the host has UMIP, and only in raw memory. */
static bool may_trap(const struct search *search, uint64_t offset)
{
	const struct code_area *area = search->area;
	struct instruction in;
	if (!disassemble(area->bytes + offset, area->count - offset, area->address + offset, &in) ||
	    disassembler_set_of(in.kind) != OPCODE_TRAPS)
		return false;
	return !instruction_is_rare(in.kind) || (in.kind == TRAP_SEGMENT && search->map.is_raw);
}

/* Whether a hit would be an instruction that programs do not use. */
static bool is_rare(const struct code_area *area, uint64_t offset)
{
	struct instruction in;
	return disassemble(area->bytes + offset, area->count - offset, area->address + offset, &in) &&
	       instruction_is_rare(in.kind);
}

/* Whether a hit would be an XBEGIN with a distant target: OpenJDK's `mov $0x1f8, %rdi` contains these bytes. */
static bool is_far(const struct code_area *area, uint64_t offset)
{
	uint64_t address = area->address + offset;
	struct instruction in;
	return disassemble(area->bytes + offset, area->count - offset, address, &in) && in.kind == TRAP_TSX &&
	       in.flags & INSTRUCTION_TARGET && in.target - address + XBEGIN_REACH > 2 * XBEGIN_REACH;
}

/* Handles a hit in raw memory without enough votes. It may be executed all the same, because disassembly from data
 * before it may never fall into step. It is unlikely only if votes say that other instructions are there, or if the
 * bytes after it are not code. */
static int doubt(struct search *search, uint64_t offset, const struct disassembler_vote *vote)
{
	const struct code_area *area = search->area;
	if (!may_trap(search, offset))
		return 0;
	bool is_other = vote->no > 7 * vote->yes && vote->no * NO_ENOUGH >= vote->asked;
	bool is_code = !is_other && disassembler_goes_on(area->bytes, area->count, area->address, offset);
	return append_doubt(search, offset, is_code ? CODE_UNDECIDED : CODE_UNLIKELY);
}

/* Judges a hit that is in no known function. Disassembly also starts in functions before it, because glibc's unwind
 * table of clone3() ends between the mov and the syscall. */
static int judge(struct search *search, uint64_t offset)
{
	const struct code_area *area = search->area;
	struct disassembler_vote vote;
	struct code_patch known;
	int result = spend(search, VOTE_WORK);
	if (result)
		return result;
	result = look_up(search, offset, &known);
	if (result < 0)
		return result;
	if (result) {
		uint64_t end = area->address + (known.offset - area->offset) + known.length;
		search->decided = search->floor = known.length ? end : area->address + offset;
		return known.length ? append(search, &known) : 0;
	}
	if (search->map.is_raw && is_far(area, offset))
		return 0;
	if (is_rare(area, offset)) /* a disassembly that meets it does not vote */
		return search->map.is_raw && may_trap(search, offset) ? append_doubt(search, offset, CODE_UNLIKELY) : 0;
	disassembler_ask(area->bytes, area->count, area->address, 0, offset, search->set, &vote);
	if (vote.no > 7 * vote.yes || vote.yes * YES_MIN < vote.asked || !vote.goes_on)
		return search->map.is_raw ? doubt(search, offset, &vote) : 0;
	if (vote.yes <= 7 * vote.no || vote.yes * (search->map.is_raw ? YES_MIN : YES_ENOUGH) < vote.asked ||
	    (area->is_segment && code_data_surround(area, offset)))
		/* Other kinds need no report: an unpatched system call traps, and `pause` and atomic instructions have
		 * no results that depend on the host. */
		return disassembler_set_of(vote.instruction.kind) == OPCODE_TRAPS ? append_undecided(search, offset)
		                                                                  : 0;
	struct code_patch patch = {
		.offset = area->offset + vote.offset,
		.kind = vote.instruction.kind,
		.length = vote.instruction.length,
	};
	if (patch.kind == CODE_SYSCALL)
		take_outside(search, &vote, &patch);
	if (is_point(patch.kind)) {
		set_operand(area, &patch);
		patch.operand[0] |= CODE_TRAPS;
		patch.reason = CODE_REASON_OUTSIDE;
	}
	if (area->address + (patch.offset - area->offset) < search->floor) /* its prefixes belong to an earlier patch */
		return search->map.is_raw ? doubt(search, offset, &vote) : 0;
	search->decided = search->floor = area->address + vote.offset + patch.length;
	result = append(search, &patch);
	/* The prefixes may be data; the executed instruction then begins after them. */
	if (!result && search->map.is_raw && vote.offset < offset && may_trap(search, offset))
		result = append_doubt(search, offset, CODE_UNLIKELY);
	return result;
}

/* Takes the functions that contain chosen instructions before `end`. */
static int take_chosen(struct search *search, uint64_t end)
{
	const struct code_chosen *chosen = &search->chosen;
	uint64_t gap;
	for (size_t i = chosen->next; i < chosen->count && chosen->at[i].address < end; i++) {
		if (chosen->at[i].address < search->decided)
			continue;
		int result = code_map_find(&search->map, search->area, chosen->at[i].address, &search->range,
		                           &search->source, &gap);
		if (result > 0)
			result = take_function(search);
		if (result < 0)
			return result == -ENOMEM ? out_of_memory(search) : result;
	}
	return 0;
}

/* Judges a hit in a function that was taken. Instructions that flow reaches are certain, and so are wanted ones that
 * something leads to. A hit inside another instruction is not an instruction if no code can enter it. Any
 * other hit is undecided, because code may enter it in an unknown way. */
static int judge_inside(struct search *search, uint64_t offset)
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
		decided = is_supported(search, s->address);
	else if (s) {
		decided = is_hidden(search, s, address);
		decided = decided < 0 ? decided : !decided;
	}
	return decided ? (decided < 0 ? decided : 0) : append_undecided(search, offset);
}

static int visit(void *context, uint64_t offset)
{
	struct search *search = context;
	if (is_stopped && is_stopped())
		return refuse(search->error, EINTR, "stopped while code was analysed");
	uint64_t address = search->area->address + offset;
	int result = take_chosen(search, address);
	if (result)
		return result;
	if (address < search->decided)
		return judge_inside(search, offset);
	result = disassembler_load(search->error);
	if (result)
		return result;
	result = code_map_find(&search->map, search->area, address, &search->range, &search->source, &search->gap);
	if (result < 0)
		return out_of_memory(search);
	bool in_table = result && search->source == CODE_SOURCE_EH_FRAME;
	if (!in_table && code_map_denies(&search->map, search->area, offset, !result))
		return 0;
	if (!result)
		return judge(search, offset);
	result = take_function(search);
	if (result)
		return result;
	return address < search->decided ? judge_inside(search, offset) : judge(search, offset);
}

static int scan_areas(struct search *search)
{
	int result = 0;
	for (unsigned i = 0; i < search->map.area_count && !result; i++) {
		const struct code_area *area = search->area = &search->map.areas[i];
		search->decided = search->floor =
			area->address;   /* areas do not overlap in the file, so neither do their patches */
		search->chosen.next = 0; /* areas are in file order, which may differ from address order */
		code_chosen_skip(&search->chosen, area->address);
		result = opcode_search(area->bytes, area->count, search->set, visit, search);
		if (!result)
			result = take_chosen(search, area->address + area->count);
	}
	return result;
}

static int scan_map(struct search *search, uint64_t bytes, const struct code_points *points)
{
	int result = 0;
	search->set = OPCODE_TRAPS | OPCODE_SYSCALL | OPCODE_PAUSE | (points && points->atomics ? OPCODE_ATOMIC : 0);
	search->work = WORK_MIN + WORK_FACTOR * bytes;
	search->set |= search->map.is_raw ? OPCODE_RAW : 0;
	if (!search->map.is_raw && points) {
		result = code_chosen_make(&search->map, points, &search->chosen, search->error);
		search->set |= OPCODE_WAIT | OPCODE_STORE;
	}
	if (!result)
		result = scan_areas(search);
	if (!result && !search->map.is_raw && code_seeds_add(&search->map.elf, search->scan))
		result = out_of_memory(search);
	memcpy(search->scan->note, search->map.note, sizeof(search->map.note));
	code_chosen_fini(&search->chosen);
	code_branches_fini(&search->branches);
	code_mentions_fini(&search->mentions);
	code_entries_fini(&search->entries);
	code_function_fini(&search->function);
	code_map_fini(&search->map);
	if (result)
		code_scan_fini(search->scan);
	return result;
}

int code_scan_elf(const uint8_t *file, uint64_t bytes, const struct code_points *points, struct code_scan *scan,
                  char error[256])
{
	struct search search = {.scan = scan, .error = error};
	*scan = (struct code_scan){0};
	if (bytes > CODE_SCAN_BYTES_MAX)
		return refuse(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	int result = code_map_open(&search.map, file, bytes, error);
	return result ? result : scan_map(&search, bytes, points);
}

int code_scan_raw(const uint8_t *memory, uint64_t bytes, uint64_t entry, struct code_scan *scan, char error[256])
{
	static const struct code_points none;
	struct search search = {.scan = scan, .error = error};
	*scan = (struct code_scan){0};
	if (bytes > CODE_SCAN_BYTES_MAX)
		return refuse(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	int result = entry < bytes ? disassembler_load(error) : 0;
	if (result)
		return result;
	code_map_open_raw(&search.map, memory, bytes);
	if (entry < bytes && code_function_follow(&search.function, &search.map.areas[0], entry)) {
		code_function_fini(&search.function);
		return out_of_memory(&search);
	}
	return scan_map(&search, bytes, &none);
}

void code_scan_fini(struct code_scan *scan)
{
	free(scan->patches);
	free(scan->undecided);
	*scan = (struct code_scan){0};
}
