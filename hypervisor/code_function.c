/* SPDX-License-Identifier: MIT */
#include "code_function.h"

#include <errno.h>
#include <stdlib.h>

int code_function_add_label(struct code_function *function, uint64_t address)
{
	if (function->label_count == function->label_room) {
		size_t room = function->label_room ? 2 * function->label_room : 256;
		uint64_t *more = realloc(function->labels, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		function->labels = more;
		function->label_room = room;
	}
	function->labels[function->label_count++] = address;
	return 0;
}

int code_function_add_listed(struct code_function *function, uint64_t address)
{
	return function->label_count < CODE_LABELS_MAX ? code_function_add_label(function, address) : -EINVAL;
}

static int append(struct code_function *function, uint64_t address, const struct instruction *instruction)
{
	if (function->count == function->room) {
		size_t room = function->room ? 2 * function->room : 512;
		struct code_step *more = realloc(function->steps, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		function->steps = more;
		function->room = room;
	}
	function->steps[function->count++] = (struct code_step){address, *instruction};
	if (instruction->flags & INSTRUCTION_INDIRECT)
		function->indirect++;
	if (instruction->flags & INSTRUCTION_LANDING)
		return code_function_add_label(function, address);
	return instruction->flags & INSTRUCTION_TARGET ? code_function_add_label(function, instruction->target) : 0;
}

int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range)
{
	uint64_t at = range->address - area->address;
	uint64_t stop = range->bytes < area->count - at ? at + range->bytes : area->count;
	function->count = function->label_count = 0;
	function->indirect = 0;
	function->start = range->address;
	int result = 0;
	while (at < stop && !result) {
		struct instruction instruction;
		unsigned length = disassemble(area->bytes + at, area->count - at, area->address + at, &instruction);
		if (!length)
			break;
		result = append(function, area->address + at, &instruction);
		at += length;
	}
	function->end = area->address + at;
	function->is_whole = at >= stop;
	code_function_sort(function);
	return result;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

void code_function_sort(struct code_function *function)
{
	if (function->label_count)
		qsort(function->labels, function->label_count, sizeof(*function->labels), compare);
}

bool code_function_is_entered(const struct code_function *function, uint64_t from, uint64_t to)
{
	size_t low = 0, high = function->label_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (function->labels[middle] <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < function->label_count && function->labels[low] < to;
}

void code_function_fini(struct code_function *function)
{
	free(function->steps);
	free(function->labels);
	*function = (struct code_function){0};
}
