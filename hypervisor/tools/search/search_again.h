/* SPDX-License-Identifier: MIT */
/* Failures that only tries with all accesses as decision points have shown are found again with fewer points. Such a
 * try is slow, and most of its decisions are of no use, so its command serves neither a debugger nor an analysis. */
#ifndef HYPERVISOR_SEARCH_AGAIN_H
#define HYPERVISOR_SEARCH_AGAIN_H

#include "search/results/search_results.h"

/** Makes a try for search_again. Returns whether it was made; the caller then calls search_outcome_fini. */
typedef bool search_again_make(const struct search_schedule *schedule, uint64_t number, struct search_outcome *outcome);

/** Looks for a schedule under which a program fails in the same way without points in its code, or with those of the
 * list alone. If one is found and repeats, it becomes the command of the failure. Which ones are tried depends on
 * option->seed alone. */
void search_again(struct search_distinct *distinct, const struct search_option *option, search_again_make *make);

#endif
