/* SPDX-License-Identifier: MIT */
#include "code/code_seeds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/constant_seeds.h"
#include "base/array.h"

static const struct seed {
	const char *symbol, *name;
	uint32_t low, high;
} seeds[] = {
#define X(unused, symbol, name, low, high) {symbol, name, low, high},
	CONSTANT_SEEDS(X)
#undef X
};

/* Inserts a patch in order, unless one exists at its offset. */
static int insert(struct code_scan *scan, const struct code_patch *patch)
{
	size_t at = scan->count;
	if (!array_reserve(scan->patches, scan->room, scan->count + 1))
		return -ENOMEM;
	while (at && scan->patches[at - 1].offset > patch->offset)
		at--;
	const struct code_patch *before = at ? &scan->patches[at - 1] : NULL;
	const struct code_patch *behind = at < scan->count ? &scan->patches[at] : NULL;
	if ((before && patch->offset - before->offset < (uint64_t)before->before + before->length + before->after) ||
	    (behind && behind->offset - patch->offset < patch->length))
		return 0;
	memmove(scan->patches + at + 1, scan->patches + at, (scan->count++ - at) * sizeof(*patch));
	scan->patches[at] = *patch;
	return 0;
}

/* Returns the offset of a constant's variable in a file, or 0: it has none, or one with another value. */
static uint64_t find_seed(const struct elf_file *elf, const struct seed *seed)
{
	const uint64_t offset = elf_file_variable(elf, seed->symbol, CONSTANT_SEED_BYTES);
	uint32_t value;
	if (!offset || offset % CONSTANT_SEED_BYTES)
		return 0;
	memcpy(&value, elf->file + offset, sizeof(value));
	return value >= seed->low && value <= seed->high ? offset : 0;
}

int code_seeds_add(const struct elf_file *elf, struct code_scan *scan)
{
	int result = 0;
	for (unsigned i = 0; i < CONSTANT_SEEDS_COUNT && !result; i++) {
		const uint64_t offset = find_seed(elf, &seeds[i]);
		if (offset)
			result = insert(scan, &(struct code_patch){.offset = offset,
			                                           .kind = CODE_SEED,
			                                           .length = CONSTANT_SEED_BYTES,
			                                           .reason = (uint8_t)i});
	}
	return result;
}

bool code_seeds_are_in(const struct code_patch *patches, size_t count)
{
	size_t i = 0;
	while (i < count && patches[i].kind != CODE_SEED)
		i++;
	return i < count;
}

bool code_seeds_are_of(const struct elf_file *elf, const struct code_patch *patches, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (patches[i].kind == CODE_SEED && find_seed(elf, &seeds[patches[i].reason]) != patches[i].offset)
			return false;
	return true;
}

bool code_seeds_is_possible(const struct code_patch *patch)
{
	return patch->kind == CODE_SEED && patch->length == CONSTANT_SEED_BYTES && !patch->before && !patch->after &&
	       patch->reason < CONSTANT_SEEDS_COUNT && patch->offset % CONSTANT_SEED_BYTES == 0;
}

const char *code_seeds_name(const struct code_patch *patch)
{
	return seeds[patch->reason].name;
}
