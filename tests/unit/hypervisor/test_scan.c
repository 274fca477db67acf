/* SPDX-License-Identifier: MIT */
/* Finding CPUID and its kin: in functions, inside other instructions, in data, and with unwind tables that lie. */
#include "tests/unit/fakes/tap.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/error.h"
#include "scan/scan.h"
#include "scan/scan_cache.h"
#include "scan/scan_code.h"
#include "tests/unit/fakes/folder.h"

#define BASE 0x201000UL

static char cache[64];
static struct scan_sites sites;
static struct error error;

static int find(const uint8_t *bytes, uint64_t count, const struct code_range *functions, size_t function_count)
{
	struct scan_code code = {.bytes = bytes, .count = count, .address = BASE};
	free(sites.at);
	memset(&sites, 0, sizeof(sites));
	error.text[0] = 0;
	return scan_code_find(&code, functions, function_count, SCAN_OUTSIDE_REFUSE, &sites, &error);
}

static void expect(unsigned index, uint64_t offset, enum trap_kind kind, unsigned length)
{
	assert_true(index < sites.count);
	assert_int_equal(sites.at[index].address, BASE + offset);
	assert_int_equal(sites.at[index].kind, kind);
	assert_int_equal(sites.at[index].length, length);
}

/* An instruction of each kind, and some that stay; their offsets are in the comments. */
static const uint8_t kinds[] = {
	0x53,                               /* 0 push %rbx */
	0x0f, 0xa2,                         /* 1 cpuid */
	0x0f, 0x31,                         /* 3 rdtsc */
	0x0f, 0x01, 0xf9,                   /* 5 rdtscp */
	0x0f, 0x01, 0xd0,                   /* 8 xgetbv */
	0x0f, 0xc7, 0xf3,                   /* 11 rdrand %ebx */
	0x49, 0x0f, 0xc7, 0xf4,             /* 14 rdrand %r12 */
	0x66, 0x0f, 0xc7, 0xf8,             /* 18 rdseed %ax */
	0x66, 0x41, 0x0f, 0xc7, 0xff,       /* 22 rdseed %r15w */
	0xf3, 0x0f, 0xc7, 0xf9,             /* 27 rdpid %rcx */
	0x0f, 0x05,                         /* 31 syscall */
	0x0f, 0x01, 0xd1,                   /* 33 xsetbv */
	0x0f, 0xc7, 0x0e,                   /* 36 cmpxchg8b (%rsi) */
	0x48, 0x0f, 0xc7, 0x4c, 0x24, 0xf0, /* 39 cmpxchg16b -16(%rsp) */
	0x0f, 0x01, 0xc1,                   /* 45 vmcall */
	0x0f, 0x01, 0xd9,                   /* 48 vmmcall */
	0x0f, 0x01, 0xc8,                   /* 51 monitor */
	0x0f, 0x01, 0xc9,                   /* 54 mwait */
	0x0f, 0x01, 0xfa,                   /* 57 monitorx */
	0x0f, 0x01, 0xfb,                   /* 60 mwaitx */
	0x0f, 0x01, 0xee,                   /* 63 rdpkru */
	0x0f, 0x01, 0xef,                   /* 66 wrpkru */
	0x0f, 0x01, 0xfc,                   /* 69 clzero */
	0x0f, 0x01, 0xf8,                   /* 72 swapgs, which is ring 0's everywhere */
	0x0f, 0x01, 0x07,                   /* 75 sgdt (%rdi) */
	0x0f, 0x01, 0x4c, 0x24, 0x08,       /* 78 sidt 8(%rsp) */
	0x48, 0x0f, 0x01, 0xe0,             /* 83 smsw %rax */
	0x66, 0x0f, 0x00, 0xc8,             /* 87 str %ax */
	0x0f, 0x00, 0xc1,                   /* 91 sldt %ecx */
	0x0f, 0x00, 0x00,                   /* 94 sldt (%rax), which stays */
	0x0f, 0x02, 0xc7,                   /* 97 lar %edi, %eax */
	0x4c, 0x0f, 0x03, 0xc7,             /* 100 lsl %edi, %r8 */
	0x0f, 0x00, 0xe0,                   /* 104 verr %ax */
	0x41, 0x0f, 0x00, 0x29,             /* 107 verw (%r9) */
	0x0f, 0x01, 0x10,                   /* 111 lgdt (%rax), which is ring 0's */
	0x0f, 0x34,                         /* 114 sysenter */
	0x48, 0x0f, 0x35,                   /* 116 sysexit */
	0xd9, 0x34, 0x24,                   /* 119 fnstenv (%rsp) */
	0x9b, 0x66, 0xdd, 0x70, 0x08,       /* 122 fwait; 123 data16 fnsave 8(%rax) */
	0x0f, 0xae, 0x07,                   /* 127 fxsave (%rdi) */
	0x4d, 0x0f, 0xae, 0x00,             /* 130 rex.WRB fxsave64 (%r8) */
	0xd9, 0xf6,                         /* 134 fdecstp */
	0x5b, 0xc3,                         /* 136 pop %rbx; ret */
};

