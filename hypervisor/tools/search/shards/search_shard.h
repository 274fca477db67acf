/* SPDX-License-Identifier: MIT */
/* The numbers of tries in a shard of a search (docs/search.md). All shards make the first tries, from which the others
 * learn; of the tries behind them, each makes every N-th. Within a shard they are numbered without gaps. */
#ifndef HYPERVISOR_SEARCH_SHARD_H
#define HYPERVISOR_SEARCH_SHARD_H

#include "search/search_option.h"

struct search_results;

/** To be called when all other options are settled: chooses the shard, and the tries that are made. Ends eremite if its
 * options do not go together. */
void search_shard_settle(struct search_option *option);

/** How many tries all shards make; at least 1. */
uint64_t search_shard_common(const struct search_option *option);

/** The number that a try of this shard has in the whole search. Without shards, its own. */
uint64_t search_shard_number(const struct search_option *option, uint64_t local);

/** The reverse; 0: this shard does not make the try. */
uint64_t search_shard_local(const struct search_option *option, uint64_t number);

/** How many of the first `runs` tries of a search a shard makes, if all shards make the first `common` of them. Without
 * a number, all. */
uint64_t search_shard_share(const struct shard_option *shard, uint64_t common, uint64_t runs);

/** The same for this shard. */
uint64_t search_shard_runs(const struct search_option *option, uint64_t runs);

/** How many tries this shard has made at the end of its round. */
uint64_t search_shard_runs_of_round(const struct search_option *option);

/** The options of the command that makes any shard, or all tries, but for --shard and --results, as a shell takes them.
 * The caller frees the text. */
char *search_shard_options(const struct search_option *option);

/** Whether a file has more of this search, or of this shard of it, than these results: all of it where the search was
 * stopped, or more tries. */
bool search_shard_is_behind(const struct search_option *option, const struct search_results *results, const char *path);

#endif
