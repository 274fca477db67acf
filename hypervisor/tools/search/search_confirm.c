/* SPDX-License-Identifier: MIT */
#include "search/search_confirm.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "search/search_again.h"
#include "search/search_feedback.h"
#include "search/search_stacks.h"
#include "search/search_stop.h"

static const struct search_confirm *work; /* the search whose failures are confirmed */

/* Makes a try in the slot. Returns whether it was made. */
static bool make_in_slot(uint64_t number, unsigned vary, struct search_outcome *outcome)
{
	struct search_slot *slot = work->slot;
	struct error error;
	if (search_slot_start(slot, work->option, number, vary, work->input, work->mask))
		work->fail("search: cannot start a process; give a smaller --jobs");
	return search_stop_wait_slot(slot, work->option) &&
	       !search_slot_read(slot, work->option, work->first_output, outcome, &error);
}

/* Makes a try again, in which the inputs `vary` have its values and others their defaults. Returns whether it was
 * made; the caller then calls search_outcome_fini. */
static bool make_again(uint64_t number, unsigned vary, struct search_outcome *outcome)
{
	bool is_made = make_in_slot(number, vary, outcome);
	if (is_made && search_slot_is_again(work->slot, outcome))
		is_made = make_in_slot(number, vary, outcome);
	work->slot->number = 0;
	return is_made;
}

/* Leaves out the inputs that may have their defaults while the first try still fails in the same way. The last of the
 * list goes first: a failure that needs no fault of the network is simpler than one that needs one. */
static void reduce(struct search_distinct *distinct)
{
	struct search_outcome outcome;
	for (unsigned input = SEARCH_INPUTS; input-- > 0 && !search_stop_signal();) {
		const unsigned fewer = distinct->inputs & ~(1U << input);
		if (fewer == distinct->inputs || !make_again(distinct->command_try, fewer, &outcome))
			continue;
		if (outcome.failed && !strcmp(outcome.identity, distinct->identity)) {
			distinct->inputs = fewer;
			distinct->first = outcome.outcome;
		}
		search_outcome_fini(&outcome);
	}
	free(distinct->command);
	distinct->command = search_try_command(work->option, distinct->command_try, distinct->inputs, NULL);
}

/* Makes the first try of each way to fail again, and notes whether it does the same. */
static void confirm(struct search_distinct *distinct)
{
	struct search_outcome outcome;
	const bool made = make_again(distinct->command_try, distinct->inputs, &outcome);
	distinct->repeats = search_stop_signal() ? REPEATS_UNKNOWN : REPEATS_NOT; /* which may have ended the try */
	if (!made)
		return;
	if (try_outcome_is_same(&outcome.outcome, &distinct->first))
		distinct->repeats = REPEATS;
	search_outcome_fini(&outcome);
}

/* Makes a try again whose results have been read, and that the search which has made it did not come to make again. It
 * must fail as it did then. */
static void recall(struct search_distinct *distinct)
{
	const struct search_feedback *feedback = work->option->feedback;
	const uint64_t number = distinct->command_try;
	struct search_outcome outcome;
	if (feedback && number >= feedback->first && !search_feedback_has_plan(feedback, number))
		return; /* the results are of an older eremite, which did not keep it */
	if (!make_again(number, distinct->inputs, &outcome))
		return;
	if (outcome.failed && !strcmp(outcome.identity, distinct->identity))
		distinct->first = outcome.outcome;
	else
		distinct->repeats = REPEATS_NOT;
	search_outcome_fini(&outcome);
}

static bool make_special(const struct search_schedule *schedule, uint64_t number, struct search_outcome *outcome)
{
	work->slot->schedule = schedule;
	const bool made = make_again(number, 0, outcome);
	work->slot->schedule = NULL;
	return made;
}

/* Gives failures that only tries with all accesses have shown commands with fewer points. */
static void find_again(uint64_t made_before)
{
	if (work->results->tries == made_before)
		return;
	if (work->results->tries < work->option->points_tries)
		search_points_settle(work->points, work->option->program[0]); /* of those that were made */
	for (size_t i = 0; i < work->results->distinct_count && !search_stop_signal(); i++) {
		struct search_distinct *distinct = &work->results->distinct[i];
		if (search_results_is_slow(distinct, work->option) && strcmp(distinct->end, "timeout"))
			search_again(distinct, work->option, make_special);
	}
}

void search_confirm(const struct search_confirm *search, uint64_t made_before)
{
	work = search;
	search_stop_forget_time();
	if (!search_stacks_take(&work->results->races, work->option, work->slot, work->input, work->mask,
	                        work->prepared))
		work->fail("search: cannot start a process; give a smaller --jobs");
	find_again(made_before);
	for (size_t i = 0; i < work->results->distinct_count && !search_stop_signal(); i++) {
		struct search_distinct *distinct = &work->results->distinct[i];
		/* how far a run gets until a timeout depends on the host */
		if (distinct->repeats == REPEATS_UNKNOWN && !distinct->first.is_complete &&
		    strcmp(distinct->end, "timeout"))
			recall(distinct);
		if (distinct->repeats == REPEATS_UNKNOWN && distinct->first.is_complete &&
		    distinct->first.end != RUN_TIMEOUT) {
			confirm(distinct);
			if (distinct->repeats == REPEATS && work->option->vary != 1U << SEARCH_INPUT_sched)
				reduce(distinct);
		}
	}
}
