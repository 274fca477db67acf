/* SPDX-License-Identifier: MIT */
/* The first tries see one order of two accesses more often than the other, and code behind the other one has no points
 * then: what a thread does with a pointer that it has found set, if mostly it has not. */
#include "search/search_reach.h"

#include <stdlib.h>
#include <string.h>

#include "abi/sched_reads.h"
#include "base/text.h"
#include "search/search_pairs.h"
#include "search/search_stop.h"

#define RUNS_MAX 8U  /* each takes as long as a try that lists points */
#define LOOKS_MAX 3U /* the same; each of two orders comes in all of them by chance in one of eight searches */

/* Takes the next order that was not seen, of certain races first; the first pair of each race comes before the second
 * ones. An instruction that meets itself has only one order. Returns whether there is one. */
static bool next_order(struct search_races *races, struct search_pair_try *next)
{
	for (unsigned turn = 0; turn < SEARCH_RACE_PAIRS; turn++)
		for (unsigned possible = 0; possible < 2; possible++)
			for (size_t i = 0; i < races->count; i++) {
				const struct search_race *race = &races->all[i];
				struct search_race_pair *pair = &races->all[i].pairs[turn];
				if (race->is_certain != !possible || turn >= race->pair_count ||
				    race->behind_count == SEARCH_BEHIND_MAX || !pair->site[0] || !pair->site[1] ||
				    pair->site[0] == pair->site[1] || pair->seen == SEARCH_ORDERS)
					continue;
				const unsigned first = pair->seen & 1;
				pair->seen |= (uint8_t)(1U << first);
				*next = search_pairs_try(race, (uint64_t)pair->site[first] << 32 | pair->site[!first] |
				                                       SCHED_PAIR_ORDER);
				return true;
			}
	return false;
}

/* A run that is made for what it shows: its policy, and what it is kept as. */
struct reach {
	const char *policy;
	enum search_prepared_kind kind;
	unsigned number;
};

/* Makes a run, or takes it from what was prepared. Returns whether it has ended by itself. */
static bool make_run(struct search_slot *slot, const struct search_option *option, const struct reach *reach, int input,
                     const sigset_t *mask, struct search_prepared *prepared, bool *is_started)
{
	char *words[] = {text_of("--sched=%s", reach->policy),
	                 text_of("--sched-seed=%lu", (option->seed << 32) + reach->number),
	                 text_of("--from=%s", option->from)};
	const struct search_schedule schedule = {
		.words = words, .word_count = strcmp(option->from, "start") ? 3 : 2, .lists = true};
	slot->schedule = &schedule;
	bool has_ended = search_prepared_give_run(prepared, slot, reach->kind, reach->number, option->points_tries, 0);
	if (!has_ended) {
		*is_started = !search_slot_start(slot, option, option->points_tries, 0, input, mask);
		has_ended = *is_started && search_stop_wait_slot(slot, option);
		if (has_ended)
			search_prepared_keep(prepared, slot, reach->kind, reach->number);
	}
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		free(words[i]);
	return has_ended;
}

/* Makes a run and takes its points, and its races if they are wanted. Returns false if the next ones would take too
 * long, or none can be made. */
static bool learn_from_run(struct search_slot *slot, const struct search_option *option, const struct reach *reach,
                           int input, const sigset_t *mask, struct search_points *points, struct search_races *races,
                           struct search_prepared *prepared, bool *is_started)
{
	struct try_outcome ended;
	if (!make_run(slot, option, reach, input, mask, prepared, is_started) ||
	    (search_slot_outcome(slot, option, &ended) && ended.end == RUN_TIMEOUT))
		return false;
	search_slot_learn(slot, option, points, NULL, races);
	return true;
}

bool search_reach(struct search_races *races, struct search_points *points, const struct search_option *option,
                  int input, const sigset_t *mask, struct search_prepared *prepared)
{
	struct search_slot slot = {.number = 0};
	bool is_started = !search_slot_open(&slot);
	struct search_pair_try order;
	const bool looks = !races->count && !races->cut;
	for (unsigned run = 1; is_started && run <= RUNS_MAX && next_order(races, &order); run++) {
		const size_t known = races->count;
		char *policy = search_pairs_policy(&order);
		const struct reach reach = {policy, PREPARED_ORDER, run};
		const bool goes_on =
			learn_from_run(&slot, option, &reach, input, mask, points, races, prepared, &is_started);
		free(policy);
		if (!goes_on)
			break;
		for (size_t i = known; i < races->count; i++) {
			memcpy(races->all[i].behind, order.constraints, sizeof(races->all[i].behind));
			races->all[i].behind_count = order.constraint_count;
		}
	}
	/* Threads that synchronise without a race may have met in one order only, too. Long runs would take too much
	 * time. */
	for (unsigned run = 1; is_started && looks && run <= LOOKS_MAX; run++) {
		const struct reach reach = {"pct:depth=2", PREPARED_LOOK, run};
		if (!learn_from_run(&slot, option, &reach, input, mask, points, NULL, prepared, &is_started))
			break;
	}
	search_slot_close(&slot);
	return is_started;
}