static void test_kinds(void **state)
{
	const struct code_range function = {BASE, sizeof(kinds)};
	(void)state;
	assert_int_equal(find(kinds, sizeof(kinds), &function, 1), 0);
	assert_int_equal(sites.count, 33);
	for (unsigned i = 0; i < 9; i++)
		expect(9 + i, 45 + 3 * i, TRAP_ABSENT, 3);
	expect(0, 1, TRAP_CPUID, 2);
	expect(1, 3, TRAP_RDTSC, 2);
	expect(2, 5, TRAP_RDTSCP, 3);
	expect(3, 8, TRAP_XGETBV, 3);
	expect(4, 11, TRAP_RDRAND, 3);
	expect(5, 14, TRAP_RDRAND, 4);
	expect(6, 18, TRAP_RDSEED, 4);
	expect(7, 22, TRAP_RDSEED, 5);
	expect(8, 27, TRAP_RDPID, 4);
	expect(18, 75, TRAP_DESCRIPTOR, 3);
	expect(19, 78, TRAP_DESCRIPTOR, 5);
	expect(20, 83, TRAP_DESCRIPTOR, 4);
	assert_int_equal(sites.at[20].first, 0x48);
	expect(21, 87, TRAP_DESCRIPTOR, 4);
	expect(22, 91, TRAP_DESCRIPTOR, 3);
	expect(23, 97, TRAP_SEGMENT, 3);
	expect(24, 100, TRAP_SEGMENT, 4);
	expect(25, 104, TRAP_DESCRIPTOR, 3);
	expect(26, 107, TRAP_DESCRIPTOR, 4);
	expect(27, 114, TRAP_SYSENTER, 2);
	expect(28, 116, TRAP_SYSENTER, 3);
	expect(29, 119, TRAP_X87_STATE, 3);
	expect(30, 123, TRAP_X87_STATE, 4);
	expect(31, 127, TRAP_X87_STATE, 3);
	expect(32, 130, TRAP_X87_STATE, 4);
}

static void test_inside_others(void **state)
{
	static const uint8_t code[] = {
		0xb8, 0x0f, 0xa2, 0x0f, 0x31,             /* mov $imm, %eax */
		0x48, 0x8d, 0x05, 0x0f, 0x31, 0x00, 0x00, /* lea disp(%rip), %rax */
		0x0f, 0x31,                               /* 12 rdtsc */
		0x68, 0x0f, 0x01, 0xf9, 0x00,             /* push $imm */
		0xc3,
	};
	const struct code_range function = {BASE, sizeof(code)};
	(void)state;
	assert_int_equal(find(code, sizeof(code), &function, 1), 0);
	assert_int_equal(sites.count, 1);
	expect(0, 12, TRAP_RDTSC, 2);
	/* The same bytes, cut so that the last candidate has no room, and at each other length. */
	for (uint64_t length = 0; length < sizeof(code); length++)
		find(code, length, &function, 1);
}

