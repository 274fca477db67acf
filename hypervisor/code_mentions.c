/* SPDX-License-Identifier: MIT */
#include "code_mentions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void mark(struct code_mentions *mentions, const struct code_map *map, uint32_t value)
{
	for (unsigned i = 0; i < map->area_count; i++) {
		uint32_t at = value - (uint32_t)map->areas[i].address;
		if (at < map->areas[i].count)
			mentions->bits[i][at / 8] |= (uint8_t)(1U << at % 8);
	}
}

static int read_all(struct code_mentions *mentions, const struct code_map *map)
{
	for (unsigned i = 0; i < map->area_count; i++) {
		free(mentions->bits[i]);
		mentions->bits[i] = calloc(1, map->areas[i].count / 8 + 1);
		if (!mentions->bits[i])
			return -ENOMEM;
	}
	for (uint64_t at = 0; at + 4 <= map->elf.bytes; at++) {
		uint32_t value;
		memcpy(&value, map->elf.file + at, sizeof(value));
		mark(mentions, map, value);
	}
	mentions->is_read = true;
	return 0;
}

int code_mentions_any(struct code_mentions *mentions, const struct code_map *map, const struct code_area *area,
                      uint64_t from, uint64_t to)
{
	int result = mentions->is_read ? 0 : read_all(mentions, map);
	const uint8_t *bits = mentions->bits[area - map->areas];
	for (uint64_t at = from - area->address; !result && at <= to - area->address; at++)
		result = bits[at / 8] >> at % 8 & 1;
	return result;
}

void code_mentions_fini(struct code_mentions *mentions, const struct code_map *map)
{
	for (unsigned i = 0; i < map->area_count; i++)
		free(mentions->bits[i]);
	*mentions = (struct code_mentions){0};
}
