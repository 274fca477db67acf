/* SPDX-License-Identifier: MIT */
#include "code/code_data.h"

#include "scan/disassembler.h"

/* 256 bytes of random data or text contain a dozen odd instructions; code contains none, but may have a table on one
 * side. */
#define WINDOW_BYTES 256
#define ODD_ENOUGH 2

/* Counts the instructions of [from, to) that programs do not contain. */
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
