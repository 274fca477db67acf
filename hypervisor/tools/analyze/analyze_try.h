/* SPDX-License-Identifier: MIT */
/* The tries of an analysis, which run side by side. */
#ifndef HYPERVISOR_ANALYZE_TRY_H
#define HYPERVISOR_ANALYZE_TRY_H

#include "abi/tries.h"
#include "analyze/analyze.h"

/** Zero-initialised, then the first members are set. */
struct analyze_try {
	const char *step;      /**< for the results */
	uint64_t distance;     /**< for the results */
	struct plan plan;      /**< of the caller; its entries get their uses if the try is made */
	char *words[4];        /**< options instead of --sched=near; words[0] NULL: none */
	bool is_first;         /**< --fail-on=output compares the output of others with that of this one, under fifo */
	bool records;          /**< sets `schedule` */
	search_looked *looked; /**< writes `seen`, where entries `look` of the plan want it; NULL: they are ignored */

	bool is_known; /**< an equal one was made before */
	bool was_inside;
	struct try_result inside; /**< the result that a guest has reported for this try */
	bool is_made;             /**< otherwise only the next three are set: an equal one was made before */
	enum try_ends result;
	bool is_vain;          /**< an entry `hold` could not be kept */
	const char *known_end; /**< how the one made before ended */
	struct search_outcome outcome;
	struct schedule schedule;
	bool is_taken;     /**< `taken` has the decisions of its schedule, for the page */
	struct plan taken; /**< until analyze_try_all moves it into the note */
	char *seen;        /**< what `looked` has written */
	double seconds;
};

/** Makes tries. Returns false if the analysis is stopped. The caller calls analyze_try_fini for each. */
bool analyze_try_all(struct analyze *analyze, struct analyze_try *tries, size_t count);

/** Frees what the try has set, but not its plan. */
void analyze_try_fini(struct analyze_try *made);

#endif
