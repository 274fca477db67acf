/* SPDX-License-Identifier: MIT */
/* What feedback learns from tries, how it shares a generation among the policies, and the lines by which a search goes
 * on. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_reads.h"
#include "search/search_feedback.h"

#define PAIR(from, to) ((uint64_t)(from) << 32 | (to))
#define FIRST 4U

static struct search_feedback feedback, other;
static const struct search_reads none;

static int set_up(void **state)
{
	static const bool members[] = {false, true, false};
	(void)state;
	search_feedback_init(&feedback, 7, FIRST, members, 3);
	search_feedback_init(&other, 7, FIRST, members, 3);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	search_feedback_fini(&feedback);
	search_feedback_fini(&other);
	return 0;
}

static char *text_of_reads(const struct search_reads *reads)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	search_corpus_print_reads(to, reads);
	fclose(to);
	return text;
}

static char *text_of_feedback(const struct search_feedback *from)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	search_feedback_print(to, from);
	fclose(to);
	return text;
}

/* What a try shows: it depends on its number and its plan. */
static void show(struct search_feedback *to, uint64_t number)
{
	const uint64_t pairs[] = {PAIR(1, 2), PAIR(3, 2), PAIR(10 + number / 50, 5)};
	uint64_t signature = number % 10;
	if (number >= FIRST)
		signature += 1000 * search_feedback_plan(to, number)->member;
	search_feedback_show(to, number, signature, pairs, 3);
}

/* Makes tries, those of two halves of each step in the reverse order, as guests do. */
static void make(struct search_feedback *to, uint64_t first, uint64_t last)
{
	for (uint64_t number = first; number <= last; number += 2) {
		if (number < last)
			show(to, number + 1);
		show(to, number);
		search_feedback_take(to, number, number % 100 == 0);
		if (number < last)
			search_feedback_take(to, number + 1, (number + 1) % 100 == 0);
	}
}

static void make_profile(struct search_feedback *to)
{
	for (uint64_t number = 1; number < FIRST; number++) {
		show(to, number);
		search_feedback_take(to, number, false);
	}
}

static void same_plan(const struct search_plan *one, const struct search_plan *two)
{
	assert_int_equal(one->member, two->member);
	assert_int_equal(one->turn, two->turn);
	assert_int_equal(one->reads.count, two->reads.count);
	for (unsigned i = 0; i < one->reads.count; i++)
		assert_int_equal(one->reads.constraint[i], two->reads.constraint[i]);
}

/* --- the corpus --- */

static void test_reads_text(void **state)
{
	static const char *const good[] = {"", "1-2", "!1-2", "7fffffff-a/!b-c/d-e"};
	static const char *const bad[] = {
		"1", "1-",    "1-2/", "/1-2",       "1-2 ", "1-0",         "0-1",
		"!", "!!1-2", "1-2,", "80000000-1", "x-1",  "123456789-1", "1-2/1-2/1-2/1-2/1-2/1-2/1-2/1-2/1-2"};
	struct search_reads reads;
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(search_corpus_parse_reads(good[i], &reads));
		char *text = text_of_reads(&reads);
		assert_string_equal(text, good[i]);
		free(text);
	}
	assert_int_equal(reads.count, 3);
	assert_int_equal(reads.constraint[1], SCHED_PAIR_AVOIDED | PAIR(11, 12));
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(search_corpus_parse_reads(bad[i], &reads));
}

/* Pairs count once; a guest may list anything, and what is no pair of sites is dropped. */
static void test_new_pairs(void **state)
{
	struct search_corpus corpus = {.pair_count = 0};
	const uint64_t first[] = {PAIR(1, 2), PAIR(3, 4), 0, UINT64_MAX, PAIR(5, 0), PAIR(0, 5), PAIR(1, 2)};
	const uint64_t second[] = {PAIR(3, 4), PAIR(1, 4)};
	(void)state;
	assert_int_equal(search_corpus_add(&corpus, &none, 9, first, 7), 2);
	assert_int_equal(search_corpus_add(&corpus, &none, 9, second, 2), 1);
	assert_int_equal(search_corpus_add(&corpus, &none, 9, second, 2), 0);
	assert_int_equal(corpus.pair_count, 3);
	assert_int_equal(corpus.parent_count, 2);
	assert_int_equal(corpus.parents[0].reads.count, 1); /* what came before its last new pair */
	assert_int_equal(corpus.parents[0].reads.constraint[0], PAIR(1, 2));
	assert_int_equal(corpus.parents[0].pair, PAIR(3, 4));
	assert_int_equal(corpus.parents[1].reads.constraint[0], PAIR(3, 4));
	assert_int_equal(corpus.parents[1].pair, PAIR(1, 4));
	assert_int_equal(corpus.pairs[1].seen, 3);
	assert_int_equal(corpus.signatures.count, 1);
	search_corpus_fini(&corpus);
}

