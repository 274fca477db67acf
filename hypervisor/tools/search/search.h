/* SPDX-License-Identifier: MIT */
/* A search (docs/search.md): its tries, and their results. */
#ifndef HYPERVISOR_SEARCH_H
#define HYPERVISOR_SEARCH_H

#include "search/search_option.h"

/** Makes the search that the options say, a shard of it, or merges the results of shards, and writes the results.
 * Called once. Returns the exit status; ends eremite with a message if the search cannot go on. */
int search_run(const struct search_option *option);

#endif
