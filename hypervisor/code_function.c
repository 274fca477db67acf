/* SPDX-License-Identifier: MIT */
#include "code_function.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* How many bytes before its first instruction a function begins by its unwind information. That of the code which a
 * signal handler returns to begins a byte early, because unwinders look at the byte before a return address, and
 * nothing calls this one (glibc's __restore_rt, musl's likewise). */
static unsigned early(const uint8_t *code, uint64_t count)
{
	static const uint8_t wide[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}; /* mov $15, %rax; syscall */
	static const uint8_t narrow[] = {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05};           /* mov $15, %eax; syscall */
	return (count > sizeof(wide) && !memcmp(code + 1, wide, sizeof(wide))) ||
	       (count > sizeof(narrow) && !memcmp(code + 1, narrow, sizeof(narrow)));
}

int code_function_read(struct code_function *function, const struct code_area *area, const struct code_range *range)
{
	uint64_t at = range->address - area->address;
	uint64_t stop = range->bytes < area->count - at ? at + range->bytes : area->count;
	function->count = function->label_count = 0;
	function->indirect = 0;
	function->start = range->address;
	int result = 0;
	at += early(area->bytes + at, stop - at);
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