/* Drawn constraints are known pairs, or of a write and a read of the same object, which pairs connect. */
static void test_draws(void **state)
{
	struct search_corpus corpus = {.pair_count = 0};
	const uint64_t pairs[] = {PAIR(1, 2), PAIR(3, 4), PAIR(1, 4), PAIR(20, 21), PAIR(22, 23)};
	unsigned unseen = 0, avoided = 0, several = 0;
	struct search_reads reads, again;
	(void)state;
	search_corpus_draw(&corpus, 1, &reads);
	assert_int_equal(reads.count, 0);
	search_corpus_add(&corpus, &none, 1, pairs, 5);
	search_corpus_weigh(&corpus);
	for (uint64_t seed = 0; seed < 1000; seed++) {
		search_corpus_draw(&corpus, seed, &reads);
		search_corpus_draw(&corpus, seed, &again);
		assert_int_equal(reads.count, again.count);
		assert_memory_equal(reads.constraint, again.constraint, reads.count * sizeof(reads.constraint[0]));
		assert_true(reads.count <= SEARCH_CONSTRAINTS_MAX);
		several += reads.count > 1;
		for (unsigned i = 0; i < reads.count; i++) {
			const uint64_t pair = reads.constraint[i] & ~SCHED_PAIR_AVOIDED;
			bool known = pair == PAIR(3, 2);
			unseen += pair == PAIR(3, 2);
			avoided += reads.constraint[i] != pair;
			for (unsigned j = 0; j < 5; j++)
				known = known || pair == pairs[j];
			assert_true(known);
		}
	}
	assert_true(unseen > 10);
	assert_true(avoided > 100);
	assert_true(several > 100);
	search_corpus_fini(&corpus);
}

/* The parent of a try that found a new pair wants the rarest of the pairs before it, and avoids what the try avoided.
 */
static void test_parents_want_what_is_rare(void **state)
{
	struct search_corpus corpus = {.pair_count = 0};
	uint64_t pairs[12];
	struct search_reads reads = {.constraint = {PAIR(50, 51), PAIR(1, 2) | SCHED_PAIR_AVOIDED}, .count = 2};
	(void)state;
	for (unsigned i = 0; i < 12; i++)
		pairs[i] = PAIR(1, 10 + i);
	search_corpus_add(&corpus, &none, 1, pairs, 11);
	for (unsigned i = 0; i < 20; i++)
		search_corpus_add(&corpus, &none, 1, pairs, 10 - i % 10); /* the first ones are the most frequent */
	assert_int_equal(search_corpus_add(&corpus, &reads, 1, pairs, 12), 1);
	assert_int_equal(corpus.parent_count, 2);
	const struct search_reads *found = &corpus.parents[1].reads;
	assert_int_equal(found->count, SEARCH_CONSTRAINTS_MAX - 1);
	for (unsigned i = 0; i < SEARCH_CONSTRAINTS_MAX - 2; i++)
		assert_int_equal(found->constraint[i], pairs[10 - i]);
	assert_int_equal(found->constraint[SEARCH_CONSTRAINTS_MAX - 2], PAIR(1, 2) | SCHED_PAIR_AVOIDED);
	search_corpus_fini(&corpus);
}

/* A parent whose signature is rare is chosen more often than one whose signature was often seen. */
static void test_rare_parents_come_first(void **state)
{
	struct search_corpus corpus = {.pair_count = 0};
	const uint64_t one = PAIR(1, 2), two = PAIR(3, 4);
	struct search_reads reads;
	(void)state;
	search_corpus_add(&corpus, &none, 1, &one, 1);
	search_corpus_add(&corpus, &none, 2, &two, 1);
	for (unsigned i = 0; i < 30; i++)
		search_corpus_add(&corpus, &none, 1, NULL, 0);
	search_corpus_weigh(&corpus);
	for (uint64_t seed = 0; seed < 400; seed++)
		search_corpus_draw(&corpus, seed, &reads);
	assert_true(corpus.parents[1].chosen > 5 * corpus.parents[0].chosen);
	assert_true(corpus.parents[0].chosen > 0);
	search_corpus_fini(&corpus);
}

/* --- generations --- */

