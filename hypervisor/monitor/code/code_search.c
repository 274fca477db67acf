/* SPDX-License-Identifier: MIT */
/* Disassembles a function once, from its start, and patches its wanted instructions from there on in order. */
#include "code/code_search.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "code/code_tables.h"
#include "scan/opcode_search.h"

/* Limit of bytes to disassemble in all: WORK_MIN, and WORK_FACTOR for each byte. It is needed because tables can make
 * one byte part of any number of functions. */
#define WORK_FACTOR 32
#define WORK_MIN (16UL << 20)
#define SIGRETURN 15
#define LABEL_WORK 8 /* cost of one label */

static bool (*is_stopped)(void);

void code_search_stop_when(bool (*stopped)(void))
{
	is_stopped = stopped;
}

int code_search_check_stop(const struct code_search *search)
{
	return is_stopped && is_stopped() ? error_set(search->error, EINTR, "stopped while code was analysed") : 0;
}

void code_search_begin(struct code_search *search, bool has_points, bool atomics)
{
	const struct code_map *map = &search->map;
	search->set = OPCODE_TRAPS | OPCODE_SYSCALL | OPCODE_PAUSE | (atomics ? OPCODE_ATOMIC : 0);
	search->set |= map->is_raw ? OPCODE_RAW : has_points ? OPCODE_WAIT | OPCODE_STORE : 0;
	search->work = WORK_MIN + WORK_FACTOR * (map->is_raw ? map->areas[0].count : map->elf.bytes);
}

void code_search_enter(struct code_search *search, const struct code_area *area)
{
	search->area = area;
	/* Areas do not overlap in the file, so neither do their patches. They are in file order, which may differ from
	 * address order. */
	search->decided = search->floor = area->address;
	search->chosen.next = 0;
	code_chosen_skip(&search->chosen, area->address);
}

void code_search_fini(struct code_search *search)
{
	code_chosen_fini(&search->chosen);
	code_branches_fini(&search->branches);
	code_mentions_fini(&search->mentions);
	code_entries_fini(&search->entries);
	code_function_fini(&search->function);
	code_map_fini(&search->map);
}

int code_search_out_of_memory(struct code_search *search)
{
	return error_set(search->error, ENOMEM, "out of memory");
}

int code_search_append(struct code_search *search, const struct code_patch *patch)
{
	struct code_scan *scan = search->scan;
	if (!array_reserve(scan->patches, scan->room, scan->count + 1))
		return code_search_out_of_memory(search);
	scan->patches[scan->count++] = *patch;
	return 0;
}

int code_search_spend(struct code_search *search, uint64_t work)
{
	if (work > search->work)
		return error_set(search->error, EFBIG, "its unwind tables put the same code into too many functions");
	search->work -= work;
	return 0;
}

bool code_search_is_point(uint8_t kind)
{
	return disassembler_set_of(kind) & OPCODE_POINTS;
}

/* Whether an instruction may become a jump. Then all branches into the instructions around it must be known. */
static bool may_jump(const struct code_search *search, uint8_t kind)
{
	return kind == CODE_SYSCALL || code_search_is_point(kind) || (code_jump_of(kind) && !search->map.is_raw);
}

static int is_entered(void *context, uint64_t from, uint64_t to)
{
	struct code_search *search = context;
	uint64_t before = search->branches.disassembled;
	int result = code_branches_lead(&search->branches, &search->map, search->area, &search->range, search->source,
	                                from, to);
	int spent = result < 0 ? code_search_out_of_memory(search)
	                       : code_search_spend(search, search->branches.disassembled - before);
	return spent ? spent : result;
}

