/* SPDX-License-Identifier: MIT */
/* The first pass of the planner: where the branches of a file lead, which bytes of code it reads as data, and what its
 * functions call. */
#include <errno.h>
#include <string.h>

#include "code/code_search.h"
#include "code/ticks/tick_planner.h"

#define CONSTANT_BYTES 64 /* limit of an operand: a vector register of AVX-512 */

/* Notes where an instruction leads, if that is outside of `own`, and the bytes that it reads. */
static void note_step(struct planner *planner, const struct code_area *area, const struct code_step *step,
                      const struct code_range *own)
{
	const struct instruction *in = &step->instruction;
	int32_t distance;
	if (in->flags & INSTRUCTION_TARGET && in->target - own->address >= own->bytes)
		code_bits_set(&planner->led_to, &planner->map, in->target);
	if (!in->relative_at || in->flags & INSTRUCTION_REFERENCE)
		return;
	memcpy(&distance, area->bytes + (step->address - area->address) + in->relative_at, sizeof(distance));
	const uint64_t at = step->address + in->length + (uint64_t)(int64_t)distance;
	for (unsigned k = 0; code_map_area(&planner->map, at) && k < CONSTANT_BYTES; k++)
		code_bits_set(&planner->read, &planner->map, at + k);
}

/* Reads the instruction at an address; a byte that begins none counts as one. */
static void read_step(const struct code_area *area, struct code_step *step)
{
	const uint64_t at = step->address - area->address;
	step->instruction.length = 1;
	if (!area->bytes[at] || !disassemble(area->bytes + at, area->count - at, step->address, &step->instruction))
		step->instruction = (struct instruction){.length = 1};
}

/* Notes this for the instructions from an address on, up to one that is also among those from `others` on: these are
 * noted. Returns where the last one that begins before `end` ends. */
static uint64_t note_steps(struct planner *planner, const struct code_area *area, uint64_t from, uint64_t end,
                           uint64_t others)
{
	static const struct code_range nothing;
	struct code_step step = {.address = from}, other = {.address = others};
	for (; step.address < end; step.address += step.instruction.length) {
		for (; other.address < step.address; other.address += other.instruction.length)
			read_step(area, &other);
		if (other.address == step.address)
			break;
		read_step(area, &step);
		note_step(planner, area, &step, &nothing);
		tick_calls_note(&planner->calls, area, &step);
	}
	return step.address;
}

/* Notes this for code that is in no function, or in one that overlaps another: the unwind tables may be wrong. Then
 * an instruction may also lead over the start of the next function, which is therefore none; and the code may begin
 * within an instruction, of which it has fewer bytes than the longest one. */
int tick_note_rest(void *context, const struct code_area *area, const struct code_range *range)
{
	struct planner *planner = context;
	const uint64_t end = range->address + range->bytes;
	const bool leads_over = note_steps(planner, area, range->address, end, UINT64_MAX) > end;
	for (uint64_t skipped = 1; skipped < CODE_INSTRUCTION_MAX; skipped++)
		note_steps(planner, area, range->address + skipped, end, range->address);
	code_bits_set(&planner->led_to, &planner->map, range->address);
	if (leads_over)
		code_bits_set(&planner->cut, &planner->map, end);
	return 0;
}

/* Notes if the last instruction of a function leads over its end: then what begins there is no function. */
static void note_end(struct planner *planner, const struct code_range *range)
{
	const struct code_function *function = &planner->function;
	const struct code_step *last = function->count ? &function->steps[function->count - 1] : NULL;
	const uint64_t end = range->address + range->bytes;
	const uint64_t at = last ? last->address + last->instruction.length : 0;
	if (at > end)
		code_bits_set(&planner->cut, &planner->map, end);
}

int tick_note_function(void *context, const struct code_area *area, const struct code_range *range)
{
	struct planner *planner = context;
	struct code_function *function = &planner->function;
	struct code_search stop = {.error = planner->error};
	if (code_search_check_stop(&stop))
		return -EINTR;
	if (code_function_read(function, area, range))
		return -ENOMEM;
	code_bits_set(&planner->starts, &planner->map, range->address);
	for (size_t i = 0; i < function->count; i++)
		note_step(planner, area, &function->steps[i], range);
	note_end(planner, range);
	if (tick_calls_add(&planner->calls, area, range, function))
		return -ENOMEM;
	/* Where some of it is no instruction, the rest may have been read wrongly. */
	return function->is_whole ? 0 : tick_note_rest(planner, area, range);
}
