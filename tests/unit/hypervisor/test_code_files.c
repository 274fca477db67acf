/* SPDX-License-Identifier: MIT */
/* The scan of files of this machine against objdump, which disassembles everything: both must find the same. */
#include "tests/unit/fakes/tap.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/boot.h"
#include "base/beside.h"
#include "base/error.h"
#include "code/code_map.h"
#include "code/code_scan.h"

static const struct {
	const char *name;
	uint8_t kind;
} mnemonics[] = {
	{"syscall", CODE_SYSCALL},    {"pause", CODE_PAUSE},        {"cpuid", TRAP_CPUID},
	{"rdtsc", TRAP_RDTSC},        {"rdtscp", TRAP_RDTSCP},      {"rdrand", TRAP_RDRAND},
	{"rdseed", TRAP_RDSEED},      {"rdpid", TRAP_RDPID},        {"xgetbv", TRAP_XGETBV},
	{"xbegin", TRAP_TSX},         {"xtest", TRAP_TSX},          {"rdpru", TRAP_RDPRU},
	{"vmcall", TRAP_ABSENT},      {"vmmcall", TRAP_ABSENT},     {"monitor", TRAP_ABSENT},
	{"mwait", TRAP_ABSENT},       {"rdpkru", TRAP_ABSENT},      {"wrpkru", TRAP_ABSENT},
	{"monitorx", TRAP_ABSENT},    {"mwaitx", TRAP_ABSENT},      {"clzero", TRAP_ABSENT},
	{"xsave", TRAP_XSAVE},        {"xsavec", TRAP_XSAVE},       {"xsaveopt", TRAP_XSAVE},
	{"xrstor", TRAP_XSAVE},       {"xsave64", TRAP_XSAVE},      {"xsavec64", TRAP_XSAVE},
	{"xsaveopt64", TRAP_XSAVE},   {"xrstor64", TRAP_XSAVE},     {"lar", TRAP_SEGMENT},
	{"lsl", TRAP_SEGMENT},        {"sgdt", TRAP_DESCRIPTOR},    {"sidt", TRAP_DESCRIPTOR},
	{"smsw", TRAP_DESCRIPTOR},    {"str", TRAP_DESCRIPTOR},     {"verr", TRAP_DESCRIPTOR},
	{"verw", TRAP_DESCRIPTOR},    {"sysenter", TRAP_SYSENTER},  {"sysexit", TRAP_SYSENTER},
	{"fnstenv", TRAP_X87_STATE},  {"fnsave", TRAP_X87_STATE},   {"fxsave", TRAP_X87_STATE},
	{"fxsave64", TRAP_X87_STATE}, {"xend", TRAP_SYSTEM},        {"xabort", TRAP_SYSTEM},
	{"incsspd", TRAP_SYSTEM},     {"incsspq", TRAP_SYSTEM},     {"rstorssp", TRAP_SYSTEM},
	{"saveprevssp", TRAP_SYSTEM}, {"setssbsy", TRAP_SYSTEM},    {"clrssbsy", TRAP_SYSTEM},
	{"wrssd", TRAP_SYSTEM},       {"wrssq", TRAP_SYSTEM},       {"umonitor", TRAP_SYSTEM},
	{"umwait", TRAP_SYSTEM},      {"tpause", TRAP_SYSTEM},      {"enqcmd", TRAP_SYSTEM},
	{"serialize", TRAP_SYSTEM},   {"ptwrite", TRAP_SYSTEM},     {"ldtilecfg", TRAP_SYSTEM},
	{"sttilecfg", TRAP_SYSTEM},   {"tilerelease", TRAP_SYSTEM}, {"tilezero", TRAP_SYSTEM},
	{"vmread", TRAP_SYSTEM},      {"vmwrite", TRAP_SYSTEM},     {"vmptrld", TRAP_SYSTEM},
	{"vmptrst", TRAP_SYSTEM},     {"vmclear", TRAP_SYSTEM},     {"xsaves", TRAP_SYSTEM},
	{"xrstors", TRAP_SYSTEM},
};

