/* SPDX-License-Identifier: MIT */
#include "code/code_mentions.h"

#include <errno.h>

int code_mentions_read(struct code_mentions *mentions, const struct code_map *map)
{
	if (mentions->is_read)
		return 0;
	if (code_bits_begin(&mentions->mentioned, map))
		return -ENOMEM;
	for (unsigned i = 0; i < map->area_count; i++)
		code_bits_set_mentioned(&mentions->mentioned, map, i, map->elf.file, map->elf.bytes);
	mentions->is_read = true;
	return 0;
}

int code_mentions_any(struct code_mentions *mentions, const struct code_map *map, const struct code_area *area,
                      uint64_t from, uint64_t to)
{
	int result = code_mentions_read(mentions, map);
	return result ? result : code_bits_any(&mentions->mentioned, map, area, from, to + 1);
}

void code_mentions_fini(struct code_mentions *mentions)
{
	code_bits_fini(&mentions->mentioned);
	*mentions = (struct code_mentions){0};
}
