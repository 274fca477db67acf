/* SPDX-License-Identifier: MIT */
/* Disassembles all functions, and counts only instructions that control flow reaches from a function's start. */
#include "pack/extensions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/error.h"
#include "code/code_function.h"
#include "code/code_map.h"
#include "code/code_scan.h"
#include "guest/elf_file.h"
#include "pack/portable.h"

#define NAME_SHOWN 80

struct extension_search {
	struct code_function function; /* the last one read */
	struct extension_use *uses;
	unsigned count;
};

static void count_instruction(struct extension_search *search, const struct code_area *area, uint64_t address)
{
	const uint8_t *bytes = area->bytes + (address - area->address);
	const uint64_t left = area->count - (address - area->address);
	struct instruction_extension extension;
	unsigned i = 0;
	if (!disassembler_extension(bytes, left, &extension))
		return;
	while (i < search->count && strcmp(search->uses[i].extension.name, extension.name))
		i++;
	if (i == EXTENSIONS_MAX)
		return;
	struct extension_use *use = &search->uses[i];
	if (i == search->count) {
		search->count++;
		*use = (struct extension_use){
			.extension = extension, .address = address, .mnemonic = disassembler_mnemonic(bytes, left)};
	}
	use->count++;
	if (address < use->address) {
		use->address = address;
		use->mnemonic = disassembler_mnemonic(bytes, left);
	}
}

static int visit_function(void *context, const struct code_area *area, const struct code_range *range)
{
	struct extension_search *search = context;
	if (code_function_read(&search->function, area, range))
		return -ENOMEM;
	for (size_t i = 0; i < search->function.count; i++)
		if (search->function.steps[i].is_reached)
			count_instruction(search, area, search->function.steps[i].address);
	return 0;
}

/* Sets the symbol around the first place. `symbols` are sorted by address; the first one that reaches the place is
 * taken. */
static void name_place(struct extension_use *use, const struct elf_symbol *symbols, size_t count)
{
	for (size_t i = 0; i < count && symbols[i].address <= use->address; i++) {
		if (use->address - symbols[i].address >= symbols[i].bytes || !symbols[i].name[0])
			continue;
		use->symbol = symbols[i].name;
		use->symbol_offset = use->address - symbols[i].address;
		return;
	}
}

static int by_extension(const void *a, const void *b)
{
	const struct extension_use *x = a, *y = b;
	return strcmp(x->extension.name, y->extension.name);
}

int extensions_list(const uint8_t *file, uint64_t bytes, struct extension_use uses[EXTENSIONS_MAX], struct error *error)
{
	struct extension_search search = {.uses = uses};
	struct code_map map;
	struct elf_symbol *symbols = NULL;
	size_t symbol_count = 0;
	if (!portable_is_code(file, bytes))
		return 0;
	if (bytes > CODE_SCAN_BYTES_MAX)
		return error_set(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	int result = disassembler_load(error);
	if (!result)
		result = code_map_open(&map, file, bytes, error);
	if (result)
		return result;
	result = code_map_each_function(&map, visit_function, &search);
	if (!result && search.count)
		result = elf_file_functions(&map.elf, &symbols, &symbol_count);
	for (unsigned i = 0; !result && i < search.count; i++)
		name_place(&uses[i], symbols, symbol_count);
	if (result)
		result = error_set(error, ENOMEM, "out of memory");
	else
		qsort(uses, search.count, sizeof(*uses), by_extension);
	free(symbols);
	code_function_fini(&search.function);
	code_map_fini(&map);
	return result ? result : (int)search.count;
}

void extensions_print(FILE *to, const char *path, const struct extension_use *use)
{
	static const char *const models[CPU_MODELS + 1] = {
		[CPU_V2] = "all models have it",
		[CPU_V3] = "--cpu v3 and v4",
		[CPU_V4] = "--cpu v4",
		[CPU_MODELS] = "no model has it",
	};
	char name[NAME_SHOWN + 1] = "?", offset[24] = "";
	if (use->symbol) {
		snprintf(name, sizeof(name), "%.*s", NAME_SHOWN, use->symbol);
		clean_text(name, strlen(name));
		snprintf(offset, sizeof(offset), "+0x%lx", use->symbol_offset);
	}
	fprintf(to, "%s: extension %s: %lu instruction%s, the first at %#lx %s %s%s (%s)\n", path, use->extension.name,
	        use->count, use->count == 1 ? "" : "s", use->address, use->mnemonic, name, offset,
	        models[use->extension.model]);
}