static void test_search_at_each_place(void **state)
{
	uint8_t code[80];
	(void)state;
	for (uint64_t at = 0; at + 2 <= sizeof(code); at++) {
		const struct code_range function = {BASE, sizeof(code)};
		memset(code, 0x90, sizeof(code));
		code[at] = 0x0f;
		code[at + 1] = 0xa2;
		assert_int_equal(find(code, sizeof(code), &function, 1), 0);
		assert_int_equal(sites.count, 1);
		expect(0, at, TRAP_CPUID, 2);
	}
}

static void test_outside_functions(void **state)
{
	uint8_t code[256];
	const struct code_range functions[] = {{BASE, 16}, {BASE + 240, 16}};
	(void)state;
	memset(code, 0x90, sizeof(code));
	memcpy(code + 128, "\x0f\xa2", 2); /* looks like an instruction */
	assert_int_equal(find(code, sizeof(code), functions, 2), -ENOTSUP);
	assert_non_null(strstr(error.text, "0x201080"));
	assert_int_equal(sites.count, 0);
	memset(code + 128, 0x90, 2);
	memcpy(code + 128, "\x48\xb8\x11\x0f\xa2\x22\x33\x44\x55\x66", 10); /* mov $imm64, %rax */
	assert_int_equal(find(code, sizeof(code), functions, 2), 0);
	assert_int_equal(sites.count, 0);
	/* Of instructions that programs do without it takes more than that nobody is against. */
	memset(code, 0x90, sizeof(code));
	memcpy(code + 128, "\x0f\x03\xc7", 3); /* lsl %edi, %eax */
	assert_int_equal(find(code, sizeof(code), functions, 2), -ENOTSUP);
	memcpy(code + 16, "\x0f\x20\xd0\x48\x8d\x25\x0f\x03\x00\x00\x48\xcf", 12); /* mov %cr2; lea; iretq */
	memset(code + 128, 0x90, 3);
	assert_int_equal(find(code, sizeof(code), functions, 2), 0);
	assert_int_equal(sites.count, 0);
	memcpy(code + 128, "\x48\xb8\x11\x0f\xa2\x22\x33\x44\x55\x66", 10);
	/* What is in no function is left alone on demand. */
	memcpy(code + 64, "\x0f\x31", 2);
	struct scan_code all = {.bytes = code, .count = sizeof(code), .address = BASE};
	assert_int_equal(scan_code_find(&all, functions, 2, SCAN_OUTSIDE_LEAVE, &sites, &error), 0);
	assert_int_equal(sites.count, 0);
}

static void test_data_in_function(void **state)
{
	uint8_t code[64];
	const struct code_range function = {BASE, sizeof(code)};
	(void)state;
	memset(code, 0x90, sizeof(code));
	memcpy(code + 4, "\x0f\x31", 2);
	code[20] = 0x06; /* no instruction in 64-bit mode */
	assert_int_equal(find(code, sizeof(code), &function, 1), 0);
	assert_int_equal(sites.count, 1);
	memcpy(code + 60, "\x0f\x31", 2);
	assert_int_equal(find(code, sizeof(code), &function, 1), -ENOTSUP);
}

/* One CIE ("zR", pcrel sdata4) and FDEs, as gcc makes them. */
static uint64_t make_eh_frame(uint8_t *to, uint64_t address, const struct code_range *functions, unsigned count)
{
	static const uint8_t cie[] = {20, 0,    0,  0, 0,    0,  0, 0, 1,    'z', 'R', 0,
	                              1,  0x78, 16, 1, 0x1b, 12, 7, 8, 0x90, 1,   0,   0};
	uint64_t at = sizeof(cie);
	memcpy(to, cie, sizeof(cie));
	for (unsigned i = 0; i < count; i++) {
		int32_t fde[5] = {16, (int32_t)(at + 4), (int32_t)(functions[i].address - (address + at + 8)),
		                  (int32_t)functions[i].bytes, 0};
		memcpy(to + at, fde, sizeof(fde));
		at += sizeof(fde);
	}
	memset(to + at, 0, 4);
	return at + 4;
}

