/* SPDX-License-Identifier: MIT */
/* The tries that make two accesses of a race one right after the other, in each of both orders: those behind the tries
 * that find points and make a profile (docs/search.md). */
#ifndef HYPERVISOR_SEARCH_PAIRS_H
#define HYPERVISOR_SEARCH_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cmdline/shard_option.h"
#include "library/json_in.h"
#include "report/search_races.h"

/** Maximum number of tries of pairs, two for each pair of instructions. The other tries of a search are for failures
 * that these do not find. */
#define SEARCH_PAIRS_MAX 64U

/** A try that makes the two accesses of a race in one order. */
struct search_pair_try {
	uint64_t constraints[SEARCH_BEHIND_MAX + 1]; /**< as in sched_area.counts (abi/sched_reads.h); the last one is
	                                              * of this race, the others are those behind which it is */
	unsigned constraint_count;
	uint32_t race; /**< index */
	uint8_t first; /**< the access of that race that comes first: 0 or 1 */
	bool is_made, failed;
};

/** Zero-initialised: not known yet. */
struct search_pairs {
	bool is_settled;
	uint64_t behind; /**< number, in the whole search, of the last try before the first of these */
	struct search_pair_try all[SEARCH_PAIRS_MAX];
	unsigned count;
};

/** Plans the tries when all races are known, behind the try `behind`; does nothing if they are settled. */
void search_pairs_settle(struct search_pairs *pairs, const struct search_races *races, uint64_t behind);

/** The number of these tries that a shard makes; without shards, of all. */
uint64_t search_pairs_local(const struct search_pairs *pairs, const struct shard_option *shard);

/** Returns the try of a pair that has this number in the whole search; NULL: that try is of no pair. */
const struct search_pair_try *search_pairs_at(const struct search_pairs *pairs, uint64_t number);

/** The constraints of a try that makes an order of a race: those behind which it is, then the order. */
struct search_pair_try search_pairs_try(const struct search_race *race, uint64_t order);

/** Returns the value of --sched that makes this try, for the caller to free. */
char *search_pairs_policy(const struct search_pair_try *pair);

/** Notes that a try with a number of the whole search was made, and whether it has failed. */
void search_pairs_note(struct search_pairs *pairs, uint64_t number, bool failed);

/** Writes the tries of a race as a line; nothing if it has none. `pairs` is a struct search_pairs, for
 * search_races_put(). */
void search_pairs_put(FILE *to, const void *pairs, size_t race);

/** Writes what a try made of the two accesses: "order: two.c:8 reads x, then two.c:8 writes it"; nothing for others. */
void search_pairs_put_order(FILE *to, const struct search_pairs *pairs, const struct search_races *races,
                            uint64_t number);

/** Adds them to an object of JSON as `orders`, if they are settled. */
void search_pairs_json(cJSON *json, const struct search_pairs *pairs);

/** Reads that, which is untrusted. Tries of which one file knows that they have failed have failed. */
void search_pairs_read(struct search_pairs *pairs, const struct json_in *in, const cJSON *json);

#endif
