/* SPDX-License-Identifier: MIT */
/* Which instructions of a program depend on the processor: each kind, in functions and outside, and files that have
 * none or are no code. tests/programs/portable.test has symbols. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pack/portable.h"
#include "tests/unit/fakes/elf_maker.h"

#define CODE(text) text, sizeof(text) - 1
#define PLACES_MAX 32

static struct made_elf elf;
static struct portable_site places[PLACES_MAX];
static unsigned place_count;
static struct error error;

static void keep(void *context, const struct portable_site *site)
{
	assert_ptr_equal(context, &elf);
	assert_true(place_count < PLACES_MAX);
	places[place_count++] = *site;
}

static void list(void)
{
	place_count = 0;
	error.text[0] = 0;
	int64_t count = portable_list(elf.bytes, sizeof(elf.bytes), keep, &elf, &error);
	assert_int_equal(count, place_count);
	assert_string_equal(error.text, "");
	for (unsigned i = 1; i < place_count; i++)
		assert_true(places[i].address >= places[i - 1].address);
}

/* Lists code that is one function. */
static void list_function(const void *code, uint64_t bytes)
{
	const struct code_range function = {MADE_CODE, bytes};
	made_elf_init(&elf, code, bytes, &function, 1, MADE_PLAIN);
	list();
}

/* Lists code of which no table says where functions are. */
static void list_bare(const void *code, uint64_t bytes)
{
	made_elf_init(&elf, code, bytes, NULL, 0, MADE_PLAIN);
	list();
}

static void expect(unsigned index, uint64_t offset, const char *mnemonic, enum portable_reason reason)
{
	assert_true(index < place_count);
	assert_int_equal(places[index].address, MADE_CODE + offset);
	assert_string_equal(places[index].mnemonic, mnemonic);
	assert_int_equal(places[index].reason, reason);
	assert_null(places[index].symbol);
}

static void test_none(void **state)
{
	(void)state;
	/* fsqrt; fprem; fldpi; sqrtps; divps; vsqrtps; vgetexpps %zmm1, %zmm0; ret */
	list_function(
		CODE("\xd9\xfa\xd9\xf8\xd9\xeb\x0f\x51\xc1\x0f\x5e\xc1\xc5\xf8\x51\xc1\x62\xf2\x7d\x48\x42\xc1\xc3"));
	assert_int_equal(place_count, 0);
	/* Inside other instructions: mov $0x530ffed9, %eax; lea 0xc153f8c5(%rax), %rax; ret */
	list_function(CODE("\xb8\xd9\xfe\x0f\x53\x48\x8d\x80\xc5\xf8\x53\xc1\xc3"));
	assert_int_equal(place_count, 0);
}

static void test_x87(void **state)
{
	static const char *const names[] = {"f2xm1", "fyl2x", "fptan", "fpatan", "fyl2xp1", "fsincos", "fsin", "fcos"};
	(void)state;
	list_function(CODE("\xd9\xf0\xd9\xf1\xd9\xf2\xd9\xf3\xd9\xf9\xd9\xfb\xd9\xfe\xd9\xff\xc3"));
	assert_int_equal(place_count, 8);
	for (unsigned i = 0; i < 8; i++)
		expect(i, 2UL * i, names[i], PORTABLE_X87);
}

