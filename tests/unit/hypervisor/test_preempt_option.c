/* SPDX-License-Identifier: MIT */
/* --preempt: what it takes, how it is written in a schedule file, and what it refuses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "sched/preempt_option.h"

static struct code_points points;
static struct error error;
static char text[PREEMPT_TEXT];

static int parse(const char *option)
{
	error.text[0] = 0;
	return preempt_option_parse(option, &points, &error);
}

static void test_parse(void **state)
{
	(void)state;
	points = (struct code_points){0};
	preempt_option_describe(&points, text);
	assert_string_equal(text, "");
	assert_int_equal(parse("sites:100,0x10"), 0);
	preempt_option_describe(&points, text);
	assert_string_equal(text, "sites:100,16");
	const struct code_points before = points;
	assert_true(preempt_option_is_same(&before, &points));
	assert_int_equal(parse("atomics"), 0);
	assert_false(preempt_option_is_same(&before, &points));
	preempt_option_describe(&points, text);
	assert_string_equal(text, "atomics sites:100,16");
	points = (struct code_points){0};
	assert_int_equal(parse("sites:65536,18446744073709551615"), 0);
	preempt_option_describe(&points, text);
	assert_string_equal(text, "sites:65536,18446744073709551615");
	points = (struct code_points){0};
	assert_int_equal(parse("own:100,0x10"), 0);
	assert_false(preempt_option_is_same(&before, &points)); /* other sites than those of sites:100,16 */
	preempt_option_describe(&points, text);
	assert_string_equal(text, "own:100,16");
	assert_int_equal(parse("sites:100,16"), -EINVAL);
	points = (struct code_points){.stores = 65536, .seed = UINT64_MAX};
	preempt_option_options(&before, text);
	assert_string_equal(text, "--preempt sites:100,16");
	points.atomics = true;
	preempt_option_options(&points, text);
	assert_string_equal(text, "--preempt atomics --preempt sites:65536,18446744073709551615");
}

static void test_refuse(void **state)
{
	static const char *const wrong[] = {
		"",
		"atomic",
		"atomics:",
		"atomics,sites:1,1",
		"sites",
		"sites:",
		"sites:5",
		"sites:,1",
		"sites:0,1",
		"own",
		"own:0,1",
		"own:5",
		"own-files:5,1",
		"sites:65537,1",
		"sites:5,",
		"sites:5,x",
		"sites:-1,1",
		"sites:5,1,2",
		"sites:5,18446744073709551616",
		"sites:1000000000000000000000000000000,1",
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		points = (struct code_points){0};
		assert_int_equal(parse(wrong[i]), -EINVAL);
		assert_true(error.text[0] && !strchr(error.text, '\n'));
		assert_false(points.atomics || points.stores);
	}
	points = (struct code_points){.atomics = true, .stores = 1};
	assert_int_equal(parse("atomics"), -EINVAL);
	assert_int_equal(parse("sites:1,1"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse), cmocka_unit_test(test_refuse)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
