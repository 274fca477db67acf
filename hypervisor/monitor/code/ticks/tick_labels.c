/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/code_tables.h"

#define BACK 8 /* how many steps before an indirect jump its target may be loaded */

void tick_labels_mark_pointed(struct code_bits *pointed, const struct code_map *map)
{
	for (uint64_t at = 0; at + sizeof(uint64_t) <= map->elf.bytes; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, map->elf.file + at, sizeof(word));
		if (word && code_map_area(map, word))
			code_bits_set(pointed, map, word);
	}
}

/* The register of `jmp *%reg`; -1 for a jump through memory. */
static int jump_register(const uint8_t *at, unsigned length)
{
	unsigned high = 0;
	for (; length > 2 && (at[0] == 0x3e || at[0] == 0x41); at++, length--) /* notrack, REX.B */
		high |= at[0] == 0x41 ? 8 : 0;
	return length == 2 && at[0] == 0xff && (at[1] & 0xf8) == 0xe0 ? (int)((at[1] & 7) | high) : -1;
}

/* Whether a step is a mov of 8 bytes from memory to a register. */
static bool is_load(const uint8_t *at, unsigned length, unsigned to)
{
	return length >= 3 && (at[0] & 0xf8) == 0x48 && at[1] == 0x8b && at[2] < 0xc0 &&
	       ((at[2] >> 3 & 7) | (at[0] & 4 ? 8U : 0U)) == to;
}

/* Whether the target of an indirect jump comes from memory as it is. A code_tables_jump. */
static bool is_from_memory(const struct code_area *area, const struct code_function *function, size_t step)
{
	const struct code_step *jump = &function->steps[step];
	const int to = jump_register(area->bytes + (jump->address - area->address), jump->instruction.length);
	for (size_t back = 1; to >= 0 && back <= BACK && back <= step; back++) {
		const struct code_step *s = &function->steps[step - back];
		const uint64_t offset = s->address - area->address;
		struct instruction_uses uses;
		if (!code_function_goes_on(function, step - back) ||
		    s->instruction.flags & (INSTRUCTION_END | INSTRUCTION_LEAVES))
			return false;
		if (is_load(area->bytes + offset, s->instruction.length, (unsigned)to))
			return true;
		if (!disassembler_uses(area->bytes + offset, area->count - offset, s->address, &uses) ||
		    uses.writes & USES_BIT((unsigned)to))
			return false;
	}
	return to < 0;
}

/* Adds to counts[] of each byte of a function how many labels are there. */
static void count_labels(const struct code_function *function, int32_t *counts, int32_t by)
{
	for (size_t i = 0; i < function->label_count; i++)
		if (function->labels[i] - function->start < function->end - function->start)
			counts[function->labels[i] - function->start] += by;
}

int tick_labels_add(struct code_map *map, const struct code_area *area, const struct code_bits *pointed,
                    struct code_function *function, bool *listed)
{
	const uint64_t bytes = function->end - function->start;
	int32_t *counts = calloc(bytes + 1, sizeof(*counts));
	if (!counts)
		return -ENOMEM;
	const int pads = code_map_add_landing_pads(map, function);
	count_labels(function, counts, -1);
	const int tables = code_tables_add_labels_but(&map->elf, area, function, is_from_memory);
	int result = pads == -ENOMEM || tables == -ENOMEM ? -ENOMEM : 0;
	for (uint64_t at = function->start + 1; at < function->end && !result && function->indirect; at++)
		if (code_bits_any(pointed, map, area, at, at + 1))
			result = code_function_add_listed(function, at);
	count_labels(function, counts, 1);
	for (uint64_t i = 0; i < bytes; i++)
		listed[i] = counts[i] > 0;
	free(counts);
	if (result == -ENOMEM)
		return result;
	return result || pads || tables || !function->is_whole;
}
