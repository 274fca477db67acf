/* SPDX-License-Identifier: MIT */
/* Which of the pairs of events that are needed to fail is the likely cause. */
#ifndef HYPERVISOR_ANALYZE_RANK_H
#define HYPERVISOR_ANALYZE_RANK_H

#include "analyze/analyze.h"

/** Returns how likely an order of two events is the cause: higher for accesses to one object that are no operations of
 * locks, in the user's own code. */
#define ANALYZE_RANK_RACE 16 /* nothing orders them */
#define ANALYZE_RANK_USERS 8 /* both are in files of the user's, from this rank on */
unsigned analyze_rank_of(const struct analyze_look *first, const struct analyze_look *second);

/** The same of the pair. */
unsigned analyze_rank_pair(const struct analyze *analyze);

/** Returns whether an event of the pair is in the user's files, or nothing near it is, so that no other pair can be.
 * False if the pair is a failure before the end of the program, because every failure is. */
bool analyze_rank_is_users(const struct analyze *analyze);

/** Sets analyze->equals. */
void analyze_rank_count(struct analyze *analyze);

/** Exchanges the pair with the best of others[0], if that is a more likely cause. The pair
 * then is one of the others. Returns false if the analysis cannot go on. */
bool analyze_rank_choose(struct analyze *analyze, bool *is_another);

#endif
