/* SPDX-License-Identifier: MIT */
/* A search by tries in living guests, one for each job (abi/tries.h). */
#ifndef HYPERVISOR_SEARCH_INSIDE_H
#define HYPERVISOR_SEARCH_INSIDE_H

#include "base/error.h"
#include "search/results/search_results.h"

/** What a search in guests shares with one by processes. */
struct search_inside {
	const struct search_option *option;
	struct search_results *results;
	struct search_slot *slot;     /**< for a try as a process of its own */
	uint64_t *started;            /**< tries that were begun */
	const uint64_t *first_output; /**< of the first try: its hash and its bytes */
	int input;                    /**< file with standard input; -1: none */
	const sigset_t *mask;         /**< signals that children block */
	bool (*may_start)(void);      /**< whether another try may begin */
	bool (*is_enough)(void);      /**< whether so many tries have failed that none is to be taken any more */
	/** Ends eremite by an error, after it has reported what was found. */
	void (*fail)(const char *error) __attribute__((noreturn));
	void (*on_progress)(void);
};

/** Makes tries until no more may start, and adds their results in the order of their numbers. A try that a guest cannot
 * make is made by a process of its own. Returns 0, or -1 when no guest reaches the point where tries start, with one
 * line in *error. Some tries may have begun that have no result; *started is the number of those that have one. A try
 * whose results differ between a guest and a process ends eremite by an error. */
int search_inside(const struct search_inside *search, struct error *error);

#endif