static void test_eh_frame(void **state)
{
	uint8_t section[200];
	const struct code_range functions[] = {{BASE + 64, 32}, {BASE, 16}, {BASE + 16, 0}, {BASE + 16, 48}};
	struct code_range *ranges;
	size_t count;
	uint64_t bytes = make_eh_frame(section, 0x300000, functions, 4);
	(void)state;
	assert_int_equal(eh_frame_functions(section, bytes, 0x300000, &ranges, &count, &error), 0);
	assert_int_equal(count, 3);
	assert_int_equal(ranges[0].address, BASE);
	assert_int_equal(ranges[1].address, BASE + 16);
	assert_int_equal(ranges[1].bytes, 48);
	assert_int_equal(ranges[2].address, BASE + 64);
	free(ranges);
	assert_int_equal(eh_frame_functions(section, 0, 0x300000, &ranges, &count, &error), 0);
	assert_int_equal(count, 0);
	srand(1);
	for (unsigned round = 0; round < 20000; round++) {
		/* In memory of its exact size, so that the sanitizer sees each step over an end. */
		uint64_t length = round % 4 ? bytes : (uint64_t)rand() % (bytes + 1);
		uint8_t *broken = malloc(length + 1);
		memcpy(broken, section, length);
		for (int flips = rand() % 4; flips >= 0 && length; flips--)
			broken[(uint64_t)rand() % length] ^= (uint8_t)(1 << rand() % 8);
		broken = realloc(broken, length ? length : 1);
		error.text[0] = 0;
		int result = eh_frame_functions(broken, length, 0x300000, &ranges, &count, &error);
		assert_true(result == 0 ? !error.text[0] : result == -EINVAL && error.text[0] && !ranges);
		free(ranges);
		free(broken);
	}
}

/* Damages what is in the cache, or gives it the sites of something else. */
static void spoil_cache(bool with_sites)
{
	char command[400];
	snprintf(command, sizeof(command),
	         "for f in %s/*.sites; do printf x >>$f; printf y | dd of=$f bs=1 seek=%d %s; done", cache, 30,
	         "conv=notrunc status=none");
	if (with_sites) {
		const struct trap_site lie = {.address = 0x100000, .length = 2};
		struct scan_key key;
		snprintf(command, sizeof(command), "ls %s | tr -d '\n' >%s-list", cache, cache);
		assert_int_equal(system(command), 0);
		snprintf(command, sizeof(command), "%s-list", cache);
		FILE *list = fopen(command, "r");
		assert_non_null(list);
		assert_int_equal(fscanf(list, "%16lx%16lx.sites", &key.high, &key.low), 2);
		fclose(list);
		unlink(command);
		scan_cache_put(&key, SCAN_CACHE_SITES, &lie, 1);
		return;
	}
	assert_int_equal(system(command), 0);
}

static void test_image(void **state)
{
	struct guest_memory memory;
	struct trap_site *table;
	uint64_t count;
	struct image image = {.segment_count = 2, .end = 0x204000};
	const struct code_range functions[] = {{BASE, 16}, {BASE + 0xff0, 16}};
	(void)state;
	assert_true(folder_make(cache));
	setenv("EREMITE_CACHE", cache, 1);
	assert_int_equal(guest_memory_init(&memory, LAYOUT_RAM_MIN), 0);
	image.segments[0] = (struct image_segment){BASE, PAGE_SIZE, PF_R | PF_X};
	image.segments[1] = (struct image_segment){BASE + PAGE_SIZE, PAGE_SIZE, PF_R};
	uint8_t *text = guest_memory_at(&memory, gpa(BASE), 2 * PAGE_SIZE);
	memset(text, 0x90, PAGE_SIZE);
	memcpy(text + PAGE_SIZE + 512, "\x0f\xa2", 2); /* no code */
	assert_int_equal(scan_image(&memory, &image, &table, &count, &error), 0);
	assert_int_equal(count, 0);
	assert_null(table);
	image.header.eh_frame = BASE + PAGE_SIZE;
	image.header.eh_frame_end =
		image.header.eh_frame + make_eh_frame(text + PAGE_SIZE, BASE + PAGE_SIZE, functions, 2);
	for (unsigned round = 0; round < 4;
	     round++) { /* by looking, from the cache, again when that is damaged or lies */
		if (round >= 2)
			spoil_cache(round == 3);
		memcpy(text + 4, "\x0f\x31", 2);
		memcpy(text + 0xffc, "\x66\x0f\xc7\xf0", 4);
		assert_int_equal(scan_image(&memory, &image, &table, &count, &error), 0);
		assert_int_equal(count, 2);
		assert_int_equal(table[0].address, BASE + 4);
		assert_int_equal(table[1].address, BASE + 0xffc);
		assert_int_equal(table[1].kind, TRAP_RDRAND);
		free(table);
		assert_memory_equal(text + 4, "\xcc\x31", 2);
		assert_memory_equal(text + 0xffc, "\xcc\x0f\xc7\xf0", 4);
	}
	memcpy(text + 4, "\x90\x90", 2);
	memcpy(text + 100, "\x0f\x31", 2);
	assert_int_equal(scan_image(&memory, &image, &table, &count, &error), -ENOTSUP);
	assert_null(table);
	assert_int_equal(text[100], 0x0f);
	text[PAGE_SIZE] = 0xff; /* the first record is now longer than the section */
	assert_int_equal(scan_image(&memory, &image, &table, &count, &error), -EINVAL);
	guest_memory_fini(&memory);
	assert_true(folder_remove(cache));
}

