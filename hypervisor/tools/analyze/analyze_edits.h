/* SPDX-License-Identifier: MIT */
/* How far the schedules of tries are from the failing one, in decisions; for the page (docs/analyze.md). */
#ifndef HYPERVISOR_ANALYZE_EDITS_H
#define HYPERVISOR_ANALYZE_EDITS_H

#include "analyze/analyze.h"

/** The distance of a schedule that was not recorded, or that has too many decisions. */
#define ANALYZE_EDITS_UNKNOWN UINT64_MAX

/**
 * Takes the decisions of the schedule of one of `tries` tries, which are made together. Returns whether there is room
 * for them; that does not depend on the other tries. The caller calls plan_fini.
 */
bool analyze_edits_take(struct plan *plan, const struct schedule *schedule, size_t tries);

/** Moves the decisions of a try into its note, if there is room for them beside those of earlier notes. */
void analyze_edits_keep(struct analyze *analyze, struct try_note *note, struct plan *plan);

/**
 * Sets the `edits` of all notes, and frees what was kept. The distance is from the failing schedule that was found, or
 * from the given one if none was found.
 */
void analyze_edits_measure(struct analyze *analyze);

/**
 * Returns the edit distance of two plans in their order: the number of decisions that have to be added, taken away or
 * changed to make one of the other. Anchors do not count.
 */
uint64_t analyze_edits_between(const struct plan *a, const struct plan *b);

#endif
