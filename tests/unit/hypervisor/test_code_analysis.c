/* SPDX-License-Identifier: MIT */
/* The analysis of a file from which stores are drawn: what it says, how it is packed, and which records are refused. */
#include "code/service/code_analysis.h"

#include "tests/unit/fakes/tap.h"

#include <stdlib.h>

#include "cache/scan_key.h"
#include "code/service/code_repeat.h"
#include "tests/unit/fakes/scan_maker.h"

#define RECORD SCAN_CACHE_RECORD_BYTES

static struct code_analysis analysis;
static uint8_t *records;
static size_t count;

/* Three functions. In the first, a store moves into the stub of the syscall before it. The second has no store, the
 * third two of them. */
#define FIRST \
	"\x0f\x05"                 /* 0 syscall */ \
	"\x89\x87\x00\x01\x00\x00" /* 2 mov %eax, 0x100(%rdi) */ \
	"\xc3"                     /* 8 ret */
#define SECOND \
	"\xb8\x27\x00\x00\x00\x0f\x05" /* 9 mov $39, %eax; syscall */ \
	"\xc3"                         /* 16 ret */
#define THIRD \
	"\x89\x87\x00\x01\x00\x00"     /* 17 mov %eax, 0x100(%rdi) */ \
	"\x83\x87\x00\x01\x00\x00\x01" /* 23 addl $1, 0x100(%rdi) */ \
	"\xc3"                         /* 30 ret */

static void analyse(void)
{
	static const char code[] = FIRST SECOND THIRD;
	const struct code_range functions[] = {
		{MADE_CODE, sizeof(FIRST) - 1},
		{MADE_CODE + sizeof(FIRST) - 1, sizeof(SECOND) - 1},
		{MADE_CODE + sizeof(FIRST SECOND) - 1, sizeof(THIRD) - 1},
	};
	made_elf_init(&elf, code, sizeof(code) - 1, functions, 3, MADE_PLAIN);
	code_analysis_fini(&analysis);
	free(records);
	assert_int_equal(code_analysis_make(elf.bytes, sizeof(elf.bytes), false, true, &analysis, &error), 0);
	records = code_analysis_pack(&analysis, &count);
	assert_non_null(records);
}

/* Draws from the packed analysis. */
static void draw(uint32_t stores, uint64_t seed)
{
	const struct code_points points = {.stores = stores, .seed = seed};
	struct code_analysis packed;
	assert_true(code_analysis_unpack(records, count, sizeof(elf.bytes), &packed));
	code_scan_fini(&scan);
	assert_int_equal(code_repeat(elf.bytes, sizeof(elf.bytes), &packed, &points, &scan, &error), 0);
	code_analysis_fini(&packed);
	expect_sound(sizeof(elf.bytes));
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
}

static void test_contents(void **state)
{
	(void)state;
	analyse();
	assert_int_equal(analysis.stores.count, 3);
	assert_int_equal(analysis.stores.at[0], MADE_CODE_OFFSET + 2);
	assert_int_equal(analysis.stores.at[1], MADE_CODE_OFFSET + 17);
	assert_int_equal(analysis.stores.at[2], MADE_CODE_OFFSET + 23);
	code_scan_fini(&scan);
	scan = analysis.scan;
	analysis.scan = (struct code_scan){0};
	assert_int_equal(scan.count, 2);
	expect_patch(0, 0, CODE_SYSCALL, 0, 6, CODE_REASON_B);
	expect_patch(1, 9, CODE_SYSCALL, 5, 0, CODE_REASON_A);
}

/* A drawn store cannot move into the stub of its neighbour, which then has no room. Other functions stay. */
static void test_draws(void **state)
{
	unsigned drawn[3] = {0};
	(void)state;
	analyse();
	draw(3, 1);
	assert_int_equal(scan.count, 5);
	expect_patch(0, 0, CODE_SYSCALL_TRAP, 0, 0, CODE_REASON_NO_ROOM);
	expect_patch(1, 2, CODE_STORE, 0, 0, CODE_REASON_ALONE);
	expect_patch(2, 9, CODE_SYSCALL, 5, 0, CODE_REASON_A);
	expect_patch(3, 17, CODE_STORE, 0, 0, CODE_REASON_ALONE);
	expect_patch(4, 23, CODE_UPDATE, 0, 0, CODE_REASON_ALONE);
	for (uint64_t seed = 0; seed < 30; seed++) {
		draw(1, seed);
		bool is_first = scan.patches[0].kind == CODE_SYSCALL_TRAP;
		const struct code_patch *store = &scan.patches[is_first ? 1 : 2];
		assert_int_equal(scan.count, 3);
		expect_patch(is_first ? 2 : 1, 9, CODE_SYSCALL, 5, 0, CODE_REASON_A);
		if (!is_first)
			expect_patch(0, 0, CODE_SYSCALL, 0, 6, CODE_REASON_B);
		uint64_t offset = store->offset - MADE_CODE_OFFSET;
		assert_true(is_first ? offset == 2 : offset == 17 || offset == 23);
		drawn[is_first ? 0 : offset == 17 ? 1 : 2]++;
	}
	assert_true(drawn[0] && drawn[1] && drawn[2]);
}