static void test_plans_by_the_profile(void **state)
{
	unsigned members[3] = {0}, constrained = 0;
	(void)state;
	assert_int_equal(search_feedback_limit(&feedback), FIRST - 1);
	make_profile(&feedback);
	assert_int_equal(search_feedback_limit(&feedback), FIRST - 1 + 2 * SEARCH_GENERATION);
	for (unsigned i = 0; i < 2 * SEARCH_GENERATION; i++) {
		const struct search_plan *plan = search_feedback_plan(&feedback, FIRST + i);
		assert_int_equal(plan->member, i % SEARCH_GENERATION % 3); /* in turn, as nothing was found */
		assert_int_equal(plan->turn, members[plan->member]++);
		assert_true(plan->member == 1 || !plan->reads.count);
		constrained += plan->reads.count > 0;
	}
	assert_true(constrained > 2 * SEARCH_GENERATION / 3 * 3 / 4);
}

/* A generation is planned when the one before the last is complete, and its tries depend on nothing later. */
static void test_generations(void **state)
{
	const uint64_t last = FIRST - 1 + 6 * SEARCH_GENERATION;
	(void)state;
	make_profile(&feedback);
	make(&feedback, FIRST, FIRST + SEARCH_GENERATION - 2);
	assert_int_equal(search_feedback_limit(&feedback), FIRST - 1 + 2 * SEARCH_GENERATION);
	show(&feedback, FIRST + SEARCH_GENERATION);
	make(&feedback, FIRST + SEARCH_GENERATION - 1, FIRST + SEARCH_GENERATION - 1);
	assert_int_equal(search_feedback_limit(&feedback), FIRST - 1 + 3 * SEARCH_GENERATION);
	const struct search_plan early = *search_feedback_plan(&feedback, FIRST + 2 * SEARCH_GENERATION + 5);
	make(&feedback, FIRST + SEARCH_GENERATION, last);
	make_profile(&other);
	for (uint64_t number = FIRST; number <= last; number++) {
		if (number == FIRST + 2 * SEARCH_GENERATION + 5)
			same_plan(search_feedback_plan(&other, number), &early);
		make(&other, number, number);
	}
	char *one = text_of_feedback(&feedback), *two = text_of_feedback(&other);
	assert_string_equal(one, two);
	free(one);
	free(two);
}

static void count_members(const struct search_feedback *from, unsigned generation, unsigned members[3])
{
	memset(members, 0, 3 * sizeof(*members));
	for (unsigned i = 0; i < SEARCH_GENERATION; i++)
		members[search_feedback_plan(from, FIRST + generation * SEARCH_GENERATION + i)->member]++;
}

/* The member whose tries find new pairs or new failures gets more tries, the others at least half of their share, and
 * when nothing is found any more the shares become equal again. */
static void test_shares(void **state)
{
	unsigned members[3];
	(void)state;
	make_profile(&feedback);
	for (uint64_t number = FIRST; number < FIRST + SEARCH_GENERATION; number++) {
		const unsigned member = search_feedback_plan(&feedback, number)->member;
		const uint64_t pair = PAIR(100 + number, 1);
		search_feedback_show(&feedback, number, 1, &pair, member == 2);
		search_feedback_take(&feedback, number, false);
	}
	count_members(&feedback, 2, members);
	assert_in_range(members[0], SEARCH_GENERATION / 6, SEARCH_GENERATION / 6 + 2);
	assert_in_range(members[1], SEARCH_GENERATION / 6, SEARCH_GENERATION / 6 + 2);
	for (uint64_t number = FIRST + SEARCH_GENERATION; number < FIRST + 2 * SEARCH_GENERATION; number++)
		search_feedback_take(&feedback, number,
		                     number % 40 == 0 && search_feedback_plan(&feedback, number)->member == 0);
	count_members(&feedback, 3, members);
	assert_true(members[0] > members[1] + 4);
	for (uint64_t number = FIRST + 2 * SEARCH_GENERATION; number < FIRST + 40 * SEARCH_GENERATION; number++)
		search_feedback_take(&feedback, number, false);
	count_members(&feedback, 41, members);
	for (unsigned i = 0; i < 3; i++)
		assert_in_range(members[i], SEARCH_GENERATION / 3, SEARCH_GENERATION / 3 + 1);
}

static void test_kept_plans(void **state)
{
	(void)state;
	make_profile(&feedback);
	search_feedback_keep(&feedback, 2); /* it has no plan */
	const struct search_plan plan = *search_feedback_plan(&feedback, FIRST + 1);
	search_feedback_keep(&feedback, FIRST + 1);
	make(&feedback, FIRST, FIRST + 5 * SEARCH_GENERATION);
	same_plan(search_feedback_plan(&feedback, FIRST + 1), &plan);
}

