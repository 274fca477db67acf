/* SPDX-License-Identifier: MIT */
/* --from: each form is read and written back; others are refused with what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "sched/from_option.h"

#define LONGEST "a234567890123456789012345678901234567_9"

static void forms_are_read_and_written(void **state)
{
	static const struct {
		const char *text;
		enum sched_from_kind kind;
	} rows[] = {
		{"start", SCHED_FROM_START},         {"main", SCHED_FROM_MAIN},
		{"call:1", SCHED_FROM_CALL},         {"call:18446744073709551615", SCHED_FROM_CALL},
		{"marker:ready", SCHED_FROM_MARKER}, {"marker:" LONGEST, SCHED_FROM_MARKER},
	};
	struct error error;
	char text[FROM_TEXT];
	struct sched_from from;
	(void)state;
	_Static_assert(sizeof(LONGEST) == SCHED_MARKER_BYTES, "the longest name");
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(from_option_parse(rows[i].text, &from, &error), 0);
		assert_int_equal(from.kind, rows[i].kind);
		from_option_describe(&from, text);
		assert_string_equal(text, rows[i].text);
	}
}

static void others_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{"", "give start, main, call:N or marker:NAME"},
		{"Main", "give start, main, call:N or marker:NAME"},
		{"main:1", "give start, main, call:N or marker:NAME"},
		{"call:", "N is the number of a kernel call, from 1"},
		{"call:0", "N is the number of a kernel call, from 1"},
		{"call:-1", "N is the number of a kernel call, from 1"},
		{"call:1x", "N is the number of a kernel call, from 1"},
		{"call:18446744073709551616", "N is the number of a kernel call, from 1"},
		{"marker:", "give a name of 1 to 39 bytes"},
		{"marker:" LONGEST "x", "give a name of 1 to 39 bytes"},
	};
	struct error error;
	struct sched_from from;
	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(from_option_parse(rows[i][0], &from, &error) < 0);
		assert_non_null(strstr(error.text, rows[i][1]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_are_read_and_written),
		cmocka_unit_test(others_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
