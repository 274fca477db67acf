/* SPDX-License-Identifier: MIT */
/* Which ranges of a library are prepared: its tables and its code, never beyond the file, whatever its headers say. */
#include "tests/unit/fakes/tap.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"
#include "guest/content_loading.h"
#include "guest/guest_contents.h"

#define MIB 0x100000UL
#define FILE_BYTES (32 * MIB)
#define DYNAMIC_AT 0x800UL

static struct {
	uint64_t address, bytes, offset;
} filled[8];
static unsigned filled_count;

static int show(void *engine, uint64_t address, const struct host_memory *memory, uint64_t offset, uint64_t bytes)
{
	(void)engine, (void)address, (void)memory, (void)offset, (void)bytes;
	return 0;
}

static void note(void *engine, uint64_t address, uint64_t bytes, int file, uint64_t offset)
{
	(void)engine;
	assert_true(file >= 0 && filled_count < 8);
	assert_true(offset < FILE_BYTES && bytes <= FILE_BYTES - offset);
	filled[filled_count].address = address;
	filled[filled_count].bytes = bytes;
	filled[filled_count++].offset = offset;
}

/* A file that is loaded where it lies, with tables in [4 KiB, 4 KiB + table_bytes) and code in [init, fini). */
static int make_library(uint64_t table_bytes, uint64_t init, uint64_t fini)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[2];
	} head = {.header = {.e_ident = ELFMAG,
	                     .e_phoff = sizeof(Elf64_Ehdr),
	                     .e_phentsize = sizeof(Elf64_Phdr),
	                     .e_phnum = 2},
	          .segments = {{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = FILE_BYTES},
	                       {.p_type = PT_DYNAMIC, .p_offset = DYNAMIC_AT, .p_filesz = 6 * sizeof(Elf64_Dyn)}}};
	const Elf64_Dyn entries[] = {{DT_SYMTAB, {PAGE_SIZE}},
	                             {DT_RELA, {2 * PAGE_SIZE}},
	                             {DT_RELASZ, {table_bytes - PAGE_SIZE}},
	                             {DT_INIT, {init}},
	                             {DT_FINI, {fini}}};
	head.header.e_ident[EI_CLASS] = ELFCLASS64;
	int file = memfd_create("library", MFD_CLOEXEC);
	assert_int_equal(ftruncate(file, FILE_BYTES), 0);
	assert_int_equal(pwrite(file, &head, sizeof(head), 0), sizeof(head));
	assert_int_equal(pwrite(file, entries, sizeof(entries), DYNAMIC_AT), sizeof(entries));
	return file;
}

/* Shows one more library, and returns its address. */
static uint64_t load(struct guest_contents *contents, uint64_t table_bytes, uint64_t init, uint64_t fini)
{
	const struct guest_content content = {.address = guest_contents_end(contents), .bytes = FILE_BYTES};
	int file = make_library(table_bytes, init, fini);
	filled_count = 0;
	assert_int_equal(guest_contents_add_file(contents, &content, file, 0), 0);
	close(file);
	content_loading_expect(contents, &contents->list[contents->count - 1]);
	return content.address;
}

static void assert_filled(unsigned i, uint64_t library, uint64_t offset, uint64_t bytes)
{
	assert_true(i < filled_count);
	assert_int_equal(filled[i].address, library + offset);
	assert_int_equal(filled[i].offset, offset);
	assert_int_equal(filled[i].bytes, bytes);
}

static void test_parts(void **state)
{
	struct guest_contents contents = {.file = -1, .show = show, .fill = note};
	(void)state;
	uint64_t at = load(&contents, MIB, 4 * MIB, 14 * MIB);
	assert_int_equal(filled_count, 2);
	assert_filled(0, at, PAGE_SIZE, MIB);
	assert_filled(1, at, 4 * MIB, 10 * MIB);
	at = load(&contents, MIB, 4 * MIB, 7 * MIB); /* little code */
	assert_int_equal(filled_count, 1);
	assert_filled(0, at, PAGE_SIZE, MIB);
	load(&contents, MIB, 4 * MIB, 14 * MIB); /* more than is left of what a run may have */
	assert_int_equal(filled_count, 1);
	at = load(&contents, MIB, 4 * MIB, 9 * MIB);
	assert_int_equal(filled_count, 2);
	assert_filled(1, at, 4 * MIB, 5 * MIB);
	guest_contents_fini(&contents);
}

static void test_hostile(void **state)
{
	static const uint64_t codes[][2] = {
		{UINT64_MAX - MIB, 9 * MIB}, {UINT64_MAX, UINT64_MAX}, {9 * MIB, MIB},
		{31 * MIB, 40 * MIB},        {0, UINT64_MAX},          {40 * MIB, 45 * MIB}};
	static const uint64_t tables[] = {0, 1, UINT64_MAX, UINT64_MAX - 2 * PAGE_SIZE, FILE_BYTES, 40 * MIB};
	(void)state;
	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		for (unsigned j = 0; j < sizeof(tables) / sizeof(tables[0]); j++) {
			struct guest_contents contents = {.file = -1, .show = show, .fill = note};
			load(&contents, tables[j], codes[i][0], codes[i][1]); /* `note` checks the ranges */
			guest_contents_fini(&contents);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_parts),
	cmocka_unit_test(test_hostile),
};
TAP_MAIN(tests)