/* --- going on --- */

/* A search that was stopped anywhere goes on to the same tries. */
static void test_goes_on(void **state)
{
	static const uint64_t stops[] = {FIRST - 1, FIRST + 9, FIRST + SEARCH_GENERATION - 1, FIRST + SEARCH_GENERATION,
	                                 FIRST + 5 * SEARCH_GENERATION + 17};
	static const bool members[] = {false, true, false};
	const uint64_t last = FIRST + 8 * SEARCH_GENERATION + 3;
	(void)state;
	make_profile(&feedback);
	make(&feedback, FIRST, last);
	char *wanted = text_of_feedback(&feedback);
	for (unsigned i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		struct search_feedback *stopped = &other;
		search_feedback_fini(stopped);
		search_feedback_init(stopped, 7, FIRST, members, 3);
		make_profile(stopped);
		if (stops[i] >= FIRST)
			make(stopped, FIRST, stops[i]);
		char *lines = text_of_feedback(stopped);
		search_feedback_fini(stopped);
		search_feedback_init(stopped, 7, FIRST, members, 3);
		assert_true(search_feedback_parse(stopped, lines, stops[i]));
		assert_true(search_feedback_again(stopped) <= stops[i] + 1);
		make(stopped, search_feedback_again(stopped), last);
		char *got = text_of_feedback(stopped);
		assert_string_equal(got, wanted);
		free(got);
		free(lines);
	}
	free(wanted);
}

static void test_lines_that_are_wrong(void **state)
{
	static const char *const wrong[] = {"complete",
	                                    "complete 1x",
	                                    "member 3 1 1",
	                                    "member 0 -1 0",
	                                    "member 0 99999999999999 0",
	                                    "try 1 3 0 ",
	                                    "try 0 0 0",
	                                    "try 0 0 0 1-2",
	                                    "try 999 0 0 ",
	                                    "pair 0 1",
	                                    "pair 100000002",
	                                    "pair 100000002 0",
	                                    "pair 8000000100000001 1",
	                                    "signature 1",
	                                    "signature 1 0",
	                                    "signature 1 99999999999",
	                                    "parent 1 100000002 1",
	                                    "parent 1 100000002 1 1-",
	                                    "parent 1 1 1 ",
	                                    "nonsense",
	                                    " "};
	static const bool members[] = {false, true, false};
	(void)state;
	make_profile(&feedback);
	make(&feedback, FIRST, FIRST + 300);
	char *lines = text_of_feedback(&feedback);
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		/* In the place of the line with the same first word, or at the end. */
		const size_t word = strcspn(wrong[i], " ");
		const char *at = lines;
		while (at && strncmp(at, wrong[i], word))
			at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
		if (!at || !word)
			at = lines + strlen(lines);
		char *text;
		size_t bytes;
		FILE *to = open_memstream(&text, &bytes);
		fprintf(to, "%.*s%s\n%s", (int)(at - lines), lines, wrong[i], *at ? strchr(at, '\n') + 1 : "");
		fclose(to);
		search_feedback_fini(&other);
		search_feedback_init(&other, 7, FIRST, members, 3);
		if (search_feedback_parse(&other, text, FIRST + 300))
			fail_msg("taken: %s", wrong[i]);
		free(text);
	}
	static const uint64_t tries[] = {0, FIRST + 2 * SEARCH_GENERATION - 2, FIRST + 3 * SEARCH_GENERATION};
	for (unsigned i = 0; i < 3; i++) {
		char *copy = strdup(lines);
		search_feedback_fini(&other);
		search_feedback_init(&other, 7, FIRST, members, 3);
		assert_false(search_feedback_parse(&other, copy, tries[i]));
		free(copy);
	}
	char empty[] = "";
	search_feedback_fini(&other);
	search_feedback_init(&other, 7, FIRST, members, 3);
	assert_true(search_feedback_parse(&other, empty, FIRST - 2));
	assert_false(search_feedback_parse(&other, empty, FIRST - 1));
	free(lines);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_reads_text),
	TEST(test_new_pairs),
	TEST(test_draws),
	TEST(test_parents_want_what_is_rare),
	TEST(test_rare_parents_come_first),
	TEST(test_plans_by_the_profile),
	TEST(test_generations),
	TEST(test_shares),
	TEST(test_kept_plans),
	TEST(test_goes_on),
	TEST(test_lines_that_are_wrong),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
