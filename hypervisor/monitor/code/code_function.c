/* SPDX-License-Identifier: MIT */
#include "code/code_function.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"
#include "code/code_flow.h"
#include "scan/opcode_search.h"

/* Steps of more bytes than this each, on average, are sorted by comparisons. */
#define SPARSE 16

/* Returns 0 or -ENOMEM. */
static int append_label(struct code_function *function, uint64_t address)
{
	if (!array_reserve(function->labels, function->label_room, function->label_count + 1))
		return -ENOMEM;
	function->labels[function->label_count++] = address;
	function->is_sorted = false;
	return 0;
}

int code_function_add_listed(struct code_function *function, uint64_t address)
{
	return function->label_count < CODE_LABELS_MAX ? append_label(function, address) : -EINVAL;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Sorts the labels when they are first asked for: most functions are only read. */
static void sort_labels(struct code_function *function)
{
	if (!function->is_sorted && function->label_count)
		qsort(function->labels, function->label_count, sizeof(*function->labels), compare);
	function->is_sorted = true;
}

bool code_function_is_entered(struct code_function *function, uint64_t from, uint64_t to)
{
	sort_labels(function);
	size_t next = search_first(function->label_count, i, function->labels[i] <= from);
	return next < function->label_count && function->labels[next] < to;
}

/* Makes the labels: the targets of the steps, and steps that unknown code may jump to. */
static int add_labels(struct code_function *function)
{
	int result = 0;
	function->label_count = 0;
	for (size_t i = 0; i < function->count && !result; i++) {
		const struct code_step *s = &function->steps[i];
		if (s->instruction.flags & INSTRUCTION_LANDING)
			result = append_label(function, s->address);
		else if (s->instruction.flags & INSTRUCTION_TARGET)
			result = append_label(function, s->instruction.target);
	}
	return result;
}

/* Returns the next offset after `at` that is a label or a known byte. */
static uint64_t next_place(struct code_function *function, uint64_t at)
{
	uint64_t next = at + 1, count = function->end - function->start;
	while (next < count && function->bytes[next] == CODE_BYTE_UNKNOWN &&
	       !code_function_is_entered(function, function->start + next - 1, function->start + next + 1))
		next++;
	return next;
}

/* Guesses the instructions that flow did not reach, mostly cases of a `switch`. */
static int fill_gaps(struct code_function *function, const struct code_area *area)
{
	uint64_t at = 0, count = function->end - function->start;
	while (at < count) {
		if (function->bytes[at] != CODE_BYTE_UNKNOWN) {
			at++;
			continue;
		}
		int result = code_flow_follow(function, area, at, CODE_FLOW_GUESSED);
		if (result < 0)
			return result;
		if (result)
			continue;
		uint64_t next = next_place(function, at);
		memset(&function->bytes[at], CODE_BYTE_DATA, next - at);
		function->is_whole = false;
		at = next;
	}
	return 0;
}

static int compare_steps(const void *a, const void *b)
{
	const struct code_step *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Puts the steps in the order of their addresses, by where they begin: no two begin at one address. Returns 0 or
 * -ENOMEM. */
static int sort_steps(struct code_function *function)
{
	const uint64_t bytes = function->end - function->start;
	bool is_sorted = true;
	for (size_t i = 1; i < function->count && is_sorted; i++)
		is_sorted = function->steps[i - 1].address < function->steps[i].address;
	if (is_sorted)
		return 0;
	if (bytes / SPARSE > function->count) {
		qsort(function->steps, function->count, sizeof(*function->steps), compare_steps);
		return 0;
	}
	if (!array_reserve(function->order, function->order_room, bytes) ||
	    !array_reserve(function->sorted, function->sorted_room, function->count))
		return -ENOMEM;
	for (size_t i = 0; i < function->count; i++)
		function->order[function->steps[i].address - function->start] = (uint32_t)i;
	size_t sorted = 0;
	for (uint64_t at = 0; at < bytes; at++)
		if (function->bytes[at] == CODE_BYTE_BEGINS)
			function->sorted[sorted++] = function->steps[function->order[at]];
	struct code_step *steps = function->steps;
	const size_t room = function->room;
	function->steps = function->sorted;
	function->room = function->sorted_room;
	function->sorted = steps;
	function->sorted_room = room;
	return 0;
}

/* Sorts the steps, and removes those that begin inside another one. Returns 0 or -ENOMEM. */
static int put_in_order(struct code_function *function)
{
	size_t kept = 0;
	uint64_t after = function->start;
	const int result = sort_steps(function);
	for (size_t i = 0; i < function->count && !result; i++) {
		struct code_step step = function->steps[i];
		if (step.instruction.flags & INSTRUCTION_INDIRECT)
			function->indirect++;
		uint64_t end = step.address + step.instruction.length;
		/* If an instruction that traps is also entered after its prefix, keeps the shorter one: the prefix does
		 * not matter. */
		bool is_last = end == after && step.address < after && step.instruction.kind &&
		               step.instruction.kind == function->steps[kept - 1].instruction.kind &&
		               disassembler_set_of(step.instruction.kind) == OPCODE_TRAPS;
		if (step.address < after && !is_last)
			continue;
		kept -= step.address < after;
		after = end;
		function->steps[kept++] = step;
	}
	function->count = kept;
	return result;
}

int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range)
{
	int result = code_flow_begin(function, area, range);
	if (!result && range->bytes)
		result = code_flow_follow(function, area, 0, CODE_FLOW_REACHED);
	if (result >= 0)
		result = add_labels(function);
	const size_t reached = function->count;
	if (!result)
		result = fill_gaps(function, area);
	if (!result && function->count > reached)
		result = add_labels(function);
	const int ordered = put_in_order(function);
	return result ? result : ordered;
}

int code_function_follow(struct code_function *function, const struct code_area *area, uint64_t address)
{
	const struct code_range all = {area->address, area->count};
	int result = code_flow_begin(function, area, &all);
	if (!result && address - area->address < area->count)
		result = code_flow_follow(function, area, address - area->address, CODE_FLOW_REACHED);
	const int ordered = put_in_order(function);
	return result < 0 ? result : ordered;
}

const struct code_step *code_function_step_at(const struct code_function *function, uint64_t address)
{
	size_t next = search_first(function->count, i, function->steps[i].address <= address);
	const struct code_step *step = next ? &function->steps[next - 1] : NULL;
	return step && address - step->address < step->instruction.length ? step : NULL;
}

void code_function_fini(struct code_function *function)
{
	free(function->steps);
	free(function->sorted);
	free(function->order);
	free(function->labels);
	free(function->bytes);
	free(function->sure.at);
	free(function->likely.at);
	free(function->doubtful.at);
	*function = (struct code_function){0};
}