static uint8_t *file;
static uint64_t file_bytes;
static const struct code_points none;
static struct code_scan scan;
static const struct code_points none;
static struct code_map map;
static uint8_t *begins; /* for each byte of the file, whether an instruction begins there */

/* Whether there is such a file to look at. */
static bool load(const char *path)
{
	FILE *from = fopen(path, "rb");
	struct stat st;
	struct error error;
	free(file);
	file = NULL;
	if (!from) {
		print_message("# %s is not there\n", path);
		return false;
	}
	assert_int_equal(fstat(fileno(from), &st), 0);
	file_bytes = (uint64_t)st.st_size;
	free(begins);
	file = malloc(file_bytes);
	begins = calloc(1, file_bytes + 1);
	assert_int_equal(fread(file, 1, file_bytes, from), file_bytes);
	fclose(from);
	code_scan_fini(&scan);
	code_map_fini(&map);
	assert_int_equal(code_scan_elf(file, file_bytes, &none, &scan, &error), 0);
	assert_int_equal(scan.note.text[0], 0);
	assert_int_equal(scan.undecided_count, 0);
	assert_true(code_scan_is_possible(scan.patches, scan.count, file_bytes));
	assert_int_equal(code_map_open(&map, file, file_bytes, &error), 0);
	return true;
}

static uint8_t kind_of(const char *text)
{
	char word[16] = "";
	sscanf(text, "%15s", word);
	for (unsigned i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++)
		if (!strcmp(word, mnemonics[i].name))
			return mnemonics[i].kind;
	return 0;
}

/* Where in the file an address of its code is, and whether a function is known there. */
static bool find(uint64_t address, uint64_t *offset)
{
	struct code_range range;
	enum code_source source;
	uint64_t gap;
	for (unsigned i = 0; i < map.area_count; i++) {
		const struct code_area *area = &map.areas[i];
		if (address - area->address >= area->count)
			continue;
		*offset = area->offset + (address - area->address);
		return code_map_find(&map, area, address, &range, &source, &gap) == 1;
	}
	fail_msg("objdump sees code at 0x%lx, where there is none", address);
	return false;
}

/* Whether what a patch replaces, and the stub's parts, begin and end where instructions do. */
static void expect_whole(const char *path)
{
	for (size_t i = 0; i < scan.count; i++) {
		const struct code_patch *p = &scan.patches[i];
		uint64_t site = p->offset + p->before, end = site + p->length + p->after;
		if (!begins[p->offset] || !begins[site] || !begins[end])
			fail_msg("%s: the patch at 0x%lx cuts an instruction", path, p->offset);
	}
}

/* Takes the patch of an instruction out of the list. Whether there is one. */
static bool take(uint64_t offset, uint8_t kind)
{
	for (size_t i = 0; i < scan.count; i++) {
		struct code_patch *p = &scan.patches[i];
		uint8_t is = p->kind == CODE_SYSCALL_TRAP ? CODE_SYSCALL
		             : code_trap_of(p->kind)      ? code_trap_of(p->kind)
		                                          : p->kind;
		if (p->offset + p->before == offset && is == kind) {
			p->kind = 0;
			return true;
		}
	}
	return false;
}

/* Compares. Of a file with tables in its text, only what is in functions is: objdump takes tables for code. */
static void compare(const char *path, bool has_tables)
{
	char command[200], *line = NULL;
	size_t room = 0;
	unsigned found = 0;
	if (!load(path))
		return;
	snprintf(command, sizeof(command), "LC_ALL=C objdump -d -w --no-show-raw-insn %s", path);
	FILE *dump = popen(command, "r");
	assert_non_null(dump);
	while (getline(&line, &room, dump) >= 0) {
		char *tab = strchr(line, '\t');
		uint8_t kind = tab ? kind_of(tab + 1) : 0;
		uint64_t offset;
		if (!tab || line[0] != ' ') /* a heading */
			continue;
		bool is_known = find(strtoul(line, NULL, 16), &offset);
		begins[offset] = 1;
		if (!kind || (!is_known && has_tables))
			continue;
		if (!take(offset, kind))
			fail_msg("%s: not found: %s", path, line);
		found++;
	}
	free(line);
	assert_int_equal(pclose(dump), 0);
	expect_whole(path);
	for (size_t i = 0; i < scan.count; i++)
		if (scan.patches[i].kind == CODE_WAIT)
			found++; /* any instruction may be one */
		else if (scan.patches[i].kind)
			fail_msg("%s: objdump does not see what was found at 0x%lx", path, scan.patches[i].offset);
	assert_int_equal(found, scan.count);
	print_message("# %s: %u\n", path, found);
}

