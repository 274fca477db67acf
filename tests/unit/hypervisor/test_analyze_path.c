/* SPDX-License-Identifier: MIT */
/* The way between two orders of events: each step swaps two neighbours, and the last one is the other order. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_path.h"

/* Makes events of a text: "1a 2a 1b" are operations 0 and 1 of thread 1 and operation 0 of thread 2; "1a'" is the rest
 * of an operation. */
static struct plan_events events_of(const char *text)
{
	struct plan_events events = {0};
	for (; *text; text += strspn(text, " ")) {
		struct plan_event event = {.thread = (uint32_t)(text[0] - '0'), .points = (uint64_t)(text[1] - 'a')};
		text += 2;
		for (; *text == '\''; text++)
			event.part++;
		assert_true(plan_events_add(&events, &event));
	}
	return events;
}

static char *text_of(const struct plan_events *events)
{
	static char text[4096];
	char *to = text;
	*to = 0;
	for (size_t i = 0; i < events->count; i++) {
		to += sprintf(to, "%s%u%c", i ? " " : "", events->at[i].thread, (char)('a' + events->at[i].points));
		for (uint32_t part = events->at[i].part; part; part--)
			to += sprintf(to, "'");
	}
	return text;
}

/* Checks the way: its length, its ends, and that each step swaps the two events that it says. */
static void check_way(const char *a, const char *b, uint64_t swaps, const char *from, const char *to)
{
	struct plan_events x = events_of(a), y = events_of(b), before, after;
	struct analyze_path path;
	size_t pair, unused;
	assert_true(analyze_path_make(&path, &x, &y));
	assert_int_equal(path.swaps, swaps);
	assert_true(analyze_path_at(&path, 0, &before, &pair));
	assert_string_equal(text_of(&before), from);
	for (uint64_t i = 0; i < swaps; i++) {
		assert_true(analyze_path_at(&path, i + 1, &after, &unused));
		assert_int_equal(before.count, after.count);
		assert_int_not_equal(before.at[pair].thread, before.at[pair + 1].thread);
		for (size_t j = 0; j < before.count; j++) {
			size_t other = j == pair ? pair + 1 : j == pair + 1 ? pair : j;
			assert_true(plan_event_is(&before.at[j], &after.at[other]));
		}
		plan_events_fini(&before);
		before = after;
		pair = unused;
	}
	assert_string_equal(text_of(&before), to);
	plan_events_fini(&before);
	analyze_path_fini(&path);
	plan_events_fini(&x);
	plan_events_fini(&y);
}

static void test_way(void **state)
{
	(void)state;
	check_way("1a 2a", "1a 2a", 0, "1a 2a", "1a 2a");
	check_way("1a 2a", "2a 1a", 1, "1a 2a", "2a 1a");
	check_way("1a 1b 2a 2b", "2a 2b 1a 1b", 4, "1a 1b 2a 2b", "2a 2b 1a 1b");
	check_way("1a 2a 3a 1b", "3a 1a 1b 2a", 3, "1a 2a 3a 1b", "3a 1a 1b 2a");
	check_way("", "", 0, "", "");
}

static void test_cut_short(void **state)
{
	(void)state;
	/* The first run ended before 1b. */
	check_way("1a 2a", "1a 1b 2a", 1, "1a 2a 1b", "1a 1b 2a");
	/* Only the first run did 2b. */
	check_way("2a 2b 1a", "1a 2a", 2, "2a 2b 1a", "1a 2a 2b");
}

static void test_rest(void **state)
{
	(void)state;
	/* In the second run 1a did not wait: its rest belongs behind its begin. */
	check_way("1a 2a 1a' 1b", "1a 1b 2a", 2, "1a 2a 1a' 1b", "1a 1a' 1b 2a");
	check_way("1a 1b 2a", "1a 2a 1a' 1b", 2, "1a 1a' 1b 2a", "1a 2a 1a' 1b");
}

static void check_distance(const char *a, const char *b, uint64_t distance, size_t at)
{
	struct plan_events x = events_of(a), y = events_of(b);
	size_t pair;
	assert_int_equal(analyze_path_distance(&x, &y, &pair), distance);
	assert_int_equal(pair, at);
	plan_events_fini(&x);
	plan_events_fini(&y);
}

static void test_distance(void **state)
{
	(void)state;
	check_distance("1a 2a", "1a 2a", 0, 2);
	check_distance("1a 2a 1b", "1a 1b 2a", 1, 1);
	check_distance("1a 2a 2b 1b", "1a 1b 2a 2b", 2, 1);
	check_distance("1a 2a 1b 2b 3a", "1a 1b 2a 3a 2b", 1, 1);
	/* The first run ended before 1b, where thread 1 stood. */
	check_distance("1a 2a", "1a 1b 2a 2b 1c", 1, 1);
}

/* Orders drawn at random: the number of swaps is that of the pairs whose order differs. */
static void test_random(void **state)
{
	enum { THREADS = 4, EVENTS = 40 };
	char a[4 * EVENTS], b[4 * EVENTS];
	(void)state;
	srandom(1);
	for (unsigned round = 0; round < 200; round++) {
		unsigned left[THREADS], done[2][THREADS] = {0}, place[2][THREADS][EVENTS], count = 0;
		char *const texts[] = {a, b};
		for (unsigned i = 0; i < THREADS; i++)
			count += left[i] = (unsigned)random() % (EVENTS / THREADS);
		for (unsigned which = 0; which < 2; which++) {
			char *to = texts[which];
			*to = 0;
			for (unsigned i = 0; i < count;) {
				unsigned thread = (unsigned)random() % THREADS;
				if (done[which][thread] == left[thread])
					continue;
				place[which][thread][done[which][thread]] = i++;
				to += sprintf(to, "%s%u%c", to == texts[which] ? "" : " ", thread + 1,
				              (char)('a' + done[which][thread]++));
			}
		}
		uint64_t pairs = 0;
		for (unsigned s = 0; s < THREADS; s++)
			for (unsigned t = s + 1; t < THREADS; t++)
				for (unsigned i = 0; i < left[s]; i++)
					for (unsigned j = 0; j < left[t]; j++)
						pairs += (place[0][s][i] < place[0][t][j]) !=
						         (place[1][s][i] < place[1][t][j]);
		check_way(a, b, pairs, a, b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_way),      cmocka_unit_test(test_cut_short), cmocka_unit_test(test_rest),
		cmocka_unit_test(test_distance), cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
