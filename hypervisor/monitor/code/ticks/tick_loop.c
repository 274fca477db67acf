/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_loop.h"

#include "abi/layout.h"
#include "scan/opcode_search.h"

#define ALL_SETS (OPCODE_TRAPS | OPCODE_SYSCALL | OPCODE_PAUSE | OPCODE_ATOMIC)

bool tick_loop_is_movable(const struct code_step *step, bool is_unknown)
{
	return (step->instruction.flags & INSTRUCTION_MOVABLE || step->instruction.relative_at) &&
	       !(disassembler_set_of(step->instruction.kind) & ALL_SETS) && (step->is_reached || !is_unknown);
}

bool tick_loop_describe_jump(const uint8_t *at, const struct instruction *in, struct code_patch *part)
{
	const unsigned length = in->length;
	const bool is_short = length == 2 && ((at[0] & 0xf0) == 0x70 || at[0] == 0xeb);
	const bool is_near = (length == 6 && at[0] == 0x0f && (at[1] & 0xf0) == 0x80) || (length == 5 && at[0] == 0xe9);
	part->operand[1] = is_short ? 1 : 4;
	part->operand[0] = (uint8_t)(length - part->operand[1]);
	part->operand[2] = CODE_LOOP_JUMP;
	return instruction_is_jump(in) && (is_short || is_near);
}

/* Whether a jump may be copied: it does not lead into the site behind its first byte. */
static bool is_target_copied(const struct instruction *in, uint64_t site, uint64_t behind_site)
{
	return in->target <= site || in->target >= behind_site;
}

/* Fills in the part for a step. Returns 1, 0 if the step does the same in a copy, or -1 if it cannot be copied. */
static int take_step(const struct code_step *step, const struct code_area *area, bool is_unknown,
                     struct code_patch *part)
{
	const struct instruction *in = &step->instruction;
	const uint64_t at = step->address - area->address;
	*part = (struct code_patch){
		.offset = area->offset + at, .kind = CODE_LOOP_PART, .length = in->length, .operand[1] = 4};
	if (instruction_is_jump(in))
		return (step->is_reached || !is_unknown) && tick_loop_describe_jump(area->bytes + at, in, part) ? 1
		                                                                                                : -1;
	if (!tick_loop_is_movable(step, is_unknown))
		return -1;
	part->operand[0] = in->relative_at;
	return in->relative_at != 0;
}

/* Whether the blocks from one to another have too many bytes for a copy. */
static bool is_too_long(const struct code_function *function, const struct tick_graph *graph, uint32_t first,
                        uint32_t last)
{
	const struct code_step *end = &function->steps[graph->blocks[last].end - 1];
	return end->address + end->instruction.length - function->steps[graph->blocks[first].first].address >
	       CODE_LOOP_BYTES_MAX;
}

/* Finds the blocks from *first to *last that are those of an innermost loop, in the order of their addresses. Returns
 * false if there are too many or others between them, or sites but for that of the head. */
static bool find_blocks(const struct code_function *function, const struct tick_graph *graph, uint32_t head,
                        uint32_t *first, uint32_t *last)
{
	*first = *last = head;
	while (*first && tick_graph_is_in_loop(graph, *first - 1, head) &&
	       !is_too_long(function, graph, *first - 1, *last))
		--*first;
	while (*last + 1 < graph->count && tick_graph_is_in_loop(graph, *last + 1, head) &&
	       !is_too_long(function, graph, *first, *last + 1))
		++*last;
	for (uint32_t i = *first; i <= *last; i++)
		if (i != head && (graph->blocks[i].is_head || graph->blocks[i].has_site))
			return false;
	for (uint32_t i = 0; i < graph->count; i++)
		if ((i < *first || i > *last) && tick_graph_is_in_loop(graph, i, head))
			return false;
	return true;
}

unsigned tick_loop_list(const struct code_function *function, const struct tick_graph *graph,
                        const struct code_area *area, uint32_t head, const struct code_patch *site, bool is_unknown,
                        struct code_patch parts[TICK_LOOP_PARTS_MAX])
{
	uint32_t first, latch;
	if (!find_blocks(function, graph, head, &first, &latch))
		return 0;
	const size_t from_step = graph->blocks[first].first, end_step = graph->blocks[latch].end;
	const struct code_step *steps = function->steps, *last = &steps[end_step - 1];
	const uint64_t from = steps[from_step].address, end = last->address + last->instruction.length,
		       at_site = area->address + (site->offset - area->offset),
		       behind_site = at_site + site->length + site->after;
	if (end - from > CODE_LOOP_BYTES_MAX || from / PAGE_SIZE != (end - 1) / PAGE_SIZE || at_site < from ||
	    behind_site > last->address || !instruction_is_jump(&last->instruction) ||
	    last->instruction.target - from >= end - from)
		return 0;
	unsigned count = 0;
	for (size_t i = from_step; i < end_step; i++) {
		struct code_patch part;
		const int kind = take_step(&steps[i], area, is_unknown, &part);
		const bool is_own = steps[i].address >= at_site && steps[i].address < behind_site; /* the site has it */
		const bool is_jump_here = instruction_is_jump(&steps[i].instruction);
		if (kind < 0 || (i + 1 < end_step && !code_function_goes_on(function, i)) ||
		    (is_jump_here && is_own && site->kind != CODE_TICK_LOOP) ||
		    (is_jump_here && !is_target_copied(&steps[i].instruction, at_site, behind_site)))
			return 0;
		if (!kind || is_own)
			continue;
		if (count == TICK_LOOP_PARTS_MAX)
			return 0;
		parts[count++] = part;
	}
	parts[count - 1].kind = CODE_LOOP; /* the last jump */
	parts[count - 1].operand[2] |= (uint8_t)((end - from) << 1);
	parts[count - 1].reason = (uint8_t)count;
	return count;
}
