/* SPDX-License-Identifier: MIT */
/* Tries of an analysis in living guests (abi/tries.h), which save starting the program again. */
#ifndef HYPERVISOR_ANALYZE_INSIDE_H
#define HYPERVISOR_ANALYZE_INSIDE_H

#include "analyze/analyze_try.h"

/** Chooses whether guests make tries, and from which point on: analyze.from. */
void analyze_inside_choose(struct analyze *analyze);

/** Makes those of the tries that guests can make, and sets what analyze_try_all sets for them. A process has to make
 * the others, also one that is the first to end as it does: its `is_made` is false. */
void analyze_inside_make(struct analyze *analyze, struct analyze_try *tries, size_t count);

/** Compares a try that a process has made with the result that a guest has reported for it, if there is one, and keeps
 * the process's stacks for all tries with this end. Returns false, with analyze.error, if both did not do the same. */
bool analyze_inside_learn(struct analyze *analyze, const struct analyze_try *made);

/** Ends the guests. */
void analyze_inside_end(void);

#endif
