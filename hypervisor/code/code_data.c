/* SPDX-License-Identifier: MIT */
#include "code/code_data.h"

#include "scan/disassembler.h"

/* So many bytes of data, random or text, have a dozen odd instructions; of code, which may have a table on one side of
 * it, none. */
#define WINDOW_BYTES 256
#define ODD_ENOUGH 2

/* How many instructions of [from, to) are no program's. */
static unsigned count_odd(const struct code_area *area, uint64_t from, uint64_t to)
{
	unsigned odd = 0, length;
	for (uint64_t at = from; at < to; at += length ? length : 1) {
		struct instruction in;
		length = disassemble(area->bytes + at, area->count - at, area->address + at, &in);
		odd += !length || in.flags & INSTRUCTION_ODD;
	}
	return odd;
}

bool code_data_surround(const struct code_area *area, uint64_t offset)
{
	uint64_t from = offset > WINDOW_BYTES ? offset - WINDOW_BYTES : 0;
	uint64_t to = area->count - offset > WINDOW_BYTES ? offset + WINDOW_BYTES : area->count;
	return count_odd(area, from, offset) >= ODD_ENOUGH && count_odd(area, offset, to) >= ODD_ENOUGH;
}
