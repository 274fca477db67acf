/* SPDX-License-Identifier: MIT */
/* The multiboot command line: quoting, options, and what is refused. */
#include <string.h>

#include "abi/boot.h"
#include "kernel/boot/cmdline.h"
#include "tests/unit/fakes/tap.h"

static struct cmdline cmdline;
static char error[CMDLINE_ERROR_BYTES];

static int parse(const char *text)
{
	memset(&cmdline, 0, sizeof(cmdline));
	memset(error, 0, sizeof(error));
	return cmdline_parse(&cmdline, text, error);
}

static void expect_arguments(const char *strings, size_t bytes, unsigned count)
{
	assert_int_equal(cmdline.argument_count, count);
	assert_int_equal(cmdline.arguments_bytes, bytes);
	assert_memory_equal(cmdline.arguments, strings, bytes);
}

#define EXPECT_ARGUMENTS(strings, count) expect_arguments(strings, sizeof(strings), count)

static void test_defaults(void **state)
{
	(void)state;
	assert_int_equal(parse("dir/hello"), 0);
	EXPECT_ARGUMENTS("dir/hello", 1);
	assert_int_equal(cmdline.seed, 0);
	assert_int_equal(cmdline.epoch_ns, 946684800000000000);
	assert_int_equal(cmdline.uptime_s, UPTIME_DEFAULT_S);
	assert_int_equal(cmdline.memory_bytes, 512UL << 20);
	assert_false(cmdline.memory_given);
	assert_int_equal(cmdline.flags, 0);
	static const char expected[] =
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\0HOME=/home/guest\0"
		"LANG=C.UTF-8\0TZ=UTC";
	assert_int_equal(cmdline.environment_count, 4);
	assert_int_equal(cmdline.environment_bytes, sizeof(expected));
	assert_memory_equal(cmdline.environment, expected, sizeof(expected));
}

static void test_no_path(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	EXPECT_ARGUMENTS("image", 1);
	assert_int_equal(parse("eremite.seed=1 -- a"), 0);
	EXPECT_ARGUMENTS("image\0a", 2);
	assert_int_equal(parse("-- a"), 0);
	EXPECT_ARGUMENTS("image\0a", 2);
}

static void test_quoting(void **state)
{
	(void)state;
	assert_int_equal(parse("p -- \"a b\" c\\ d \"\" e\"f g\"h \\\"i\\\\ --  j "), 0);
	EXPECT_ARGUMENTS("p\0a b\0c d\0\0ef gh\0\"i\\\0--\0j", 8);
	assert_int_equal(parse("p -- \"a b"), -22);
	assert_string_equal(error, "command line: a quotation does not end");
}

static void test_options(void **state)
{
	(void)state;
	assert_int_equal(parse("p eremite.seed=0xFfffffffffffffff eremite.epoch=-5 eremite.uptime=7 eremite.memory=67M "
	                       "eremite.tty "
	                       "eremite.summary eremite.argv0=q -- eremite.seed=1"),
	                 0);
	EXPECT_ARGUMENTS("q\0eremite.seed=1", 2);
	assert_int_equal(cmdline.seed, UINT64_MAX);
	assert_int_equal(cmdline.epoch_ns, -5);
	assert_int_equal(cmdline.uptime_s, 7);
	assert_int_equal(cmdline.memory_bytes, 66UL << 20);
	assert_true(cmdline.memory_given);
	assert_int_equal(cmdline.flags,
	                 BOOT_FLAG_STDIN_TTY | BOOT_FLAG_STDOUT_TTY | BOOT_FLAG_STDERR_TTY | BOOT_FLAG_SUMMARY);
}

static void test_environment(void **state)
{
	static const char expected[] = "A=later\0BB=2\0C=";
	(void)state;
	assert_int_equal(parse("p eremite.no-env eremite.env=A=1 eremite.env=BB=2 eremite.env=A=later eremite.env=C="),
	                 0);
	assert_int_equal(cmdline.environment_count, 3);
	assert_int_equal(cmdline.environment_bytes, sizeof(expected));
	assert_memory_equal(cmdline.environment, expected, sizeof(expected));
	assert_int_equal(parse("p eremite.env=A=long eremite.env=B=2 eremite.env=A= eremite.no-env"), 0);
	assert_memory_equal(cmdline.environment, "A=\0B=2", sizeof("A=\0B=2"));
	static const char mixed[] = "HOME=/home/guest\0LANG=C.UTF-8\0TZ=UTC\0A=1\0PATH=/";
	assert_int_equal(parse("p eremite.env=A=1 eremite.env=PATH=/"), 0);
	assert_int_equal(cmdline.environment_count, 5);
	assert_int_equal(cmdline.environment_bytes, sizeof(mixed));
	assert_memory_equal(cmdline.environment, mixed, sizeof(mixed));
}

static void test_refused(void **state)
{
	static const char *const wrong[] = {
		"p a",
		"p eremite.",
		"p eremite.seeds=1",
		"p eremite.seed",
		"p eremite.seed=",
		"p eremite.seed=-1",
		"p eremite.seed=0x",
		"p eremite.seed=18446744073709551616",
		"p eremite.seed=1a",
		"p eremite.epoch=1.5",
		"p eremite.uptime=1000000001",
		"p eremite.uptime=-1",
		"p eremite.epoch=9223372036854775808",
		"p eremite.memory=",
		"p eremite.memory=M",
		"p eremite.memory=8M",
		"p eremite.memory=512G",
		"p eremite.memory=1T",
		"p eremite.memory=99999999999999999999999999M",
		"p eremite.env=A",
		"p eremite.env==1",
		"p eremite.tty=1",
		"eremite.sed=1",
	};
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(parse(wrong[i]), -22);
		assert_string_not_equal(error, "");
	}
}

static void test_length(void **state)
{
	static char text[CMDLINE_BYTES + 1];
	(void)state;
	memset(text, 'x', CMDLINE_BYTES);
	assert_int_equal(parse(text), -22);
	memcpy(text, "-- ", 3);
	text[CMDLINE_BYTES - 1] = 0;
	assert_int_equal(parse(text), 0);
	assert_int_equal(cmdline.argument_count, 2);
	assert_int_equal(cmdline.arguments_bytes, sizeof("image") + CMDLINE_BYTES - 3);
	for (unsigned i = 3; i < CMDLINE_BYTES - 1; i += 2)
		text[i] = ' ';
	assert_int_equal(parse(text), 0);
	assert_in_range(cmdline.arguments_bytes, 1, CMDLINE_ARGUMENTS_BYTES);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_defaults), cmocka_unit_test(test_no_path),     cmocka_unit_test(test_quoting),
	cmocka_unit_test(test_options),  cmocka_unit_test(test_environment), cmocka_unit_test(test_refused),
	cmocka_unit_test(test_length),
};

TAP_MAIN(tests)
