/* SPDX-License-Identifier: MIT */
/* Long branches are searched byte by byte, which takes 1 ms per MB. That finds false ones, but they hardly ever matter.
 * Short branches would give too many false ones, so they are found by disassembly. */
#include "code/code_branches.h"

#include <emmintrin.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"

/* Reach of a short jump in bytes, including the jump. */
#define REACH 130
/* Limit of functions to look at before those within reach. */
#define NEIGHBOURS_MAX 64

/* Returns the length of the opcode before a 4-byte distance if the bytes look like such an instruction, or 0. */
static unsigned opcode_bytes(const uint8_t *at, bool with_lea)
{
	if (at[0] == 0xe8 || at[0] == 0xe9)
		return 1;
	if (at[0] == 0x0f)
		return (at[1] & 0xf0) == 0x80 ? 2 : 0;
	return with_lea && at[0] == 0x8d && (at[1] & 0xc7) == 0x05 ? 2 : 0;
}

/* Which of the 16 bytes at `at` may begin such an instruction. Reads 17 bytes. */
static unsigned sieve_branches(const uint8_t *at, bool with_lea)
{
	const __m128i first = _mm_loadu_si128((const __m128i *)at);
	const __m128i second = _mm_loadu_si128((const __m128i *)(at + 1));
#define IS(bytes, mask, value) \
	_mm_cmpeq_epi8(_mm_and_si128(bytes, _mm_set1_epi8((char)(mask))), _mm_set1_epi8((char)(value)))
	__m128i found = IS(first, 0xfe, 0xe8);
	found = _mm_or_si128(found, _mm_and_si128(IS(first, 0xff, 0x0f), IS(second, 0xf0, 0x80)));
	if (with_lea)
		found = _mm_or_si128(found, _mm_and_si128(IS(first, 0xff, 0x8d), IS(second, 0xc7, 0x05)));
#undef IS
	return (unsigned)_mm_movemask_epi8(found);
}

/* Marks where an instruction at an offset leads, if it is one. */
static void mark_target(struct code_bits *bits, const struct code_map *map, const struct code_area *area, uint64_t at,
                        bool with_lea)
{
	const unsigned before = opcode_bytes(area->bytes + at, with_lea);
	int32_t distance;
	if (!before)
		return;
	memcpy(&distance, area->bytes + at + before, sizeof(distance));
	code_bits_set(bits, map, area->address + at + before + 4 + (uint64_t)(int64_t)distance);
}

void code_branches_mark(struct code_bits *bits, const struct code_map *map, bool with_lea)
{
	for (unsigned i = 0; i < map->area_count; i++) {
		const struct code_area *area = &map->areas[i];
		uint64_t at = 0;
		for (; at + 16 + 6 <= area->count; at += 16)
			for (unsigned found = sieve_branches(area->bytes + at, with_lea); found; found &= found - 1)
				mark_target(bits, map, area, at + (unsigned)__builtin_ctz(found), with_lea);
		for (; at + 6 <= area->count; at++)
			mark_target(bits, map, area, at, with_lea);
	}
}

int code_branches_read(struct code_branches *branches, const struct code_map *map)
{
	if (branches->is_read)
		return 0;
	if (code_bits_begin(&branches->led_to, map))
		return -ENOMEM;
	code_branches_mark(&branches->led_to, map, true);
	branches->is_read = true;
	return 0;
}

/* Whether a function nearby has a branch to (from, to). */
static int do_neighbours_lead(struct code_branches *branches, const struct code_area *area,
                              const struct code_ranges *all, const struct code_range *function, uint64_t from,
                              uint64_t to)
{
	size_t left = search_first(all->count, at, all->at[at].address < to + REACH);
	for (unsigned i = 0; i < NEIGHBOURS_MAX && left--; i++) {
		const struct code_range *near = &all->at[left];
		if (near->address < area->address || near->address - area->address >= area->count)
			continue;
		if (near->address + near->bytes + REACH < from)
			break;
		if (near->address == function->address && near->bytes == function->bytes)
			continue;
		struct code_function *other = &branches->neighbour;
		int result = code_function_read(other, area, near);
		branches->disassembled += other->end - other->start;
		if (result)
			return result;
		if (code_function_is_entered(other, from, to))
			return 1;
	}
	return 0;
}

int code_branches_lead(struct code_branches *branches, struct code_map *map, const struct code_area *area,
                       const struct code_range *function, enum code_source source, uint64_t from, uint64_t to)
{
	int result = code_branches_read(branches, map);
	if (result)
		return result;
	if (code_bits_any(&branches->led_to, map, area, from + 1, to))
		return 1;
	return do_neighbours_lead(branches, area, &map->functions[source], function, from, to);
}

void code_branches_fini(struct code_branches *branches)
{
	code_bits_fini(&branches->led_to);
	code_function_fini(&branches->neighbour);
	*branches = (struct code_branches){0};
}
