/* SPDX-License-Identifier: MIT */
/* Runs that look for the points and races of code that only the other order of a race leads to (docs/search.md). */
#ifndef HYPERVISOR_SEARCH_REACH_H
#define HYPERVISOR_SEARCH_REACH_H

#include <signal.h>

#include "search/search_try.h"
#include "search/shards/search_prepared.h"

/**
 * Makes runs with all accesses as points, each in an order of a race that none of the tries that list points has shown,
 * and adds what they show to the points and races, of which later ones of these runs have orders, too. If no race is
 * known, other runs look for points alone. They are no tries. The caller runs no try meanwhile. Runs that were prepared
 * are not made, and those that are made are kept. Returns false if a process cannot be started.
 */
bool search_reach(struct search_races *races, struct search_points *points, const struct search_option *option,
                  int input, const sigset_t *mask, struct search_prepared *prepared);

#endif
