/* SPDX-License-Identifier: MIT */
/* What feedback of a search has learnt: the lines in somebody's results, and the pairs that guests list. What is taken
 * is written as it was read, and the search goes on from it. */
#include <stdio.h>

#include "search/search_feedback.h"
#include "tests/fuzz/fuzz.h"

#define FIRST 4U

static char *print(const struct search_feedback *feedback)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	search_feedback_print(to, feedback);
	fclose(to);
	return text;
}

static void begin(struct search_feedback *feedback)
{
	static const bool members[] = {false, true};
	search_feedback_init(feedback, 1, FIRST, members, 2);
}

/* Tries show what the input has, until it ends. */
static void go_on(struct search_feedback *feedback, struct fuzz_input *input)
{
	uint64_t pairs[4];
	for (uint64_t number = search_feedback_again(feedback); input->left; number++) {
		const uint64_t signature = fuzz_number(input, 1), count = fuzz_number(input, 1) % 5;
		fuzz_take(input, pairs, count * sizeof(pairs[0]));
		search_feedback_show(feedback, number, signature, pairs, count);
		search_feedback_take(feedback, number, signature & 1);
	}
}

/* What was written can be read again, and is then written as before. */
static void check_written(const struct search_feedback *feedback, uint64_t tries)
{
	static struct search_feedback again;
	char *one = print(feedback), *copy = strdup(one);
	begin(&again);
	if (!search_feedback_parse(&again, copy, tries))
		abort();
	char *two = print(&again);
	if (strcmp(one, two))
		abort();
	search_feedback_fini(&again);
	free(one);
	free(copy);
	free(two);
}

/* A round begins with what was read, and is written as it is read again. */
static void begin_round(const struct search_feedback *from, uint64_t tries)
{
	static struct search_feedback round;
	begin(&round);
	round.has_rounds = true;
	search_feedback_join(&round, from, true);
	search_feedback_begin_round(&round, tries, 1);
	check_written(&round, tries);
	search_feedback_close(&round);
	search_feedback_fini(&round);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct search_feedback feedback;
	struct fuzz_input input = fuzz_begin(data, size);
	const uint64_t tries = fuzz_number(&input, 2), bytes = fuzz_number(&input, 2);
	char *lines = calloc(1, bytes + 1);
	fuzz_take(&input, lines, bytes);
	begin(&feedback);
	if (search_feedback_parse(&feedback, lines, tries)) {
		check_written(&feedback, tries);
		begin_round(&feedback, tries);
		go_on(&feedback, &input);
	}
	search_feedback_fini(&feedback);
	free(lines);
	return 0;
}
