/* SPDX-License-Identifier: MIT */
/* Symbols of an ELF file: those of one table of each type, whatever number of sections a file has; the order of names.
 */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "guest/elf_file.h"
#include "tests/unit/fakes/elf_maker.h"

#define SYMBOLS_OFFSET 0x1800UL /* in the page of the code */
#define SYMBOLS 3
#define NAMES_OFFSET 0x1900UL
#define DYNAMIC_OFFSET 0x1980UL
#define SECTIONS_OFFSET 0x2000UL
#define SECTIONS_MAX 60
#define LONG_OFFSET 0x1200UL
#define LONG_BYTES 300 /* with NUL */

static struct made_elf made;
static struct elf_file elf;
static struct elf_symbol *symbols;
static size_t count;

/* Makes a program with functions f0, f1 and f2 in `tables` symbol tables of these bytes, and g in a dynamic one. */
static void make(unsigned tables)
{
	Elf64_Ehdr header;
	Elf64_Shdr sections[SECTIONS_MAX] = {{0}};
	struct error error;
	assert_true(tables + 3 <= SECTIONS_MAX);
	made_elf_init(&made, "\xc3", 1, NULL, 0, MADE_PLAIN);
	Elf64_Phdr *code = (Elf64_Phdr *)(made.bytes + sizeof(header));
	code->p_filesz = code->p_memsz = 0x100;
	memcpy(&header, made.bytes, sizeof(header));
	header.e_shoff = SECTIONS_OFFSET;
	header.e_shentsize = sizeof(Elf64_Shdr);
	header.e_shnum = (Elf64_Half)(tables + 3);
	header.e_shstrndx = 1;
	memcpy(made.bytes, &header, sizeof(header));
	memcpy(made.bytes + NAMES_OFFSET, "\0f0\0f1\0f2\0g", 12);
	for (unsigned i = 0; i <= SYMBOLS; i++) {
		const Elf64_Sym sym = {.st_name = 1 + 3 * i,
		                       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		                       .st_shndx = 1,
		                       .st_value = MADE_CODE + 16 * i,
		                       .st_size = 8};
		memcpy(made.bytes + (i < SYMBOLS ? SYMBOLS_OFFSET + i * sizeof(sym) : DYNAMIC_OFFSET), &sym,
		       sizeof(sym));
	}
	sections[1] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = NAMES_OFFSET, .sh_size = 12};
	for (unsigned i = 0; i < tables; i++)
		sections[2 + i] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
		                               .sh_link = 1,
		                               .sh_offset = SYMBOLS_OFFSET,
		                               .sh_size = SYMBOLS * sizeof(Elf64_Sym)};
	sections[2 + tables] = (Elf64_Shdr){
		.sh_type = SHT_DYNSYM, .sh_link = 1, .sh_offset = DYNAMIC_OFFSET, .sh_size = sizeof(Elf64_Sym)};
	memcpy(made.bytes + SECTIONS_OFFSET, sections, sizeof(sections));
	assert_int_equal(elf_file_open(&elf, made.bytes, sizeof(made.bytes), &error), 0);
	free(symbols);
	assert_int_equal(elf_file_functions(&elf, &symbols, &count), 0);
}

static void test_tables(void **state)
{
	(void)state;
	make(1);
	assert_int_equal(count, SYMBOLS + 1);
	assert_string_equal(symbols[0].name, "f0");
	assert_int_equal(symbols[2].address, MADE_CODE + 32);
	assert_string_equal(symbols[3].name, "g");
	make(0);
	assert_int_equal(count, 1);
	assert_string_equal(symbols[0].name, "g");
}

/* With one header a symbol, the work would be the square of the file's size. */
static void test_repeated_tables(void **state)
{
	(void)state;
	make(SECTIONS_MAX - 3);
	assert_int_equal(count, SYMBOLS + 1);
}

/* Names of one function that differ behind their first 256 bytes are in the file's order: comparing whole names takes
 * as long as the file for each of them. */
static void test_long_names(void **state)
{
	static const char last[] = "ca";
	Elf64_Shdr strings;
	(void)state;
	make(1);
	uint8_t *section = made.bytes + SECTIONS_OFFSET + sizeof(strings);
	memcpy(&strings, section, sizeof(strings));
	strings.sh_offset = LONG_OFFSET;
	strings.sh_size = 1 + 2 * LONG_BYTES;
	memcpy(section, &strings, sizeof(strings));
	memset(made.bytes + LONG_OFFSET, 0, strings.sh_size);
	for (unsigned i = 0; i < 2; i++) {
		Elf64_Sym sym;
		uint8_t *at = made.bytes + SYMBOLS_OFFSET + i * sizeof(sym), *name = made.bytes + LONG_OFFSET + 1;
		memset(name + i * LONG_BYTES, 'b', LONG_BYTES - 1);
		name[(i + 1) * LONG_BYTES - 2] = (uint8_t)last[i];
		memcpy(&sym, at, sizeof(sym));
		sym.st_value = MADE_CODE;
		sym.st_name = 1 + i * LONG_BYTES;
		memcpy(at, &sym, sizeof(sym));
	}
	free(symbols);
	assert_int_equal(elf_file_functions(&elf, &symbols, &count), 0);
	assert_int_equal(strlen(symbols[0].name), LONG_BYTES - 1);
	assert_int_equal(symbols[0].name[LONG_BYTES - 2], 'c');
	assert_int_equal(symbols[1].name[LONG_BYTES - 2], 'a');
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_tables),
	cmocka_unit_test(test_repeated_tables),
	cmocka_unit_test(test_long_names),
};

TAP_MAIN(tests)
