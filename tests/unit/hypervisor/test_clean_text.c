/* SPDX-License-Identifier: MIT */
/* What clean_text replaces: control characters, also those of 8-bit terminals, and nothing else. */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "base/clean_text.h"

static void expect(const char *text, const char *wanted)
{
	char buffer[64];
	strcpy(buffer, text);
	clean_text(buffer, strlen(buffer));
	assert_string_equal(buffer, wanted);
}

static void test_kept(void **state)
{
	(void)state;
	expect("", "");
	expect("a name ~", "a name ~");
	expect("\xc3\x80 \xe2\x82\x9b \xf0\x9f\x98\x80 \xc2\xa0", "\xc3\x80 \xe2\x82\x9b \xf0\x9f\x98\x80 \xc2\xa0");
}

static void test_replaced(void **state)
{
	(void)state;
	expect("a\nb\tc\x1b[2J\x7f\r", "a?b?c?[2J??");
	expect("\x9b"
	       "31m\x80\x9f",
	       "?31m??");
	expect("\xc2\x9b"
	       "31m \xc2\x80\xc2\x9f",
	       "??31m ????");
	expect("\xe0\x82\x9b \xf0\x80\x82\x9b \xc1\x9b", "??? ???? ??"); /* longer forms */
	expect("\xe2\x82 \xe9t\xe9 \xf5\x80\x80\x80 \xc2", "?? ?t? ???? ?");
}

/* Characters that change the order of text, or its lines: U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069.
 * Their neighbours stay. */
static void test_order(void **state)
{
	(void)state;
	expect("\xd8\x9c \xe2\x80\x8e\xe2\x80\x8f", "?? ??????");
	expect("\xe2\x80\xa8\xe2\x80\xae \xe2\x81\xa6\xe2\x81\xa9", "?????? ??????");
	expect("\xd8\x9b \xe2\x80\x8d\xe2\x80\x90", "\xd8\x9b \xe2\x80\x8d\xe2\x80\x90");
	expect("\xe2\x80\xa7\xe2\x80\xaf \xe2\x81\xa5\xe2\x81\xaa",
	       "\xe2\x80\xa7\xe2\x80\xaf \xe2\x81\xa5\xe2\x81\xaa");
	expect("\xef\xbf\xbd \xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd ??????");
}

/* A character that is cut at the end is replaced, and the byte behind the end is not read. */
static void test_end(void **state)
{
	char text[] = {'a', '\xc3', '\x80'};
	(void)state;
	clean_text(text, 2);
	assert_memory_equal(text, "a?\x80", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_end),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("clean_text", tests, NULL, NULL);
}
