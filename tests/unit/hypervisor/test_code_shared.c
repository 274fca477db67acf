/* SPDX-License-Identifier: MIT */
/* Lists of accesses: what is read from them, what is refused, and which points a scan makes of them. */
#include "code/code_shared.h"

#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fakes/scan_maker.h"

#define FIRST "eremite-shared 1\n"
#define DIGITS "00112233445566778899aabbccddeeff"
#define LATER "00112233445566778899aabbccddef00"

static struct code_shared shared;

static int read_text(const char *text)
{
	code_shared_fini(&shared);
	error.text[0] = 0;
	FILE *from = fmemopen((void *)text, strlen(text), "r");
	assert_non_null(from);
	int result = code_shared_read(&shared, from, "list", &error);
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
		assert_true(error.text[0] && !strchr(error.text, '\n'));
		assert_null(shared.at);
	}
	assert_int_equal(read_text(FIRST DIGITS " 0x10 jump\n"), -EINVAL);
	assert_non_null(strstr(error.text, "list:2: "));
}

static int parse_word(const char *word)
{
	code_shared_fini(&shared);
	error.text[0] = 0;
	return code_shared_parse(&shared, word, &error);
}

/* A list is the same list as one word. */
static void test_word(void **state)
{
	static const char *const wrong[] = {"",           DIGITS,        DIGITS "+",          DIGITS "+x",
	                                    DIGITS "+1,", DIGITS "+1 ",  DIGITS "+123456789", "0" DIGITS "+1",
	                                    "+1",         DIGITS "+1,+2"};
	(void)state;
	assert_int_equal(read_text(FIRST DIGITS " 0x10\n0" DIGITS "\n"), -EINVAL);
	assert_int_equal(read_text(FIRST "ff"
	                                 "112233445566778899aabbccddeeff"
	                                 " 0x30\n" DIGITS " 0xffffffff\n" DIGITS " 0x10\n"),
	                 0);
	const uint64_t sum = shared.sum;
	char *word = code_shared_word(&shared);
	assert_string_equal(word, DIGITS "+10+ffffffff,ff112233445566778899aabbccddeeff+30");
	assert_int_equal(parse_word(word), 0);
	assert_int_equal(shared.sum, sum);
	free(word);
	assert_int_equal(parse_word(DIGITS "+20+10," DIGITS "+20"), 0);
	assert_int_equal(shared.count, 2);
	assert_int_equal(shared.at[0].offset, 0x10);
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(parse_word(wrong[i]), -EINVAL);
		assert_true(error.text[0] && !strchr(error.text, '\n'));
		assert_null(shared.at);
	}
}

/* A sample depends on the list alone, and keeps its order. */
static void test_sample(void **state)
{
	char first[200] = DIGITS, second[200] = DIGITS;
	(void)state;
	for (unsigned i = 1; i <= 20; i++) {
		sprintf(first + strlen(first), "+%x", i);
		sprintf(second + strlen(second), "+%x", 21 - i);
	}
	assert_int_equal(parse_word(first), 0);
	code_shared_sample(&shared, 20);
	assert_int_equal(shared.count, 20);
	code_shared_sample(&shared, 7);
	assert_int_equal(shared.count, 7);
	for (unsigned i = 1; i < 7; i++)
		assert_true(shared.at[i - 1].offset < shared.at[i].offset);
	const uint64_t sum = shared.sum;
	assert_int_equal(parse_word(second), 0);
	code_shared_sample(&shared, 7);
	assert_int_equal(shared.sum, sum);
}

/* The listed instructions become points by what they do. Others, and those of another content, do not. */
static void test_points(void **state)
{
	static const char code[] = "\x8b\x87\x00\x01\x00\x00"         /* 0 mov 0x100(%rdi), %eax */
				   "\x89\x87\x00\x01\x00\x00"         /* 6 mov %eax, 0x100(%rdi) */
				   "\x83\x87\x00\x01\x00\x00\x01"     /* 12 addl $1, 0x100(%rdi) */
				   "\x8b\x44\x24\x08\x90"             /* 19 mov 8(%rsp), %eax; nop */
				   "\x8d\x87\x00\x01\x00\x00"         /* 24 lea 0x100(%rdi), %eax */
				   "\x8b\x05\x00\x01\x00\x00"         /* 30 mov 0x100(%rip), %eax */
				   "\xff\x15\x00\x01\x00\x00"         /* 36 call *0x100(%rip) */
				   "\xf0\x0f\xb1\x8f\x00\x01\x00\x00" /* 42 lock cmpxchg %ecx, 0x100(%rdi) */
				   "\xff\x25\x00\x01\x00\x00";        /* 50 jmp *0x100(%rip) */
	static const unsigned at[] = {0, 1, 6, 12, 19, 24, 30, 36, 42, 50};
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
	assert_int_equal(scan.count, 5);
	expect_patch(0, 0, CODE_LOAD, 0, 0, CODE_REASON_ALONE);
	expect_patch(1, 6, CODE_STORE, 0, 0, CODE_REASON_ALONE);
	expect_patch(2, 12, CODE_UPDATE, 0, 0, CODE_REASON_ALONE);
	expect_patch(3, 30, CODE_LOAD, 0, 0, CODE_REASON_ALONE);
	expect_patch(4, 42, CODE_ATOMIC, 0, 0, CODE_REASON_ALONE); /* and no update, which would be two steps */
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
	/* Loads and stores that can be drawn are these, without the atomic one. */
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

/* Each file of a list counts once, when it is first used; others do not count. */
static void test_uses(void **state)
{
	static const struct code_content first = {0x0011223344556677, 0x8899aabbccddeeff},
					 second = {0x0011223344556677, 0x8899aabbccddef00};
	struct code_shared_uses uses;
	(void)state;
	assert_int_equal(code_shared_uses_init(&uses, NULL), 0);
	code_shared_use(&uses, first);
	assert_int_equal(uses.files, 0);
	assert_int_equal(uses.unused, 0);
	code_shared_uses_fini(&uses);
	assert_int_equal(read_text(FIRST DIGITS " 0x20\n" DIGITS " 0x0\n" LATER " 0x10\n" LATER " 0x30\n"), 0);
	assert_int_equal(code_shared_uses_init(&uses, &shared), 0);
	assert_int_equal(uses.files, 2);
	for (unsigned i = 0; i < 2; i++) {
		code_shared_use(&uses, (struct code_content){0, 0});
		code_shared_use(&uses, (struct code_content){first.high, first.low - 1});
		code_shared_use(&uses, (struct code_content){UINT64_MAX, UINT64_MAX});
		assert_int_equal(uses.unused, i ? 1 : 2);
		code_shared_use(&uses, second);
		assert_int_equal(uses.unused, 1);
	}
	code_shared_use(&uses, first);
	assert_int_equal(uses.unused, 0);
	code_shared_use(&uses, first);
	assert_int_equal(uses.unused, 0);
	code_shared_uses_fini(&uses);
	assert_int_equal(uses.files, 2);
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
		cmocka_unit_test(test_read),   cmocka_unit_test(test_refuse), cmocka_unit_test(test_word),
		cmocka_unit_test(test_sample), cmocka_unit_test(test_points), cmocka_unit_test(test_uses),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, end);
}
