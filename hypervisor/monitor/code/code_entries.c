/* SPDX-License-Identifier: MIT */
#include "code/code_entries.h"

#include <stdlib.h>

#include "code/code_branches.h"

/* How far before a byte entries are looked for, and how far after it code is followed, in bytes. */
#define BACK_BYTES 4096
#define AHEAD_BYTES 4096
/* Limit of entries followed for a byte. */
#define FOLLOWED_MAX 16

/* Marks labels, the entry of the program and targets of branches. Bytes that only look like a branch hardly ever lead
 * to code found otherwise. */
static int read_all(struct code_entries *entries, const struct code_map *map)
{
	struct elf_symbol *labels = NULL;
	size_t count = 0;
	entries->is_read = true;
	int result = code_bits_begin(&entries->entered, map);
	if (!result)
		result = elf_file_labels(&map->elf, &labels, &count);
	for (size_t i = 0; i < count && !result; i++)
		code_bits_set(&entries->entered, map, labels[i].address);
	free(labels);
	if (result)
		return result;
	code_bits_set(&entries->entered, map, map->elf.header.e_entry);
	code_branches_mark(&entries->entered, map, false);
	return 0;
}

/* Whether all instructions followed look like a program's. Then the entry is code, not data. */
static bool is_sound(const struct code_function *function)
{
	for (size_t i = 0; i < function->count; i++)
		if (function->steps[i].instruction.flags & INSTRUCTION_ODD)
			return false;
	return function->is_whole;
}

int code_entries_lead(struct code_entries *entries, const struct code_map *map, const struct code_area *area,
                      uint64_t floor, uint64_t address, struct code_step *step)
{
	uint64_t at = address - area->address, first = at > BACK_BYTES ? at - BACK_BYTES : 0;
	int result = entries->is_read ? 0 : read_all(entries, map);
	if (floor > area->address + first)
		first = floor - area->address;
	uint64_t left = area->count - first, wanted = at - first + AHEAD_BYTES;
	const struct code_area part = {.bytes = area->bytes + first,
	                               .count = wanted < left ? wanted : left,
	                               .address = area->address + first,
	                               .offset = area->offset + first};
	unsigned followed = 0;
	for (uint64_t from = address + 1; !result && from-- > part.address && followed < FOLLOWED_MAX;) {
		if (!code_bits_any(&entries->entered, map, area, from, from + 1))
			continue;
		followed++;
		entries->disassembled += part.count;
		result = code_function_follow(&entries->function, &part, from);
		const struct code_step *found = result ? NULL : code_function_step_at(&entries->function, address);
		if (found && found->is_reached && is_sound(&entries->function)) {
			*step = *found;
			return 1;
		}
	}
	return result;
}

void code_entries_fini(struct code_entries *entries)
{
	code_bits_fini(&entries->entered);
	code_function_fini(&entries->function);
	*entries = (struct code_entries){0};
}