/* What code_scan_elf finds at once and what is drawn from the packed analysis are the same. */
static void test_same(void **state)
{
	(void)state;
	analyse();
	for (uint64_t seed = 0; seed < 20; seed++) {
		const struct code_points points = {.stores = 1 + seed % 3, .seed = seed};
		struct code_scan at_once;
		draw(points.stores, seed);
		assert_int_equal(code_scan_elf(elf.bytes, sizeof(elf.bytes), &points, &at_once, &error), 0);
		assert_int_equal(at_once.count, scan.count);
		assert_memory_equal(at_once.patches, scan.patches, scan.count * sizeof(*scan.patches));
		code_scan_fini(&at_once);
	}
}

static void expect_refused(const void *from, size_t number, uint64_t bytes)
{
	struct code_analysis packed;
	assert_false(code_analysis_unpack(from, number, bytes, &packed));
	assert_null(packed.scan.patches);
}

/* Changes a 32-bit word of the records, which must make them impossible. */
static void expect_word_refused(size_t record, unsigned word, uint32_t value)
{
	uint8_t *changed = malloc(count * RECORD);
	assert_non_null(changed);
	memcpy(changed, records, count * RECORD);
	memcpy(changed + record * RECORD + word * sizeof(value), &value, sizeof(value));
	expect_refused(changed, count, sizeof(elf.bytes));
	free(changed);
}

static void test_damaged(void **state)
{
	(void)state;
	analyse();
	assert_int_equal(count, 1 + 2 + 1); /* the head, two patches, three stores in one record */
	expect_refused(records, 0, sizeof(elf.bytes));
	expect_refused(records, count - 1, sizeof(elf.bytes));
	expect_refused(records, count, MADE_CODE_OFFSET + 20); /* those of a longer file */
	for (unsigned word = 0; word < 3; word++)
		expect_word_refused(0, word, UINT32_MAX);
	expect_word_refused(0, 0, 1);
	expect_word_refused(0, 3, 1);
	expect_word_refused(1, 0, MADE_CODE_OFFSET + 9);  /* patches overlap */
	expect_word_refused(1, 2, CODE_STORE | 6U << 8);  /* a drawn store */
	expect_word_refused(3, 0, MADE_CODE_OFFSET + 17); /* stores do not ascend */
	expect_word_refused(3, 2, sizeof(elf.bytes));     /* a store is outside the file */
	expect_word_refused(3, 3, MADE_CODE_OFFSET + 30); /* the filling is not zero */
	const uint32_t waits[][4] = {{0, 2, 0, 0}, {8, 0, 1, 0}, {8, 0, 0, 0}};
	expect_refused(waits, 3, sizeof(elf.bytes)); /* loops that wait do not ascend */
	const uint32_t sure[][4] = {{0, 1, 0, 0}, {8, 0, 2, 0}};
	expect_refused(sure, 2, sizeof(elf.bytes));
}

/* Records that name wrong instructions as stores and loops give patches that are in the file, whatever they do. */
static void test_wrong(void **state)
{
	(void)state;
	analyse();
	for (uint32_t first = 0; first < 40; first++) {
		const uint32_t lie[][4] = {
			{0, 1, 3, 0},
			{(uint32_t)MADE_CODE + first / 2, 0, 1, 0},
			{(uint32_t)MADE_CODE_OFFSET + first, (uint32_t)MADE_CODE_OFFSET + 2 * first + 1,
		         (uint32_t)MADE_BYTES - 1, 0},
		};
		const struct code_points points = {.stores = 3};
		struct code_analysis packed;
		assert_true(code_analysis_unpack(lie, 3, sizeof(elf.bytes), &packed));
		code_scan_fini(&scan);
		assert_int_equal(code_repeat(elf.bytes, sizeof(elf.bytes), &packed, &points, &scan, &error), 0);
		code_analysis_fini(&packed);
		assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
	}
}

/* A file with nothing to patch has an empty analysis, which is one record. */
static void test_empty(void **state)
{
	(void)state;
	made_elf_init(&elf, "\xc3", 1, NULL, 0, MADE_PLAIN);
	code_analysis_fini(&analysis);
	free(records);
	assert_int_equal(code_analysis_make(elf.bytes, sizeof(elf.bytes), true, true, &analysis, &error), 0);
	records = code_analysis_pack(&analysis, &count);
	assert_int_equal(count, 1);
	draw(5, 1);
	assert_int_equal(scan.count, 0);
}

static int end(void **state)
{
	(void)state;
	code_scan_fini(&scan);
	code_analysis_fini(&analysis);
	free(records);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents), cmocka_unit_test(test_draws), cmocka_unit_test(test_same),
		cmocka_unit_test(test_damaged),  cmocka_unit_test(test_wrong), cmocka_unit_test(test_empty),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, end);
}
