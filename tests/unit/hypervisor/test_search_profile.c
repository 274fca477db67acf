/* SPDX-License-Identifier: MIT */
/* Which parameters later tries of a search get from the profile of the first ones. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/search_profile.h"

#define LOCK 0x1000UL
#define FLAG 0x2000UL
#define TURNS 400

static struct search_profile profile;

static int set_up(void **state)
{
	(void)state;
	profile = (struct search_profile){0};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(profile.access);
	free(profile.objects);
	free(profile.seen);
	return 0;
}

/* How often one of the texts is the policy of a turn. */
static unsigned count(const char *policy, const char *text)
{
	unsigned found = 0;
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		char *got = search_profile_policy(&profile, policy, 7, turn);
		found += !strcmp(got, text);
		free(got);
	}
	return found;
}

/* How often the policy of a turn is `policy` with these counts of two threads, each of them once, twice or four times
 * as large. Each such pair occurs. */
static unsigned count_skewed(const char *policy, const char *begin, unsigned first, unsigned second)
{
	unsigned all = 0;
	for (unsigned i = 0; i < 9; i++) {
		char text[80];
		snprintf(text, sizeof(text), "%scounts=%u/%u", begin, first << i % 3, second << i / 3);
		const unsigned found = count(policy, text);
		assert_in_range(found, 1, TURNS / 4);
		all += found;
	}
	return all;
}

static void test_which_policies(void **state)
{
	(void)state;
	assert_true(search_profile_serves("pct"));
	assert_true(search_profile_serves("pct:depth=2"));
	assert_true(search_profile_serves("surw:slice=1ms"));
	assert_true(search_profile_serves("urw"));
	assert_true(search_profile_serves("urw:slice=1ms"));
	assert_false(search_profile_serves("pct:depth=2,steps=100"));
	assert_false(search_profile_serves("pct:from=9"));
	assert_false(search_profile_serves("surw:counts=1/2"));
	assert_false(search_profile_serves("surw:object=0x10"));
	assert_false(search_profile_serves("surw:profile=x"));
	assert_false(search_profile_serves("random"));
	assert_false(search_profile_serves("pos:slice=1ms"));
}

/* Without a profile, and for a policy that has its parameters, nothing changes. */
static void test_unchanged(void **state)
{
	static const struct sched_access access[] = {{LOCK, 1, 1, 3}, {LOCK, 2, 1, 3}};
	(void)state;
	assert_int_equal(count("surw", "surw"), TURNS);
	assert_int_equal(count("urw", "surw"), TURNS);
	assert_int_equal(count("urw:slice=1ms", "surw:slice=1ms"), TURNS);
	assert_int_equal(count("pct", "pct"), TURNS);
	search_profile_add(&profile, 1, 9, access, 2);
	assert_int_equal(count("pos", "pos"), TURNS);
	assert_int_equal(count("surw:counts=5", "surw:counts=5"), TURNS);
	assert_int_equal(count("urw:counts=5", "surw:counts=5"), TURNS);
}

static void test_steps(void **state)
{
	static const struct sched_access access[] = {{0, 1, 0, 3}};
	(void)state;
	search_profile_add(&profile, 0, 0, access, 1);
	assert_int_equal(count("pct", "pct"), TURNS);
	search_profile_add(&profile, 11, 60, access, 1);
	search_profile_add(&profile, 13, 70, access, 1);
	search_profile_add(&profile, 12, 60, access, 1);
	assert_int_equal(count("pct", "pct:from=10,steps=60"), TURNS);
	assert_int_equal(count("pct:depth=2", "pct:depth=2,from=10,steps=60"), TURNS);
}

/* The object is one that two threads use, and that not all only load. Counts are means over the tries in which a thread
 * ran. A quarter of the tries have no object of their own. */
static void test_object_and_counts(void **state)
{
	static const struct sched_access first[] = {{LOCK, 1, 1, 4},   {LOCK, 2, 1, 2},   {0x3000, 1, 0, 9},
	                                            {0x3000, 2, 0, 9}, {0x4000, 1, 5, 5}, {0, 2, 0, 10}};
	static const struct sched_access second[] = {{LOCK, 1, 1, 6}, {0, 1, 0, 1}};
	(void)state;
	search_profile_add(&profile, 1, 9, first, 6);
	search_profile_add(&profile, 1, 9, second, 2);
	assert_int_equal(profile.object_count, 1);
	const unsigned object = count("surw", "surw:object=0x1000,counts=5/2");
	const unsigned balanced = count("surw", "surw:object=0x1000,counts=5/5");
	const unsigned all = count_skewed("surw", "surw:", 13, 21);
	const unsigned objects = count_skewed("surw", "surw:object=any,", 12, 11);
	assert_int_equal(object + balanced + all + objects, TURNS);
	assert_in_range(object, TURNS / 3, TURNS / 2);
	assert_in_range(balanced, TURNS / 3, TURNS / 2);
	assert_in_range(all, TURNS / 10, TURNS / 6);
	assert_in_range(objects, TURNS / 10, TURNS / 6);
	assert_int_equal(count_skewed("surw:slice=1ms", "surw:slice=1ms,", 13, 21), all);
	assert_int_equal(count_skewed("urw", "surw:", 13, 21) + count_skewed("urw", "surw:object=any,", 12, 11), TURNS);
}

