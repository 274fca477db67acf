/* SPDX-License-Identifier: MIT */
/* The target of a jump is certainly an instruction. The bytes after a conditional jump are not if the condition always
 * holds; those after a call or a trapping instruction are not if it never returns. So these two are followed last, in
 * that order, and only where they agree with what is known by then. */
#include "code/code_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "base/array.h"

/* Limit of instructions to disassemble for each byte, including wrong guesses. */
#define WORK_FACTOR 4

static int push(struct code_places *stack, uint64_t at)
{
	if (!array_reserve(stack->at, stack->room, stack->count + 1))
		return -ENOMEM;
	stack->at[stack->count++] = at;
	return 0;
}

static int append(struct code_function *function, const struct code_step *step)
{
	if (!array_reserve(function->steps, function->room, function->count + 1))
		return -ENOMEM;
	function->steps[function->count++] = *step;
	return 0;
}

int code_flow_begin(struct code_function *function, const struct code_area *area, const struct code_range *range)
{
	uint64_t at = range->address - area->address;
	uint64_t bytes = range->bytes < area->count - at ? range->bytes : area->count - at;
	if (!array_reserve(function->bytes, function->byte_room, bytes + CODE_INSTRUCTION_MAX))
		return -ENOMEM;
	memset(function->bytes, CODE_BYTE_UNKNOWN, bytes + CODE_INSTRUCTION_MAX);
	function->start = range->address;
	function->end = range->address + bytes;
	function->work = WORK_FACTOR * bytes + 1;
	function->count = function->label_count = 0;
	function->sure.count = function->likely.count = function->doubtful.count = 0;
	function->indirect = 0;
	function->is_whole = true;
	return 0;
}

/* Whether nothing is known of `length` bytes. */
static bool is_free(const struct code_function *function, uint64_t at, unsigned length)
{
	for (unsigned i = 0; i < length; i++)
		if (function->bytes[at + i] != CODE_BYTE_UNKNOWN)
			return false;
	return true;
}

/* Whether an instruction is a known one with more prefixes, as where a jump leads behind the `lock` prefix. */
static bool is_with_prefix(const struct code_function *function, uint64_t at, unsigned length)
{
	unsigned known = 0;
	while (known < length && function->bytes[at + known] == CODE_BYTE_UNKNOWN)
		known++;
	if (known == 0 || known == length || function->bytes[at + known] != CODE_BYTE_BEGINS)
		return false;
	for (unsigned i = known + 1; i < length; i++)
		if (function->bytes[at + i] != CODE_BYTE_INSIDE)
			return false;
	return function->bytes[at + length] != CODE_BYTE_INSIDE;
}

/* Whether a step agrees with what is known. A step that is sure need not. */
static bool agrees(struct code_function *function, uint64_t at, const struct code_step *step, bool is_sure)
{
	unsigned length = step->instruction.length;
	if (is_sure)
		return true;
	if (step->is_reached)
		return is_free(function, at, length) || is_with_prefix(function, at, length);
	return is_free(function, at, length) &&
	       !code_function_is_entered(function, step->address, step->address + length);
}

static void mark(struct code_function *function, uint64_t at, unsigned length)
{
	for (unsigned i = 1; i < length; i++)
		if (function->bytes[at + i] != CODE_BYTE_BEGINS)
			function->bytes[at + i] = CODE_BYTE_INSIDE;
	function->bytes[at] = CODE_BYTE_BEGINS;
}

/* Removes the steps from `first` on, which shared no bytes with others. */
static void take_back(struct code_function *function, size_t first)
{
	for (size_t i = first; i < function->count; i++) {
		const struct code_step *s = &function->steps[i];
		memset(&function->bytes[s->address - function->start], CODE_BYTE_UNKNOWN, s->instruction.length);
	}
	function->count = first;
}

/* Whether an instruction is a jump or a call to a known place. */
static bool is_branch(const struct instruction *instruction)
{
	return (instruction->flags & (INSTRUCTION_TARGET | INSTRUCTION_REFERENCE)) == INSTRUCTION_TARGET;
}

/* Follows flow from a place until it divides, ends or meets known code. Returns 1; 0 if the place is not sure and
 * turned out to be no code; or -ENOMEM. */
static int go_on(struct code_function *function, const struct code_area *area, uint64_t at, bool is_sure,
                 bool is_reached)
{
	uint64_t skip = function->start - area->address, count = function->end - function->start;
	size_t first = function->count;
	while (at < count && function->bytes[at] != CODE_BYTE_BEGINS) {
		struct code_step step = {.address = function->start + at, .is_reached = is_reached};
		unsigned length = 0;
		if (function->work) {
			function->work--;
			length = disassemble(area->bytes + skip + at, area->count - skip - at, step.address,
			                     &step.instruction);
		}
		if (is_sure && !length) {
			function->is_whole = false;
			break;
		}
		if (!length || !agrees(function, at, &step, is_sure)) {
			take_back(function, first);
			return 0;
		}
		if (append(function, &step))
			return -ENOMEM;
		bool is_prefix = !is_sure && !is_free(function, at, length);
		mark(function, at, length);
		if (is_prefix || is_branch(&step.instruction) ||
		    step.instruction.flags & (INSTRUCTION_END | INSTRUCTION_LEAVES))
			break;
		at += length;
	}
	return 1;
}

/* Notes where flow continues after the last step. */
static int note_ways(struct code_function *function)
{
	const struct code_step *s = &function->steps[function->count - 1];
	uint64_t count = function->end - function->start, target = s->instruction.target - function->start;
	uint64_t behind = s->address + s->instruction.length - function->start;
	unsigned flags = s->instruction.flags;
	int result = 0;
	if (is_branch(&s->instruction) && target < count)
		result = push(&function->sure, target);
	if (flags & INSTRUCTION_LEAVES && behind < count && !result)
		result = push(&function->doubtful, behind);
	else if (is_branch(&s->instruction) && !(flags & INSTRUCTION_END) && behind < count && !result)
		result = push(&function->likely, behind);
	return result;
}

int code_flow_follow(struct code_function *function, const struct code_area *area, uint64_t at,
                     enum code_flow_trust trust)
{
	bool is_reached = trust == CODE_FLOW_REACHED;
	struct code_places *const ways[] = {&function->sure, &function->likely, &function->doubtful};
	size_t first = function->count;
	int taken = go_on(function, area, at, is_reached, is_reached);
	int result = taken < 0 ? taken : 0;
	for (unsigned way = 0; !result && way < 3;) {
		if (function->count > first)
			result = note_ways(function);
		for (way = 0; way < 3 && !ways[way]->count; way++)
			;
		if (way == 3 || result)
			break;
		first = function->count;
		result = go_on(function, area, ways[way]->at[--ways[way]->count], is_reached && way == 0, is_reached);
		result = result < 0 ? result : 0;
	}
	return result ? result : taken;
}
