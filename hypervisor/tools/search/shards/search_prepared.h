/* SPDX-License-Identifier: MIT */
/* --prepare and --prepared: the tries from which all others of a search learn are made once, and what each has left
 * stands in a file, and so are the runs for races, which are no tries. A later search, or each shard of one, takes them
 * from there as if it had made them. */
#ifndef HYPERVISOR_SEARCH_PREPARED_H
#define HYPERVISOR_SEARCH_PREPARED_H

#include "base/digest.h"
#include "base/save.h"
#include "search/results/search_results.h"
#include "search/search_option.h"
#include "search/search_try.h"

/** What is kept: tries, runs in an order of a race that no try has shown (search_reach.h), tries that were made again
 * for the stacks at accesses (search_stacks.h), and runs that look for points alone (search_reach.h). Each kind has
 * numbers of its own. Files have these values. */
enum search_prepared_kind { PREPARED_TRY, PREPARED_ORDER, PREPARED_STACKS, PREPARED_LOOK };

/** Zero-initialised: nothing is kept, and nothing is given. */
struct search_prepared {
	struct save save;      /**< what is written; save.to is NULL if nothing is */
	struct digest_sum sum; /**< of what was written */
	int error;             /**< why what is written is not whole: a negative errno; 0: it is */
	const uint8_t *file;   /**< what is given: a whole file, in memory; NULL: nothing */
	size_t bytes, at;      /**< of the file; where the next try begins */
	size_t first;          /**< where the first one does */
};

/** Begins a file that a complete search of its first tries ends. Ends eremite with a message if it cannot. */
void search_prepared_create(struct search_prepared *prepared, const struct search_option *option, int input);

/** Adds what a run has left that has ended; without a file that was begun, does nothing. Returns 0 or a negative errno,
 * and then the file is never completed. */
int search_prepared_keep(struct search_prepared *prepared, const struct search_slot *slot,
                         enum search_prepared_kind kind, uint64_t number);

/** Ends eremite with the reason for which a run could not be added. */
_Noreturn void search_prepared_fail(struct search_prepared *prepared, const struct search_option *option);

/** Completes the file, if all tries were made or, with `enough`, so many that the search has ended; else leaves none.
 * Says what is next. Returns the exit status. */
int search_prepared_finish(struct search_prepared *prepared, const struct search_option *option,
                           const struct search_results *results, bool enough);

/** Opens a file for a search with the same options, program and standard input, made by the same version of eremite.
 * Ends eremite with a message if it is not that, or not whole. */
void search_prepared_open(struct search_prepared *prepared, const struct search_option *option, int input);

/** Fills a slot with the next try in the file that has this number, as if it had been made and had ended. Returns false
 * if the file has no such try. */
bool search_prepared_give(struct search_prepared *prepared, struct search_slot *slot, uint64_t number, unsigned vary);

/** Does so with a run of another kind, wherever the file has it. The number of the slot becomes `as`. */
bool search_prepared_give_run(const struct search_prepared *prepared, struct search_slot *slot,
                              enum search_prepared_kind kind, uint64_t number, uint64_t as, unsigned vary);

#endif
