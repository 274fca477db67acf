/* SPDX-License-Identifier: MIT */
/* What standard error says while an analysis runs: its steps, and how much of each is left. */
#ifndef HYPERVISOR_ANALYZE_PROGRESS_H
#define HYPERVISOR_ANALYZE_PROGRESS_H

#include "analyze/analyze.h"

/** Says that a step begins. `number` is its place among the steps; 0: it is part of one. */
void analyze_progress_step(struct analyze *analyze, unsigned number, const char *step);

/** Sets how much is left of the step, in a unit such as "decisions". */
void analyze_progress_left(struct analyze *analyze, uint64_t left, const char *unit);

/** Says how far the step is: every second on a terminal, and otherwise every ten seconds. */
void analyze_progress_show(struct analyze *analyze);

/** Says that the schedules, if nobody gave their names, will replace those of another analysis. */
void analyze_progress_replaced(const struct analyze *analyze);

/** Warns if a run has not used files of its list of points, as when the program was built again: they are its content.
 */
void analyze_progress_stale(const struct analyze *analyze, const struct try_outcome *outcome);

#endif
