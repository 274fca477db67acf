/* SPDX-License-Identifier: MIT */
/* Lists of accesses: what is read from them, what is refused, and which points a scan makes of them. */
#include "code/code_shared.h"

#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "tests/unit/fakes/scan_maker.h"

#define FIRST "eremite-shared 1\n"
#define DIGITS "00112233445566778899aabbccddeeff"

static struct code_shared shared;

static int read_text(const char *text)
{
	code_shared_fini(&shared);
	error[0] = 0;
	FILE *from = fmemopen((void *)text, strlen(text), "r");
	assert_non_null(from);
	int result = code_shared_read(&shared, from, "list", error);
	fclose(from);
	return result;
}

static void test_read(void **state)
{
	(void)state;
	assert_int_equal(
		read_text(FIRST "# a comment\n\n" DIGITS " 0x20 load\n" DIGITS " 0x10\n" DIGITS " 0x20 store\n"), 0);
	assert_int_equal(shared.count, 2);
	assert_int_equal(shared.at[0].offset, 0x10);
	assert_int_equal(shared.at[1].offset, 0x20);
	assert_int_equal(shared.at[0].content.high, 0x0011223344556677);
	assert_int_equal(shared.at[0].content.low, 0x8899aabbccddeeff);
	/* Order, comments and kinds do not change the sum. Lists behind each other are one. */
	const uint64_t sum = shared.sum;
	assert_int_equal(read_text(FIRST DIGITS " 0x10 update\n" FIRST DIGITS " 0x20\n"), 0);
	assert_int_equal(shared.sum, sum);
	assert_int_equal(read_text(FIRST DIGITS " 0x10\n" DIGITS " 0x21\n"), 0);
	assert_int_not_equal(shared.sum, sum);
}

static void test_refuse(void **state)
{
	static const char *const wrong[] = {
		"x",
		"eremite-schedule 1\n",
		FIRST,
		FIRST "# nothing\n",
		FIRST DIGITS "\n",
		FIRST DIGITS " 16\n",
		FIRST DIGITS "0 0x10\n",
		FIRST DIGITS " 0x10 jump\n",
		FIRST DIGITS " 0x10 load store\n",
		FIRST DIGITS " 0x10load\n",
		FIRST DIGITS " 0x100000000\n",
		FIRST DIGITS " 0x10", /* cut off */
		FIRST "g" DIGITS " 0x10\n",
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(read_text(wrong[i]), -EINVAL);
		assert_true(error[0] && !strchr(error, '\n'));
		assert_null(shared.at);
	}
	assert_int_equal(read_text(FIRST DIGITS " 0x10 jump\n"), -EINVAL);
	assert_non_null(strstr(error, "list:2: "));
}

/* The listed instructions become points by what they do. Others, and those of another content, do not. */
static void test_points(void **state)
{
	static const char code[] = "\x8b\x87\x00\x01\x00\x00"     /* 0 mov 0x100(%rdi), %eax */
				   "\x89\x87\x00\x01\x00\x00"     /* 6 mov %eax, 0x100(%rdi) */
				   "\x83\x87\x00\x01\x00\x00\x01" /* 12 addl $1, 0x100(%rdi) */
				   "\x8b\x44\x24\x08\x90"         /* 19 mov 8(%rsp), %eax; nop */
				   "\x8d\x87\x00\x01\x00\x00"     /* 24 lea 0x100(%rdi), %eax */
				   "\x8b\x05\x00\x01\x00\x00"     /* 30 mov 0x100(%rip), %eax */
				   "\xff\x15\x00\x01\x00\x00"     /* 36 call *0x100(%rip) */
				   "\xff\x25\x00\x01\x00\x00";    /* 42 jmp *0x100(%rip) */
	static const unsigned at[] = {0, 1, 6, 12, 19, 24, 30, 36, 42};
	char text[2000] = FIRST;
	(void)state;
	scan_function(CODE(code));
	const struct code_content content = code_shared_content(elf.bytes, sizeof(elf.bytes));
	for (unsigned i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		sprintf(text + strlen(text), "%016" PRIx64 "%016" PRIx64 " %#lx\n", content.high, content.low,
		        MADE_CODE_OFFSET + at[i]);
	assert_int_equal(read_text(text), 0);
	const struct code_points points = {.shared = &shared};
	run_for(&points);
	assert_int_equal(scan.count, 4);
	expect_patch(0, 0, CODE_LOAD, 0, 0, CODE_REASON_ALONE);
	expect_patch(1, 6, CODE_STORE, 0, 0, CODE_REASON_ALONE);
	expect_patch(2, 12, CODE_UPDATE, 0, 0, CODE_REASON_ALONE);
	expect_patch(3, 30, CODE_LOAD, 0, 0, CODE_REASON_ALONE);
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
	/* All loads and stores that can be drawn are these. */
	const struct code_points accesses = {.stores = 100, .own = true, .loads = true};
	run_for(&accesses);
	assert_int_equal(scan.count, 4);
	const struct code_points stores = {.stores = 100};
	run_for(&stores);
	assert_int_equal(scan.count, 2);
	elf.bytes[MADE_BYTES - 1] ^= 1;
	run_for(&points);
	assert_int_equal(scan.count, 0);
}

static int end(void **state)
{
	(void)state;
	code_shared_fini(&shared);
	code_scan_fini(&scan);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_refuse),
		cmocka_unit_test(test_points),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, end);
}
