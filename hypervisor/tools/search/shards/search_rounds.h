/* SPDX-License-Identifier: MIT */
/* --rounds and --learnt: the tries of each shard are cut into rounds, and between two of them the shards learn from
 * each other (docs/search.md). The results of a round hold those of the rounds before. */
#ifndef HYPERVISOR_SEARCH_ROUNDS_H
#define HYPERVISOR_SEARCH_ROUNDS_H

#include "library/json_in.h"
#include "search/search_option.h"

/** Reads which round comes next from the results of all shards in the round before, and sets the option's round, its
 * runs and the results with which this shard goes on. Does nothing without --rounds. Ends eremite with a sentence if a
 * file is missing, is of another search, or is damaged. */
void search_rounds_open(struct search_option *option);

/** Gives the option's feedback what all shards have learnt; this one has made `tries`. */
void search_rounds_learn(const struct search_option *option, uint64_t tries);

/** The results of this shard in the round before, for the caller to free by cjson.Delete; NULL: none. Sets *in for
 * messages. */
cJSON *search_rounds_own(const struct search_option *option, struct json_in *in);

#endif
