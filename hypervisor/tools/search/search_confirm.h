/* SPDX-License-Identifier: MIT */
/* Makes the first try of each way to fail again at the end of a search: whether it repeats, and which inputs and points
 * it needs. */
#ifndef HYPERVISOR_SEARCH_CONFIRM_H
#define HYPERVISOR_SEARCH_CONFIRM_H

#include <signal.h>
#include <stdint.h>

#include "search/search_points.h"
#include "search/results/search_results.h"
#include "search/search_try.h"
#include "search/shards/search_prepared.h"

/** A search whose tries are all there. */
struct search_confirm {
	struct search_option *option;
	struct search_results *results;
	struct search_points *points;
	struct search_slot *slot;         /**< in which no try runs */
	uint64_t *first_output;           /**< of the first try: its hash and its bytes */
	int input;                        /**< file with standard input; -1: none */
	const sigset_t *mask;             /**< signals that children block */
	struct search_prepared *prepared; /**< runs that need not be made */
	/** Ends eremite by an error, after it has reported what was found. */
	void (*fail)(const char *error) __attribute__((noreturn));
};

/** Confirms the ways to fail in the results, and takes the stacks of races. `made_before`: tries that an earlier search
 * has made. A signal that stops the search ends it early. */
void search_confirm(const struct search_confirm *search, uint64_t made_before);

#endif