/* Objects are drawn by how often several threads use them. */
static void test_weights(void **state)
{
	static const struct sched_access access[] = {
		{LOCK, 1, 1, 30}, {LOCK, 2, 1, 30}, {FLAG, 1, 1, 900}, {FLAG, 2, 0, 10}};
	(void)state;
	search_profile_add(&profile, 1, 9, access, 4);
	const unsigned lock = count("surw", "surw:object=0x1000,counts=30/30"); /* the kinds are balanced as they are */
	const unsigned flag =
		count("surw", "surw:object=0x2000,counts=900/10") + count("surw", "surw:object=0x2000,counts=900/900");
	assert_in_range(lock, TURNS / 2, TURNS * 5 / 8);
	assert_in_range(flag, TURNS / 8, TURNS / 4);
}

/* Of a hundred threads that do the same and one that does not, that one gets half of all in every second try. */
static void test_balance(void **state)
{
	struct sched_access access[101];
	char even[400] = "surw:object=0x2000,counts=", odd[500];
	(void)state;
	for (uint32_t i = 0; i <= 100; i++)
		access[i] = (struct sched_access){FLAG, i + 1, i < 100, 1};
	for (unsigned i = 0; i < 100; i++)
		strcat(even, "1/");
	sprintf(odd, "%s100", even);
	strcat(even, "1");
	search_profile_add(&profile, 1, 9, access, 101);
	assert_in_range(count("surw", even), TURNS / 3, TURNS / 2);
	assert_in_range(count("surw", odd), TURNS / 3, TURNS / 2);
}

/* The guest has written this: numbers of threads and points may be anything. */
static void test_hostile(void **state)
{
	static const struct sched_access access[] = {{LOCK, 0, 1, 1},
	                                             {LOCK, UINT32_MAX, 1, 1},
	                                             {LOCK, 4096, 1, UINT64_MAX},
	                                             {LOCK, 4096, 1, UINT64_MAX},
	                                             {LOCK, 4097, 1, 1},
	                                             {LOCK, 1, UINT32_MAX, UINT64_MAX}};
	(void)state;
	for (unsigned i = 0; i < 3; i++)
		search_profile_add(&profile, 1 + i, UINT64_MAX, access, 6);
	assert_int_equal(profile.threads, 4096);
	assert_int_equal(count("pct", "pct:from=0,steps=4294967295"), TURNS);
	char *text = search_profile_policy(&profile, "surw", 1, 0);
	assert_non_null(strstr(text, "counts="));
	free(text);
}

/* A guest has written between which decisions several threads are alive, but of none what it uses. */
static void test_no_threads(void **state)
{
	static const struct sched_access access[] = {{LOCK, 0, 1, 1}, {LOCK, 4097, 1, 1}};
	(void)state;
	search_profile_add(&profile, 1, 9, access, 2);
	assert_int_equal(count("surw", "surw"), TURNS);
	assert_int_equal(count("pct", "pct"), TURNS);
}

/* The same seed gives the same tries, and another seed gives others. */
static void test_seeds(void **state)
{
	static const struct sched_access access[] = {
		{LOCK, 1, 1, 5}, {LOCK, 2, 1, 3}, {FLAG, 1, 1, 5}, {FLAG, 2, 1, 5}};
	unsigned others = 0;
	(void)state;
	search_profile_add(&profile, 1, 9, access, 4);
	for (uint64_t turn = 0; turn < TURNS; turn++) {
		char *one = search_profile_policy(&profile, "surw", 1, turn);
		char *same = search_profile_policy(&profile, "surw", 1, turn);
		char *other = search_profile_policy(&profile, "surw", 2, turn);
		assert_string_equal(one, same);
		others += strcmp(one, other) != 0;
		free(one), free(same), free(other);
	}
	assert_true(others > 0);
}

/* Where addresses differ from try to try, no try has one object. */
static void test_no_objects(void **state)
{
	static const struct sched_access access[] = {{LOCK, 1, 1, 5}, {LOCK, 2, 1, 3}, {FLAG, 1, 0, 5}};
	(void)state;
	profile.lacks_objects = true;
	search_profile_add(&profile, 1, 1, access, 3);
	assert_int_equal(count_skewed("surw", "surw:", 10, 3) + count_skewed("surw", "surw:object=any,", 10, 3), TURNS);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_which_policies, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_unchanged, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_steps, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_object_and_counts, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_weights, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_balance, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_hostile, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_no_threads, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_seeds, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_no_objects, set_up, tear_down),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
