/* SPDX-License-Identifier: MIT */
#include "code/code_bits.h"

#include <emmintrin.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int code_bits_begin(struct code_bits *bits, const struct code_map *map)
{
	code_bits_fini(bits);
	for (unsigned i = 0; i < map->area_count; i++) {
		bits->bits[i] = calloc(1, map->areas[i].count / 8 + 1);
		if (!bits->bits[i])
			return -ENOMEM;
	}
	return 0;
}

void code_bits_set(struct code_bits *bits, const struct code_map *map, uint64_t address)
{
	for (unsigned i = 0; i < map->area_count; i++) {
		uint64_t at = address - map->areas[i].address;
		if (at < map->areas[i].count)
			bits->bits[i][at / 8] |= (uint8_t)(1U << at % 8);
	}
}

/* Sets the bit of the address whose low half is at `at`, if the area has it. */
static void set_low(uint8_t *bits, const struct code_area *area, const uint8_t *at)
{
	uint32_t low;
	memcpy(&low, at, sizeof(low));
	low -= (uint32_t)area->address;
	if (low < area->count)
		bits[low / 8] |= (uint8_t)(1U << low % 8);
}

/* Which of the four numbers of four bytes at `at` are less than `limit` after `first` is subtracted. SSE2 compares
 * signed numbers only, so `limit` has its highest bit inverted, as has `first`. */
static unsigned sieve(const uint8_t *at, __m128i first, __m128i limit)
{
	const __m128i numbers = _mm_loadu_si128((const __m128i *)at);
	return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmplt_epi32(_mm_sub_epi32(numbers, first), limit)));
}

void code_bits_set_mentioned(struct code_bits *bits, const struct code_map *map, unsigned area, const uint8_t *file,
                             uint64_t bytes)
{
	const struct code_area *own = &map->areas[area];
	const __m128i first = _mm_set1_epi32((int)((uint32_t)own->address ^ 1U << 31));
	const __m128i limit = _mm_set1_epi32((int)((uint32_t)own->count ^ 1U << 31));
	uint64_t at = 0;
	for (; at + 16 + 3 <= bytes; at += 16) {
		unsigned hits = 0; /* of the number at at + 4 * i + phase: bit 4 * phase + i */
		for (unsigned phase = 0; phase < 4; phase++)
			hits |= sieve(file + at + phase, first, limit) << 4 * phase;
		for (; hits; hits &= hits - 1) {
			const unsigned bit = (unsigned)__builtin_ctz(hits);
			set_low(bits->bits[area], own, file + at + 4UL * (bit % 4) + bit / 4);
		}
	}
	for (; at + sizeof(uint32_t) <= bytes; at++)
		set_low(bits->bits[area], own, file + at);
}

bool code_bits_any(const struct code_bits *bits, const struct code_map *map, const struct code_area *area,
                   uint64_t from, uint64_t to)
{
	const uint8_t *own = bits->bits[area - map->areas];
	for (uint64_t at = from - area->address; at < to - area->address; at++)
		if (own[at / 8] & 1U << at % 8)
			return true;
	return false;
}

void code_bits_fini(struct code_bits *bits)
{
	for (unsigned i = 0; i < CODE_AREAS_MAX; i++)
		free(bits->bits[i]);
	*bits = (struct code_bits){0};
}
