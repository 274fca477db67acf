/* SPDX-License-Identifier: MIT */
/* What the first tries of a search show of the program, and the parameters that later tries get from it: pct its number
 * of steps, surw an object and how often each thread uses it. */
#ifndef HYPERVISOR_SEARCH_PROFILE_H
#define HYPERVISOR_SEARCH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/sched_profile.h"

/** Tries that make a profile, the first ones of a search: one under fifo, the others under random. */
#define SEARCH_PROFILE_TRIES 2U

/** An object that two threads have used in one try, one of them not only loading. */
struct search_object {
	uint64_t address;
	uint64_t weight; /**< how often it was used, without the thread that used it most; at least 1 */
};

/** Zero-initialised: no try yet. */
struct search_profile {
	unsigned tries;
	bool lacks_objects;          /**< addresses are not the same in later tries, so these get no object */
	uint64_t first, last;        /**< decisions: several threads were alive at most between these; 0: never */
	struct sched_access *access; /**< of all tries: sorted by object and thread, numbers are sums */
	size_t access_count, access_room;
	struct search_object *objects; /**< sorted by address */
	size_t object_count, object_room;
	uint64_t weight; /**< sum of the objects' weights */
	unsigned *seen;  /**< by thread number less one: tries in which it passed a point */
	size_t threads, seen_room;
};

/** Adds a try: the decisions, from the point on where its policy started, between which several threads were alive (0:
 * never), and its accesses; all is unchecked. */
void search_profile_add(struct search_profile *profile, uint64_t first, uint64_t last,
                        const struct sched_access *access, size_t count);

/** Whether a policy gets parameters from a profile: pct without `steps` and `from`, surw or urw without `object`,
 * `counts` and `profile`. */
bool search_profile_serves(const char *policy);

/** Returns the policy with all its parameters for a try, or as it is without a profile (NULL): the turn-th one of this
 * policy, from 0, in a sequence that `seed` begins. urw, which only a search knows, becomes surw. The caller frees it.
 */
char *search_profile_policy(const struct search_profile *profile, const char *policy, uint64_t seed, uint64_t turn);

#endif
