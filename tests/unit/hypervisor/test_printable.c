/* SPDX-License-Identifier: MIT */
/* Escapes of what a terminal would obey or hide, by both functions. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

static void expect(const char *text, const char *wanted, const char *wanted_line)
{
	char *all = printable(text, strlen(text)), *line = printable_line(text, strlen(text));
	assert_string_equal(all, wanted);
	assert_string_equal(line, wanted_line);
	free(all);
	free(line);
}

static void test_escapes(void **state)
{
	(void)state;
	expect("", "", "");
	expect("plain \xc3\x80", "plain \xc3\x80", "plain \xc3\x80");
	expect("a\\b", "a\\\\b", "a\\b");
	expect("a\nb\tc", "a\\nb\\tc", "a\\nb\\tc");
	expect("\x1b[2J\x7f\xc2\x9b", "\\x1b[2J\\x7f\\xc2\\x9b", "\\x1b[2J\\x7f\\xc2\\x9b");
	expect("fdp.\xe2\x80\xae!", "fdp.\\xe2\\x80\\xae!", "fdp.\\xe2\\x80\\xae!");
	expect("\xe9t\xe9 \xed\xa0\x80", "\\xe9t\\xe9 \\xed\\xa0\\x80", "\\xe9t\\xe9 \\xed\\xa0\\x80");
}

/* A text may have a NUL, and may be cut within a character. */
static void test_bytes(void **state)
{
	(void)state;
	char *text = printable("a\0b\xc3\x80", 4);
	assert_string_equal(text, "a\\x00b\\xc3");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_bytes),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("printable", tests, NULL, NULL);
}
