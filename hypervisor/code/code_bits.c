/* SPDX-License-Identifier: MIT */
#include "code/code_bits.h"

#include <errno.h>
#include <stdlib.h>

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

void code_bits_set(struct code_bits *bits, const struct code_map *map, uint64_t address, uint64_t mask)
{
	for (unsigned i = 0; i < map->area_count; i++) {
		uint64_t at = (address - map->areas[i].address) & mask;
		if (at < map->areas[i].count)
			bits->bits[i][at / 8] |= (uint8_t)(1U << at % 8);
	}
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
