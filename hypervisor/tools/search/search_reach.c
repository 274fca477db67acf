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

#define RUNS_MAX 8U /* each takes as long as a try that lists points */

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

/* Makes a run in an order, or takes it from what was prepared. Returns whether it has ended by itself. */
static bool make_run(struct search_slot *slot, const struct search_option *option, const struct search_pair_try *order,
                     unsigned number, int input, const sigset_t *mask, struct search_prepared *prepared,
                     bool *is_started)
{
	char *policy = search_pairs_policy(order);
	char *words[] = {text_of("--sched=%s", policy), text_of("--sched-seed=%lu", (option->seed << 32) + number),
	                 text_of("--from=%s", option->from)};
	const struct search_schedule schedule = {
		.words = words, .word_count = strcmp(option->from, "start") ? 3 : 2, .lists = true};
	slot->schedule = &schedule;
	bool has_ended = search_prepared_give_run(prepared, slot, PREPARED_ORDER, number, option->points_tries, 0);
	if (!has_ended) {
		*is_started = !search_slot_start(slot, option, option->points_tries, 0, input, mask);
		has_ended = *is_started && search_stop_wait_slot(slot, option);
		if (has_ended)
			search_prepared_keep(prepared, slot, PREPARED_ORDER, number);
	}
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		free(words[i]);
	free(policy);
	return has_ended;
}

bool search_reach(struct search_races *races, struct search_points *points, const struct search_option *option,
                  int input, const sigset_t *mask, struct search_prepared *prepared)
{
	struct search_slot slot = {.number = 0};
	bool is_started = !search_slot_open(&slot);
	struct search_pair_try order;
	for (unsigned run = 1; is_started && run <= RUNS_MAX && next_order(races, &order); run++) {
		struct try_outcome ended;
		const size_t known = races->count;
		if (!make_run(&slot, option, &order, run, input, mask, prepared, &is_started))
			break;
		if (search_slot_outcome(&slot, option, &ended) && ended.end == RUN_TIMEOUT)
			break; /* the next ones would take as long */
		search_slot_learn(&slot, option, points, NULL, races);
		for (size_t i = known; i < races->count; i++) {
			memcpy(races->all[i].behind, order.constraints, sizeof(races->all[i].behind));
			races->all[i].behind_count = order.constraint_count;
		}
	}
	search_slot_close(&slot);
	return is_started;
}
