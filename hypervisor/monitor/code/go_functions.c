/* SPDX-License-Identifier: MIT */
#include "code/go_functions.h"

#include <errno.h>
#include <string.h>

#define MAGIC_1_2 0xfffffffbU
#define MAGIC_1_16 0xfffffffaU
#define MAGIC_1_18 0xfffffff0U
#define MAGIC_1_20 0xfffffff1U

#define HEADER_BYTES 72

struct table {
	const uint8_t *bytes;
	uint64_t count;
	uint64_t functions; /* offset of their list */
	uint64_t number;
	uint64_t text; /* base of entries of 4 bytes */
	bool is_short; /* entries have 4 bytes, not 8 */
};

static uint64_t word_at(const uint8_t *at, unsigned bytes)
{
	uint64_t word = 0;
	memcpy(&word, at, bytes);
	return word;
}

/* Returns the address of an entry, or the end of the code for the entry after the last one. */
static uint64_t entry(const struct table *table, uint64_t index)
{
	unsigned size = table->is_short ? 4 : 8;
	uint64_t value = word_at(table->bytes + table->functions + index * 2 * size, size);
	return table->is_short ? table->text + value : value;
}

/* Whether a table begins here. Does not check its entries. */
static bool read_header(struct table *table, const uint8_t *bytes, uint64_t count)
{
	*table = (struct table){.bytes = bytes, .count = count};
	if (count < HEADER_BYTES)
		return false;
	uint32_t magic = (uint32_t)word_at(bytes, 4);
	if (bytes[4] || bytes[5] || bytes[6] != 1 || bytes[7] != 8) /* padding, size of instructions, of pointers */
		return false;
	table->number = word_at(bytes + 8, 8);
	switch (magic) {
	case MAGIC_1_2:
		table->functions = 16;
		break;
	case MAGIC_1_16:
		table->functions = word_at(bytes + 56, 8);
		break;
	case MAGIC_1_18:
	case MAGIC_1_20:
		table->text = word_at(bytes + 24, 8);
		table->functions = word_at(bytes + 64, 8);
		table->is_short = true;
		break;
	default:
		return false;
	}
	uint64_t size = table->is_short ? 8 : 16;
	return table->functions <= count && table->number < (count - table->functions) / size;
}

/* Newer linkers leave the address of the text to a relocation. Then it is the address of the section. */
static void find_text(const struct elf_file *elf, struct table *table)
{
	Elf64_Shdr section;
	if (table->is_short && !table->text && elf_file_section_named(elf, ".text", &section))
		table->text = section.sh_addr;
}

static bool find_table(const struct elf_file *elf, struct table *table)
{
	static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};
	Elf64_Shdr section;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (elf_file_section_named(elf, names[i], &section))
			return read_header(table, elf->file + section.sh_offset, section.sh_size);
	if (elf->section_count)
		return false;
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		for (uint64_t at = 0; s->bytes >= HEADER_BYTES && at <= s->bytes - HEADER_BYTES; at += 32)
			if (read_header(table, elf->file + s->offset + at, s->bytes - at))
				return true;
	}
	return false;
}

int go_functions_read(const struct elf_file *elf, struct code_ranges *functions)
{
	struct table table;
	uint64_t left;
	if (!find_table(elf, &table))
		return 0;
	find_text(elf, &table);
	for (uint64_t i = 0; i < table.number; i++) {
		uint64_t from = entry(&table, i), to = entry(&table, i + 1);
		if (to <= from || !elf_file_at(elf, from, &left)) {
			functions->count = 0; /* a wrong list is worse than none */
			return 0;
		}
		int result = code_range_append(functions, (struct code_range){from, to - from});
		if (result)
			return result;
	}
	return 0;
}
