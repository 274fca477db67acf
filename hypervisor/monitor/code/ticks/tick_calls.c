/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

/* A function costs less than this to be in the price of its calls, in sixteenths of a tick: 25 ns, and 2.5 ns if other
 * files or pointers may call it: such a call has a price of its own. */
#define CALLED_PRICE 1600
#define KNOWN_PRICE 160

/* --- reading --- */

int tick_calls_begin(struct tick_calls *calls, const struct code_map *map)
{
	const struct elf_file *elf = &map->elf;
	calls->map = map;
	if (code_bits_begin(&calls->taken, map))
		return -ENOMEM;
	code_bits_set(&calls->taken, map, elf->header.e_entry);
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *segment = &elf->segments[i];
		for (uint64_t at = 0; at + sizeof(uint64_t) <= segment->bytes; at += sizeof(uint64_t)) {
			uint64_t word;
			memcpy(&word, elf->file + segment->offset + at, sizeof(word));
			if (word && code_map_area(map, word))
				code_bits_set(&calls->taken, map, word);
		}
	}
	return 0;
}

/* Whether a step calls a known address, or jumps to one outside of a function. */
static bool is_direct(const struct instruction *in, const struct code_range *own)
{
	const bool leads = in->flags & INSTRUCTION_TARGET && !(in->flags & INSTRUCTION_REFERENCE);
	return leads && (in->flags & INSTRUCTION_LEAVES || in->target - own->address >= own->bytes);
}

static int add_call(struct tick_calls *calls, uint64_t target)
{
	if (!array_reserve(calls->calls, calls->call_room, calls->call_count + 1))
		return -ENOMEM;
	calls->calls[calls->call_count++] = target;
	return 0;
}

int tick_calls_add(struct tick_calls *calls, const struct code_area *area, const struct code_range *range,
                   const struct code_function *function)
{
	if (!array_reserve(calls->functions, calls->room, calls->count + 1))
		return -ENOMEM;
	struct tick_function *added = &calls->functions[calls->count++];
	*added = (struct tick_function){.area = area, .range = *range, .first_call = calls->call_count};
	added->calls_unknown = !function->is_whole;
	for (size_t i = 0; i < function->count; i++) {
		const struct instruction *in = &function->steps[i].instruction;
		if (is_direct(in, range)) {
			if (add_call(calls, in->target))
				return -ENOMEM;
		} else if (in->flags & (INSTRUCTION_LEAVES | INSTRUCTION_INDIRECT)) {
			added->calls_unknown = true;
		}
		tick_calls_note(calls, area, &function->steps[i]);
	}
	added->call_count = calls->call_count - added->first_call;
	return 0;
}

#define CONSTANT_BYTES 4U /* of an address in a program that is not moved */

void tick_calls_note(struct tick_calls *calls, const struct code_area *area, const struct code_step *step)
{
	const struct instruction *in = &step->instruction;
	uint32_t constant;
	if (in->flags & INSTRUCTION_REFERENCE)
		code_bits_set(&calls->taken, calls->map, in->target);
	if (in->flags & INSTRUCTION_LANDING)
		code_bits_set(&calls->taken, calls->map, step->address);
	if (in->flags & INSTRUCTION_TARGET || in->length <= CONSTANT_BYTES)
		return;
	memcpy(&constant, area->bytes + (step->address - area->address) + in->length - CONSTANT_BYTES,
	       sizeof(constant));
	code_bits_set(&calls->taken, calls->map, constant);
}

/* --- order --- */

/* The function that has an address, or NULL. */
static struct tick_function *find_function(const struct tick_calls *calls, uint64_t address)
{
	const size_t next = search_first(calls->count, i, calls->functions[i].range.address <= address);
	struct tick_function *found = next ? &calls->functions[next - 1] : NULL;
	return found && address - found->range.address < found->range.bytes ? found : NULL;
}

/* The next function that has to be planned before one whose planning has begun; NULL: none. */
static struct tick_function *next_called(const struct tick_calls *calls, struct tick_function *function)
{
	while (function->looked_at < function->call_count) {
		const uint64_t target = calls->calls[function->first_call + function->looked_at++];
		struct tick_function *called = find_function(calls, target);
		if (called && !called->has_begun)
			return called;
	}
	return NULL;
}

int tick_calls_each(struct tick_calls *calls, int (*plan)(void *context, struct tick_function *function), void *context)
{
	if (!array_reserve(calls->stack, calls->stack_room, calls->count + 1))
		return -ENOMEM;
	for (size_t i = 0; i < calls->count; i++) {
		size_t depth = 0;
		if (calls->functions[i].has_begun)
			continue;
		calls->functions[i].has_begun = true;
		calls->stack[depth++] = i;
		while (depth) {
			struct tick_function *top = &calls->functions[calls->stack[depth - 1]];
			struct tick_function *called = next_called(calls, top);
			if (called) {
				called->has_begun = true;
				calls->stack[depth++] = (size_t)(called - calls->functions);
				continue;
			}
			top->has_place = true; /* unless it is decided otherwise */
			const int result = plan(context, top);
			if (result)
				return result;
			top->has_ended = true;
			depth--;
		}
	}
	return 0;
}

/* --- places --- */

/* Looks at the functions that one calls. Returns whether it may do without a place, by these. */
static bool take_called(const struct tick_calls *calls, struct tick_function *function)
{
	function->is_quiet = !function->calls_unknown;
	for (size_t i = 0; i < function->call_count; i++) {
		const uint64_t target = calls->calls[function->first_call + i];
		const struct tick_function *called = find_function(calls, target);
		if (called && !called->has_ended)
			return false;
		const bool has_place = called && called->has_place && called->range.address == target;
		if (!called || (!has_place && !called->is_quiet))
			function->is_quiet = false;
	}
	return true;
}

bool tick_calls_wants_place(const struct tick_calls *calls, struct tick_function *function, uint64_t price)
{
	const uint64_t start = function->range.address;
	const bool is_known = code_bits_any(&calls->taken, calls->map, function->area, start, start + 1);
	function->price = price;
	function->is_acyclic = take_called(calls, function);
	function->has_place = !function->is_acyclic || price >= (is_known ? KNOWN_PRICE : CALLED_PRICE) ||
	                      (is_known && !function->is_quiet);
	return function->has_place;
}

void tick_calls_set_without(struct tick_function *function)
{
	function->has_place = !function->is_acyclic || function->price >= CALLED_PRICE;
}

/* What a step adds to the price of its call or jump: the price of a function without a place. */
static uint64_t price_of_call(const struct tick_calls *calls, const struct code_step *step)
{
	const struct instruction *in = &step->instruction;
	if (!(in->flags & INSTRUCTION_TARGET) || in->flags & INSTRUCTION_REFERENCE)
		return 0;
	const struct tick_function *called = find_function(calls, in->target);
	const bool is_entry = called && called->range.address == in->target;
	return is_entry && called->has_ended && !called->has_place ? called->price : 0;
}

void tick_calls_add_prices(const struct tick_calls *calls, const struct code_function *function,
                           struct tick_graph *graph)
{
	for (size_t i = 0; i < graph->count; i++) {
		struct tick_block *block = &graph->blocks[i];
		for (size_t k = block->first; k < block->end; k++)
			if (function->steps[k].instruction.flags & INSTRUCTION_LEAVES || k + 1 == block->end)
				block->price += price_of_call(calls, &function->steps[k]);
	}
}

void tick_calls_fini(struct tick_calls *calls)
{
	code_bits_fini(&calls->taken);
	free(calls->functions);
	free(calls->calls);
	free(calls->stack);
	*calls = (struct tick_calls){0};
}