/* What was kept under one key is not found under another, whose file it has become. */
static void test_another_key(void **state)
{
	const struct scan_key one = {1, 2}, two = {1, 3};
	const struct trap_site site = {0};
	char command[300];
	void *records;
	size_t count;
	(void)state;
	assert_true(folder_make(cache));
	setenv("EREMITE_CACHE", cache, 1);
	scan_cache_put(&one, SCAN_CACHE_SITES, &site, 1);
	assert_int_equal(scan_cache_get(&one, SCAN_CACHE_SITES, &records, &count), 0);
	assert_int_equal(count, 1);
	free(records);
	snprintf(command, sizeof(command), "cd %s && mv %016lx%016lx.sites %016lx%016lx.sites", cache, one.high,
	         one.low, two.high, two.low);
	assert_int_equal(system(command), 0);
	assert_int_not_equal(scan_cache_get(&one, SCAN_CACHE_SITES, &records, &count), 0);
	assert_int_not_equal(scan_cache_get(&two, SCAN_CACHE_SITES, &records, &count), 0);
	assert_true(folder_remove(cache));
}

/* Whatever the bytes and the ranges are, there is an end and an ascending table. */
static void test_noise(void **state)
{
	static const uint8_t bait[][4] = {{0x0f, 0xa2}, {0x0f, 0x31}, {0x0f, 0x01, 0xf9}, {0x0f, 0xc7, 0xf0}};
	(void)state;
	srand(1);
	for (unsigned round = 0; round < 2000; round++) {
		uint64_t length = (uint64_t)rand() % 600;
		uint8_t *code = malloc(length ? length : 1);
		struct code_range functions[8];
		for (uint64_t i = 0; i < length; i++)
			code[i] = (uint8_t)rand();
		for (unsigned i = 0; i < 12 && length > 4; i++)
			memcpy(code + (uint64_t)rand() % (length - 4), bait[rand() % 4], 3);
		uint64_t at = BASE - 20;
		for (unsigned i = 0; i < 8; i++) {
			functions[i] = (struct code_range){at, (uint64_t)rand() % 150};
			at += (uint64_t)rand() % 100;
		}
		find(code, length, functions, round % 9);
		for (size_t i = 0; i < sites.count; i++) {
			assert_true(sites.at[i].address - BASE < length);
			assert_true(!i || sites.at[i].address > sites.at[i - 1].address);
		}
		free(code);
	}
	free(sites.at);
	memset(&sites, 0, sizeof(sites));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_kinds),
	cmocka_unit_test(test_inside_others),
	cmocka_unit_test(test_search_at_each_place),
	cmocka_unit_test(test_outside_functions),
	cmocka_unit_test(test_data_in_function),
	cmocka_unit_test(test_eh_frame),
	cmocka_unit_test(test_image),
	cmocka_unit_test(test_another_key),
	cmocka_unit_test(test_noise),
};

TAP_MAIN(tests)