static void test_approximate(void **state)
{
	(void)state;
	/* rcpps; rsqrtps; rcpss; rsqrtss (%rdi), %xmm9; ret */
	list_function(CODE("\x0f\x53\xc1\x0f\x52\xc1\xf3\x0f\x53\xc1\xf3\x44\x0f\x52\x0f\xc3"));
	assert_int_equal(place_count, 4);
	expect(0, 0, "rcpps", PORTABLE_APPROXIMATE);
	expect(1, 3, "rsqrtps", PORTABLE_APPROXIMATE);
	expect(2, 6, "rcpss", PORTABLE_APPROXIMATE);
	expect(3, 10, "rsqrtss", PORTABLE_APPROXIMATE);
	/* vrcpps; vrsqrtps %ymm9, %ymm0; vrcpss; vrcpph %zmm1, %zmm0; ret */
	list_function(CODE("\xc5\xf8\x53\xc1\xc4\xc1\x7c\x52\xc1\xc5\xf2\x53\xc1\x62\xf6\x7d\x48\x4c\xc1\xc3"));
	assert_int_equal(place_count, 4);
	expect(0, 0, "vrcpps", PORTABLE_APPROXIMATE);
	expect(1, 4, "vrsqrtps", PORTABLE_APPROXIMATE);
	expect(2, 9, "vrcpss", PORTABLE_APPROXIMATE);
	expect(3, 13, "vrcpph", PORTABLE_APPROXIMATE);
}

/* Those for which Intel publishes a reference implementation. */
static void test_intel_exact(void **state)
{
	(void)state;
	/* vrsqrt14ps %zmm1, %zmm0; vrcp14sd (%rdi), %xmm1, %xmm0; vrcp28ps %zmm1, %zmm0; vexp2pd %zmm1, %zmm0; ret */
	list_function(CODE("\x62\xf2\x7d\x48\x4e\xc1\x62\xf2\xf5\x08\x4d\x07\x62\xf2\x7d\x48\xca\xc1"
	                   "\x62\xf2\xfd\x48\xc8\xc1\xc3"));
	assert_int_equal(place_count, 4);
	expect(0, 0, "vrsqrt14ps", PORTABLE_INTEL_EXACT);
	expect(1, 6, "vrcp14sd", PORTABLE_INTEL_EXACT);
	expect(2, 12, "vrcp28ps", PORTABLE_INTEL_EXACT);
	expect(3, 18, "vexp2pd", PORTABLE_INTEL_EXACT);
}

/* The end of the code cuts each candidate, at any place of the 16 bytes that the search reads at once. */
static void test_ends(void **state)
{
	static const struct {
		const char *code;
		unsigned bytes;
	} cut[] = {
		{CODE("\xd9")}, {CODE("\x0f")}, {CODE("\xc5\xf8")}, {CODE("\xc4\xe1\x78")}, {CODE("\x62\xf2\x7d\x48")}};
	(void)state;
	for (unsigned i = 0; i < sizeof(cut) / sizeof(cut[0]); i++)
		for (unsigned before = 0; before < 40; before++) {
			uint8_t code[64];
			memset(code, 0x90, sizeof(code));
			memcpy(code + before, cut[i].code, cut[i].bytes);
			list_function(code, before + cut[i].bytes);
			assert_int_equal(place_count, 0);
		}
	for (unsigned before = 0; before < 40; before++) {
		uint8_t code[64];
		memset(code, 0x90, sizeof(code));
		memcpy(code + before, "\xd9\xfe", 2);
		list_function(code, before + 2);
		assert_int_equal(place_count, 1);
		expect(0, before, "fsin", PORTABLE_X87);
	}
}

static void test_outside_functions(void **state)
{
	uint8_t code[256];
	(void)state;
	/* xor %eax, %eax; ... fsin; ...; ret */
	for (unsigned i = 0; i < sizeof(code); i += 2)
		memcpy(code + i, "\x31\xc0", 2);
	memcpy(code + 128, "\xd9\xfe", 2);
	memcpy(code + 160, "\xf3\x0f\x53\xc1", 4);
	code[sizeof(code) - 1] = 0xc3;
	list_bare(code, sizeof(code));
	assert_int_equal(place_count, 2);
	expect(0, 128, "fsin", PORTABLE_X87);
	expect(1, 160, "rcpss", PORTABLE_APPROXIMATE);
	/* Text around the same bytes is data. */
	for (unsigned i = 0; i < sizeof(code); i++)
		code[i] = (uint8_t) "no instruction, all is text. "[i % 29];
	memcpy(code + 128, "\xd9\xfe", 2);
	list_bare(code, sizeof(code));
	assert_int_equal(place_count, 0);
}

