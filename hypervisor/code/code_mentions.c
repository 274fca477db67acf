/* SPDX-License-Identifier: MIT */
#include "code/code_mentions.h"

#include <errno.h>
#include <string.h>

static int read_all(struct code_mentions *mentions, const struct code_map *map)
{
	if (code_bits_begin(&mentions->mentioned, map))
		return -ENOMEM;
	for (uint64_t at = 0; at + 4 <= map->elf.bytes; at++) {
		uint32_t value;
		memcpy(&value, map->elf.file + at, sizeof(value));
		code_bits_set(&mentions->mentioned, map, value, UINT32_MAX);
	}
	mentions->is_read = true;
	return 0;
}

int code_mentions_any(struct code_mentions *mentions, const struct code_map *map, const struct code_area *area,
                      uint64_t from, uint64_t to)
{
	int result = mentions->is_read ? 0 : read_all(mentions, map);
	return result ? result : code_bits_any(&mentions->mentioned, map, area, from, to + 1);
}

void code_mentions_fini(struct code_mentions *mentions)
{
	code_bits_fini(&mentions->mentioned);
	*mentions = (struct code_mentions){0};
}
