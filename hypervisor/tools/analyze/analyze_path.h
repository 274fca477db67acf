/* SPDX-License-Identifier: MIT */
/* The way from one order of events to another by swaps of neighbours. */
#ifndef HYPERVISOR_ANALYZE_PATH_H
#define HYPERVISOR_ANALYZE_PATH_H

#include "sched/schedule_plan.h"

/** The events of both runs, in the order of each. Those that a run did not have, because it ended before or did other
 * things, come last in its order. Events of one thread are in one order in both. */
struct analyze_path {
	struct plan_events from, to;
	uint32_t *place;  /**< by index in `to`: the index in `from` */
	uint64_t *before; /**< by index in `to`, and one more: swaps made when all earlier ones are in their places */
	uint64_t swaps;   /**< of the whole way: the pairs whose order differs */
};

/** Makes the way. Returns false without memory. */
bool analyze_path_make(struct analyze_path *path, const struct plan_events *from, const struct plan_events *to);

/**
 * Lists the events after the first `swaps` swaps, at most path->swaps. Sets *pair to the index of the two events that
 * the next swap exchanges. The caller calls plan_events_fini. Returns false without memory.
 */
bool analyze_path_at(const struct analyze_path *path, uint64_t swaps, struct plan_events *events, size_t *pair);

/** Frees it; accepts an all-zero structure. */
void analyze_path_fini(struct analyze_path *path);

/**
 * Returns the Damerau-Levenshtein distance of two orders of events up to the place where both have had the same events
 * again: 0 if they are the same, 1 if two neighbours are exchanged, and otherwise the number of pairs whose order
 * differs. A run `a` that ended when its thread stood before the second event of the pair is as if it had had that
 * event last. Sets *pair to the first difference. UINT64_MAX without memory.
 */
uint64_t analyze_path_distance(const struct plan_events *a, const struct plan_events *b, size_t *pair);

#endif
