/* SPDX-License-Identifier: MIT */
#include "search/search_again.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "search/search_stop.h"

/* Tries without points in the program's code, and with those of the list: some seconds of most programs. */
#define PLAIN_TRIES 8U
#define LIST_TRIES 120U

/* Decisions of all these tries; what is slow is not looked for any longer. */
#define DECISIONS_MAX (1UL << 24)

static const char *const policies[] = {"random", "pos", "random:p=0.1", "pct:depth=2", "random:p=0.02", "pct:depth=3"};

#define POLICIES (sizeof(policies) / sizeof(policies[0]))
#define WORDS_MAX 3

struct attempt {
	char *words[WORDS_MAX];
	struct search_schedule schedule;
};

/* The schedule of an attempt: the first one without points is that of the first try. */
static void prepare(struct attempt *attempt, const struct search_option *option, unsigned number, bool is_plain)
{
	int count = 0;
	if (number || !is_plain) {
		attempt->words[count++] = text_of("--sched=%s", policies[number % POLICIES]);
		attempt->words[count++] = text_of("--sched-seed=%lu", (option->seed << 32) + number);
	}
	if (count && strcmp(option->from, "start"))
		attempt->words[count++] = text_of("--from=%s", option->from);
	attempt->schedule =
		(struct search_schedule){.words = attempt->words, .word_count = count, .is_plain = is_plain};
}

static void finish_attempt(struct attempt *attempt)
{
	for (int i = 0; i < attempt->schedule.word_count; i++)
		free(attempt->words[i]);
}

/* Whether the same failure comes twice, with the same events. Adds the decisions of the first run. */
static bool fails_so(const struct attempt *attempt, const struct search_distinct *distinct, uint64_t number,
                     search_again_make *make, uint64_t *decisions, struct try_outcome *first)
{
	struct search_outcome outcome, second;
	if (!make(&attempt->schedule, number, &outcome))
		return false;
	*first = outcome.outcome;
	*decisions += outcome.outcome.decisions;
	bool same = outcome.failed && !strcmp(outcome.identity, distinct->identity);
	search_outcome_fini(&outcome);
	if (!same || !make(&attempt->schedule, number, &second))
		return false;
	same = try_outcome_is_same(first, &second.outcome);
	search_outcome_fini(&second);
	return same;
}

void search_again(struct search_distinct *distinct, const struct search_option *option, search_again_make *make)
{
	const uint64_t number = option->points_tries + 1; /* with the points of later tries */
	uint64_t decisions = 0;
	for (unsigned i = 0; i < PLAIN_TRIES + LIST_TRIES && decisions < DECISIONS_MAX; i++) {
		const bool is_plain = i < PLAIN_TRIES;
		struct attempt attempt;
		struct try_outcome first;
		prepare(&attempt, option, is_plain ? i : i - PLAIN_TRIES, is_plain);
		const bool found = fails_so(&attempt, distinct, number, make, &decisions, &first);
		if (found) {
			distinct->first = first;
			free(distinct->command);
			distinct->command = search_try_command(option, number, 0, &attempt.schedule);
			distinct->command_try = 0;
			distinct->repeats = REPEATS;
		}
		finish_attempt(&attempt);
		if (found || search_stop_signal())
			return;
	}
}
