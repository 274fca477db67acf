/* SPDX-License-Identifier: MIT */
/* Where the locks of a deadlock were taken. Runs are deterministic, so further runs of the same schedule can observe
 * what the first did not: one watches the words that threads wait for, and one shows the stack of the last thread that
 * took each. The run that failed is not touched. */
#ifndef HYPERVISOR_ANALYZE_LOCKS_H
#define HYPERVISOR_ANALYZE_LOCKS_H

#include "analyze/analyze.h"

/** Fills in analyze.locks, of a failure that is a deadlock. Returns false if the analysis is stopped. */
bool analyze_locks_find(struct analyze *analyze);

/** Returns where a lock was taken, or NULL. */
const struct analyze_look *analyze_locks_look(const struct analyze *analyze, const struct analyze_lock *lock);

/** Returns "thread 2 waits for thread 3, which waits for thread 2", a cycle that is known only by these runs, for the
 * caller to free; NULL: none. */
char *analyze_locks_cycle(const struct analyze *analyze);

#endif