/* Bytes that may be an instruction that shows the host are listed as in `eremite info`. */
static void test_undecided(void **state)
{
	(void)state;
	/* fcos; jmp over cpuid, of which nothing says whether it is data; rdtsc, which is patched; ret */
	list_function(CODE("\xd9\xff\xeb\x02\x0f\xa2\x0f\x31\xc3"));
	assert_int_equal(place_count, 2);
	expect(0, 0, "fcos", PORTABLE_X87);
	expect(1, 4, "cpuid", PORTABLE_UNDECIDED);
	/* je to mov $0x310fc0ff, %eax; jne into it; fsin; ret: both are instructions */
	list_function(CODE("\x74\x02\x75\x01\xb8\xff\xc0\x0f\x31\xd9\xfe\xc3"));
	assert_int_equal(place_count, 2);
	expect(0, 7, "rdtsc", PORTABLE_UNDECIDED);
	expect(1, 9, "fsin", PORTABLE_X87);
}

/* Segments are in the file in another order than in memory. */
static void test_order(void **state)
{
	Elf64_Phdr second;
	uint8_t *header = elf.bytes + sizeof(Elf64_Ehdr) + sizeof(second);
	(void)state;
	made_elf_init(&elf, CODE("\xd9\xfe\x90\x90\xc3"), NULL, 0, MADE_PLAIN);
	memcpy(&second, header, sizeof(second));
	second.p_flags = PF_R | PF_X;
	second.p_vaddr = MADE_CODE - 0x100000;
	memcpy(header, &second, sizeof(second));
	memset(elf.bytes + MADE_TABLE_OFFSET, 0x90, 0x1000);
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 64, "\xd9\xff", 2);
	list();
	assert_int_equal(place_count, 2);
	assert_int_equal(places[0].address, MADE_CODE - 0x100000 + 64);
	assert_string_equal(places[0].mnemonic, "fcos");
	assert_int_equal(places[1].address, MADE_CODE);
}

static void test_other_files(void **state)
{
	Elf64_Ehdr header;
	(void)state;
	assert_int_equal(portable_list((const uint8_t *)"", 0, keep, NULL, &error), 0);
	assert_int_equal(portable_list((const uint8_t *)"#!/bin/sh\nfsin\n", 15, keep, NULL, &error), 0);
	/* Cut behind the header, or within the program headers. */
	list_function(CODE("\xd9\xfe\xc3"));
	assert_int_equal(place_count, 1);
	assert_int_equal(portable_list(elf.bytes, sizeof(header) - 1, keep, NULL, &error), 0);
	assert_int_equal(portable_list(elf.bytes, sizeof(header) + 20, keep, NULL, &error), -ENOEXEC);
	assert_string_equal(error.text, "it ends within its program headers");
	/* Another processor, and an object file. */
	memcpy(&header, elf.bytes, sizeof(header));
	header.e_machine = EM_AARCH64;
	memcpy(elf.bytes, &header, sizeof(header));
	assert_false(portable_is_code(elf.bytes, sizeof(elf.bytes)));
	assert_int_equal(portable_list(elf.bytes, sizeof(elf.bytes), keep, NULL, &error), 0);
	header.e_machine = EM_X86_64;
	header.e_type = ET_REL;
	memcpy(elf.bytes, &header, sizeof(header));
	assert_int_equal(portable_list(elf.bytes, sizeof(elf.bytes), keep, NULL, &error), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_none),        cmocka_unit_test(test_x87),   cmocka_unit_test(test_approximate),
	cmocka_unit_test(test_intel_exact), cmocka_unit_test(test_ends),  cmocka_unit_test(test_outside_functions),
	cmocka_unit_test(test_undecided),   cmocka_unit_test(test_order), cmocka_unit_test(test_other_files),
};

TAP_MAIN(tests)
