/* SPDX-License-Identifier: MIT */
/* Which decision points later tries of a search get from the lists of the first ones. */
#include "search/search_points.h"

#include "cmdline/other_words.h"
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST "eremite-shared 1\n"
#define DIGITS "00112233445566778899aabbccddeeff"

/* --- what points do not need --- */

const char *other_words_option(const char *verb, const char *name, size_t length)
{
	(void)verb, (void)name, (void)length;
	return NULL;
}

const char *other_words_letter(const char *verb, char letter)
{
	(void)verb, (void)letter;
	return NULL;
}

static struct search_points points;

/* The options of a try, separated by blanks. */
static const char *options(bool makes_list, bool has_atomics)
{
	static char text[65536];
	char **words = NULL;
	int count = 0;
	*text = 0;
	search_points_words(&points, makes_list, has_atomics, &words, &count);
	for (int i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%s", i ? " " : "", words[i]);
	free(words);
	return text;
}

static void add(const char *list)
{
	search_points_add(&points, list, strlen(list));
}

static int begin(void **state)
{
	(void)state;
	free(points.option);
	points = (struct search_points){0};
	return 0;
}

static void test_lists(void **state)
{
	(void)state;
	add(FIRST DIGITS " 0x20 load\n");
	add(FIRST "# nothing\n");
	add(FIRST "# /usr/lib/libasan.so.8.0.0\n" DIGITS " 0x30 load\n# /bin/a\n" DIGITS " 0x10 atomic\n" DIGITS
	          " 0x20 load\n");
	assert_string_equal(options(true, false), "--preempt=atomics --preempt=accesses:65536,1");
	assert_string_equal(options(true, true), "--preempt=accesses:65536,1");
	search_points_settle(&points, "/dev/null");
	assert_string_equal(options(false, false), "--preempt=at:" DIGITS "+10+20");
	assert_string_equal(options(false, true), "--preempt=at:" DIGITS "+10+20");
	assert_string_equal(options(true, false), "--preempt=atomics --preempt=accesses:65536,1");
}

/* Nothing is shared, or what the process of a guest says is no list. */
static void test_no_list(void **state)
{
	static const char *const lists[] = {"", FIRST, "nonsense\n"};
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		begin(state);
		add(lists[i]);
		search_points_settle(&points, "/dev/null");
		assert_string_equal(options(false, false), "--preempt=atomics --preempt=accesses:1000,1");
		assert_string_equal(options(false, true), "--preempt=accesses:1000,1");
	}
}

static void test_many(void **state)
{
	unsigned count = 0;
	(void)state;
	add(FIRST);
	for (unsigned i = 1; i <= 3000; i++) {
		char line[60];
		snprintf(line, sizeof(line), DIGITS " %#x\n", i);
		add(line);
	}
	search_points_settle(&points, "/dev/null");
	for (const char *at = options(false, false); (at = strchr(at, '+')); at++)
		count++;
	assert_int_equal(count, SEARCH_POINTS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_lists, begin),
		cmocka_unit_test_setup(test_no_list, begin),
		cmocka_unit_test_setup(test_many, begin),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
