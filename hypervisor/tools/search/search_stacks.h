/* SPDX-License-Identifier: MIT */
/* The stacks at the accesses of races. A try that sees races notes accesses in batches, so that the stacks are gone
 * when a race is known. The try is therefore made again, and stops for a moment before the accesses of its races. */
#ifndef HYPERVISOR_SEARCH_STACKS_H
#define HYPERVISOR_SEARCH_STACKS_H

#include "report/search_races.h"
#include "search/search_try.h"
#include "search/shards/search_prepared.h"

/** Most accesses of a search whose stacks are taken; each takes some 10 ms. */
#define SEARCH_STACKS_MAX 32U

/** Gives the first races, certain ones before others, the stacks of their accesses, and names of objects that need a
 * stack. Makes tries in a slot, with input and mask as search_slot_start takes them, but not those that were prepared;
 * keeps those that it makes. Returns false if a process cannot be started. */
bool search_stacks_take(struct search_races *races, const struct search_option *option, struct search_slot *slot,
                        int input, const sigset_t *mask, struct search_prepared *prepared);

#endif
