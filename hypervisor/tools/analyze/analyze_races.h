/* SPDX-License-Identifier: MIT */
/* The data races of a Linux program of one's own (docs/search.md), which tell the likely cause from other orders that
 * are needed, too. */
#ifndef HYPERVISOR_ANALYZE_RACES_H
#define HYPERVISOR_ANALYZE_RACES_H

#include "analyze/analyze.h"

/** Makes the first tries of a search, which find races, and the instructions at which threads can be replaced; nothing
 * for other programs. Returns false if the analysis is stopped. */
bool analyze_races_find(struct analyze *analyze);

/** Writes them as text, for an analysis that has found no pair that decides. */
void analyze_races_put(FILE *to);

/** Whether both events are the accesses of a race that was seen. */
bool analyze_races_are(const struct analyze_look *first, const struct analyze_look *second);

/** The option --preempt with these instructions; NULL: none were found. */
char *analyze_races_points(void);

#endif