/* Adds landing pads and targets of jump tables to the labels. Returns 0 or a negative errno. */
static int complete_labels(struct code_search *search)
{
	if (search->is_complete)
		return 0;
	int pads = code_map_add_landing_pads(&search->map, &search->function);
	int tables = code_tables_add_labels(&search->map.elf, search->area, &search->function);
	if (pads == -ENOMEM || tables == -ENOMEM)
		return code_search_out_of_memory(search);
	search->is_unknown = pads || tables || !search->function.is_whole;
	search->is_complete = true;
	return code_search_spend(search, LABEL_WORK * search->function.label_count);
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
static int is_led_to(struct code_search *search, uint64_t from, uint64_t to)
{
	if (code_function_is_entered(&search->function, from - 1, to + 1))
		return 1;
	int result = is_entered(search, from - 1, to + 1);
	if (result)
		return result;
	result = code_mentions_any(&search->mentions, &search->map, search->area, from, to);
	return result < 0 ? code_search_out_of_memory(search) : result;
}

int code_search_is_supported(struct code_search *search, uint64_t address)
{
	int result = complete_labels(search);
	if (result || search->is_unknown)
		return result ? result : 1;
	return is_led_to(search, entry_of(&search->function, address), address);
}

int code_search_is_hidden(struct code_search *search, const struct code_step *step, uint64_t address)
{
	int result = complete_labels(search);
	if (result || (search->is_unknown && entry_of(&search->function, step->address) == step->address))
		return result ? result : 1;
	return is_led_to(search, step->address + 1, address);
}

bool code_search_is_sigreturn(const struct code_area *area, uint64_t offset)
{
	static const uint8_t number[] = {SIGRETURN, 0, 0, 0};
	const uint8_t *at = area->bytes + offset;
	if (offset < 5 || memcmp(at - 4, number, sizeof(number)))
		return false;
	return at[-5] == 0xb8 || (offset >= 7 && at[-6] == 0xc7 && at[-5] == 0xc0);
}

void code_search_set_operand(const struct code_area *area, struct code_patch *patch)
{
	struct memory_operand operand;
	uint64_t at = patch->offset - area->offset;
	disassembler_operand(area->bytes + at, area->count - at, &operand);
	memcpy(patch->operand, operand.packed, sizeof(patch->operand));
}

/* Makes a patch of a step of the function. */
static int take_step(struct code_search *search, size_t step, struct code_surroundings *around)
{
	const struct code_step *s = &search->function.steps[step];
	const struct code_area *area = search->area;
	struct code_patch patch = {
		.offset = area->offset + (s->address - area->address),
		.kind = s->instruction.kind,
		.length = s->instruction.length,
	};
	if (patch.kind == CODE_SYSCALL && code_search_is_sigreturn(area, patch.offset - area->offset)) {
		patch.kind = CODE_SYSCALL_TRAP;
		patch.reason = CODE_REASON_SIGRETURN;
	} else if (patch.kind == CODE_SYSCALL) {
		int result = code_rules_choose(&search->function, step, around, &patch);
		if (result)
			return result;
	} else if (code_search_is_point(patch.kind)) {
		code_search_set_operand(area, &patch);
		int result = code_rules_choose_point(&search->function, step, around, &patch);
		if (result)
			return result;
		bool is_sure = code_chosen_is_sure(&search->chosen, s->address);
		if (patch.operand[0] & CODE_TRAPS && !is_sure)
			return 0;
		patch.operand[2] |= is_sure ? 0 : CODE_UNSURE;
	} else if (code_jump_of(patch.kind) && !search->map.is_raw) {
		int result = code_rules_choose_emulated(&search->function, step, around, &patch);
		if (result)
			return result;
	}
	if (patch.kind == CODE_LOCKED)
		patch.kind = CODE_ATOMIC;
	uint64_t end = (uint64_t)patch.before + patch.length + patch.after;
	around->floor = area->address + (patch.offset - area->offset) + end;
	return code_search_append(search, &patch);
}

int code_search_take_function(struct code_search *search)
{
	struct code_function *function = &search->function;
	int result = code_search_spend(search, search->range.bytes < search->area->count ? search->range.bytes
	                                                                                 : search->area->count);
	if (result)
		return result;
	if (code_function_read(function, search->area, &search->range))
		return code_search_out_of_memory(search);
	search->is_complete = false;
	code_chosen_mark(&search->chosen, function, search->area);
	struct code_surroundings around = {
		.is_entered = is_entered, .context = search, .floor = search->floor, .set = search->set};
	for (size_t step = 0; step < function->count && !result; step++) {
		const struct code_step *s = &function->steps[step];
		if (!(disassembler_set_of(s->instruction.kind) & search->set) || s->address < around.floor ||
		    s->address < search->decided)
			continue;
		int supported = s->is_reached ? 1 : code_search_is_supported(search, s->address);
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

int code_search_take_chosen(struct code_search *search, uint64_t end)
{
	const struct code_chosen *chosen = &search->chosen;
	uint64_t gap;
	for (size_t i = chosen->next; i < chosen->count && chosen->at[i].address < end; i++) {
		if (chosen->at[i].address < search->decided)
			continue;
		int result = code_map_find(&search->map, search->area, chosen->at[i].address, &search->range,
		                           &search->source, &gap);
		if (result > 0)
			result = code_search_take_function(search);
		if (result < 0)
			return result == -ENOMEM ? code_search_out_of_memory(search) : result;
	}
	return 0;
}
