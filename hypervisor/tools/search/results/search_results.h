/* SPDX-License-Identifier: MIT */
/* The results of a search (docs/search.md). */
#ifndef HYPERVISOR_SEARCH_RESULTS_H
#define HYPERVISOR_SEARCH_RESULTS_H

#include <stdio.h>

#include "report/search_races.h"
#include "search/search_pairs.h"
#include "search/search_try.h"

/** Failures that count as the same. */
struct search_distinct {
	char *identity, *end, *stacks, *command;
	struct search_said said; /**< of the first try */
	char *differs;           /**< NULL: not known */
	uint64_t first_try, count;
	uint64_t common_count;    /**< of the tries that all shards make */
	uint64_t command_try;     /**< the try that the command repeats; 0: a run that is no try of the search */
	unsigned inputs;          /**< inputs without whose values in that try it does not fail so */
	struct try_outcome first; /**< of that try */
	enum {
		REPEATS_UNKNOWN, /**< that try was not made again */
		REPEATS,
		REPEATS_NOT, /**< it did something else, so the program depends on something that has no name */
	} repeats;
};

/** Zero-initialised: no try yet. */
struct search_results {
	uint64_t tries, failures, timeouts;
	uint64_t common_failures, common_timeouts; /**< of the tries that all shards make */
	uint64_t inside;                           /**< tries of this search that were made in guests */
	struct search_distinct *distinct;
	size_t distinct_count, distinct_room;
	double seconds;         /**< of this search */
	double earlier_seconds; /**< of the searches that it continues */
	struct search_races races;
	struct search_pairs pairs; /**< of these races */
	bool interrupted;
	const char *error; /**< what has stopped the search; NULL: no error */
	bool is_partial;   /**< the error is that merged results are not those of the whole search */
};

/** Whether the command of a way to fail has all accesses as decision points, because only tries that list points have
 * failed so. Such a command is slow, and another one is wanted. */
bool search_results_is_slow(const struct search_distinct *distinct, const struct search_option *option);

/** Adds a try, whose outcome it takes over. Tries are added in the order of their numbers. */
void search_results_add(struct search_results *results, const struct search_option *option, uint64_t number,
                        struct search_outcome *outcome);

/** The options on which tries depend, and the program, as a shell takes them. The caller frees the text. */
char *search_results_line(const struct search_option *option);

/** Writes the results in a format. */
void search_results_put(FILE *to, enum results_format format, const struct search_results *results,
                        const struct search_option *option);

/** Whether the search has found a failure; with --fail-on race, a certain race is one. */
bool search_results_fail(const struct search_results *results, const struct search_option *option);

#endif
