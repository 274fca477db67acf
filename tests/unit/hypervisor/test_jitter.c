/* SPDX-License-Identifier: MIT */
/* Jitter: without it everything is as usual; with it numbers are in their ranges, and one seed gives the same ones. */
#include "tests/unit/fakes/tap.h"

#include "base/jitter.h"

#define DRAWS 10000

static void test_without_it_all_is_usual(void **state)
{
	(void)state;
	assert_false(jitter_is_on());
	for (int i = 0; i < DRAWS; i++) {
		assert_int_equal(jitter_below(7), 0);
		assert_false(jitter_one_in(1));
		assert_int_equal(jitter_instead(1000000, 5), 1000000);
		assert_int_equal(jitter_interval_ns(UINT64_MAX), UINT64_MAX);
		jitter_stall();
	}
}

static void test_with_it_numbers_are_in_range(void **state)
{
	unsigned seen = 0, ones = 0, shorts = 0;
	(void)state;
	jitter_begin(5);
	assert_true(jitter_is_on());
	for (int i = 0; i < DRAWS; i++) {
		uint64_t below = jitter_below(7), instead = jitter_instead(1000000, 5),
			 ns = jitter_interval_ns(64000000);
		assert_true(below < 7);
		assert_in_range(instead, 1, 5);
		assert_in_range(ns, 1, 640000);
		seen |= 1U << below;
		ones += jitter_one_in(4);
		shorts += ns < 1000;
	}
	assert_int_equal(seen, 0x7f);
	assert_in_range(ones, DRAWS / 5, DRAWS / 3);
	assert_in_range(shorts, DRAWS / 100, DRAWS / 5);
}

static void test_one_seed_gives_the_same_numbers(void **state)
{
	uint64_t first[8];
	unsigned same = 0;
	(void)state;
	jitter_begin(1);
	for (int i = 0; i < 8; i++)
		first[i] = jitter_below(UINT64_MAX);
	jitter_begin(1);
	for (int i = 0; i < 8; i++)
		assert_int_equal(jitter_below(UINT64_MAX), first[i]);
	jitter_begin(2);
	for (int i = 0; i < 8; i++)
		same += jitter_below(UINT64_MAX) == first[i];
	assert_int_equal(same, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_without_it_all_is_usual),
	cmocka_unit_test(test_with_it_numbers_are_in_range),
	cmocka_unit_test(test_one_seed_gives_the_same_numbers),
};

TAP_MAIN(tests)
