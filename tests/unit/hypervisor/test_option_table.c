/* SPDX-License-Identifier: MIT */
/* The table of options: names and letters of a verb are unique, and conflicts are between existing options. */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "option/option_table.h"
#include "option/run_options.h"

static const char *const names[] = {"run",  "search", "analyze",    "pack", "verify",
                                    "info", "sign",   "provenance", "diff", "extract"};

static void test_unique(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct option_verb_rows *verb = option_table_verb(names[i]);
		assert_non_null(verb);
		for (const struct option_row *row = verb->rows; row->name; row++)
			for (const struct option_row *other = verb->rows; other != row; other++)
				if (!strcmp(row->name, other->name) || (row->letter && row->letter == other->letter))
					fail_msg("%s: --%s and --%s", names[i], other->name, row->name);
	}
	assert_null(option_table_verb("frobnicate"));
}

static void test_find(void **state)
{
	(void)state;
	assert_string_equal(option_table_find(option_table_run, "sched-seed=1", 10)->name, "sched-seed");
	assert_string_equal(option_table_find(option_table_run, "sched-seed", 5)->name, "sched");
	assert_null(option_table_find(option_table_run, "sched-see", 9));
	assert_null(option_table_find(option_table_run, "", 0));
	assert_null(option_table_find(option_table_none, "seed", 4));
}

static void test_owner(void **state)
{
	(void)state;
	assert_string_equal(option_table_owner("preempt", 7), "run"); /* the first of several */
	assert_string_equal(option_table_owner("policy=pct", 6), "search");
	assert_string_equal(option_table_owner("agent", 5), "provenance");
	assert_null(option_table_owner("jitter", 6)); /* hidden */
	assert_null(option_table_owner("frobnicate", 10));
}

/* An option without a value has no values to offer, and one that images keep is one that recordings keep. */
static void test_traits(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (const struct option_row *row = option_table_verb(names[i])->rows; row->name; row++) {
			assert_true(row->argument || !row->values);
			assert_true(row->argument || !(row->traits & OPTION_VALUE_OPTIONAL));
			assert_true(row->values || !(row->traits & OPTION_TAKES_VALUES));
			assert_true(option_table_is_input(row) || !option_table_is_sealed(row));
			assert_true(option_table_is_input(row) ||
			            !(row->traits & (OPTION_KEPT_ADDS | OPTION_KEPT_AS_SCHEDULE)));
		}
}

#define PAIR(option, other, why) {option, other},

static void test_conflicts(void **state)
{
	static const char *const pairs[][2] = {RUN_CONFLICTS(PAIR)};
	(void)state;
	for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		for (unsigned k = 0; k < 2; k++)
			if (!option_table_find(option_table_run, pairs[i][k], strlen(pairs[i][k])))
				fail_msg("--%s conflicts, and is no option", pairs[i][k]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_unique), cmocka_unit_test(test_find),      cmocka_unit_test(test_owner),
	cmocka_unit_test(test_traits), cmocka_unit_test(test_conflicts),
};

TAP_MAIN(tests)