static void test_libc(void **state)
{
	(void)state;
	compare("/lib/x86_64-linux-gnu/libc.so.6", false);
	assert_true(load("/lib/x86_64-linux-gnu/libc.so.6"));
	assert_true(scan.count > 400);
	/* Each falls under a rule, but for the one that is left alone. */
	unsigned traps = 0;
	for (size_t i = 0; i < scan.count; i++) {
		traps += scan.patches[i].kind == CODE_SYSCALL_TRAP;
		assert_true(scan.patches[i].kind != CODE_SYSCALL_TRAP ||
		            scan.patches[i].reason == CODE_REASON_SIGRETURN);
	}
	assert_int_equal(traps, 1);
}

static void test_linker(void **state)
{
	(void)state;
	compare("/lib64/ld-linux-x86-64.so.2", false);
}

static void test_programs(void **state)
{
	(void)state;
	compare("/bin/busybox", false);
	compare("/usr/bin/python3", false);
	compare("/usr/lib/x86_64-linux-musl/libc.so", false);
	compare("/lib/x86_64-linux-gnu/libm.so.6", false);
}

static void test_libcrypto(void **state)
{
	(void)state;
	compare("/lib/x86_64-linux-gnu/libcrypto.so.3", true);
}

/* No section headers, as when they are stripped: only PT_GNU_EH_FRAME tells of functions, and finds the same. */
static void test_without_sections(void **state)
{
	struct code_scan whole;
	struct error error;
	(void)state;
	assert_true(load("/lib/x86_64-linux-gnu/libc.so.6"));
	whole = scan;
	scan = (struct code_scan){0};
	memset(file + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
	assert_int_equal(code_scan_elf(file, file_bytes, &none, &scan, &error), 0);
	assert_int_equal(scan.note.text[0], 0);
	assert_int_equal(scan.count, whole.count);
	assert_memory_equal(scan.patches, whole.patches, scan.count * sizeof(*scan.patches));
	code_scan_fini(&whole);
}

/* Several threads search a file of several parts, and find the same, however many they are. */
static void test_threads(void **state)
{
	static const char *const files[] = {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libcrypto.so.3"};
	struct error error;
	cpu_set_t processors;
	(void)state;
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_true(load(files[i]));
		struct code_scan one = scan;
		scan = (struct code_scan){0};
		CPU_ZERO(&processors);
		for (unsigned count = 2; count <= 16; count += 7) {
			for (unsigned k = 0; k < count; k++)
				CPU_SET(k, &processors);
			beside_remember(&processors);
			assert_int_equal(beside_processors(), count);
			assert_int_equal(code_scan_elf(file, file_bytes, &none, &scan, &error), 0);
			assert_int_equal(scan.count, one.count);
			assert_memory_equal(scan.patches, one.patches, scan.count * sizeof(*scan.patches));
			code_scan_fini(&scan);
		}
		CPU_ZERO(&processors);
		CPU_SET(0, &processors);
		beside_remember(&processors);
		assert_int_equal(code_scan_elf(file, file_bytes, &none, &scan, &error), 0);
		assert_int_equal(scan.count, one.count);
		assert_memory_equal(scan.patches, one.patches, scan.count * sizeof(*scan.patches));
		code_scan_fini(&one);
	}
}

static int tear_down(void **state)
{
	(void)state;
	code_scan_fini(&scan);
	code_map_fini(&map);
	free(file);
	free(begins);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_libc),      cmocka_unit_test(test_linker),           cmocka_unit_test(test_programs),
	cmocka_unit_test(test_libcrypto), cmocka_unit_test(test_without_sections), cmocka_unit_test(test_threads),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, tear_down);
}
