/* SPDX-License-Identifier: MIT */
/* A guest that makes tries for a search, in a child. */
#ifndef HYPERVISOR_SEARCH_GUEST_H
#define HYPERVISOR_SEARCH_GUEST_H

#include "abi/tries.h"
#include "cli/search/search_try.h"

/** Zero-initialised, but for its slot, which is open. */
struct search_guest {
	struct search_slot slot;
	int to, from;               /**< its channel; valid while slot.child is not 0 */
	bool is_ready;              /**< it has reached the point at which tries start */
	uint64_t first;             /**< the first try of the batch that it makes */
	uint64_t count;             /**< 0: it makes none */
	uint64_t now_ns;            /**< when it got them, or was started */
	uint64_t size;              /**< tries of the next batch */
	struct try_result *results; /**< TRIES_BATCH */
	uint64_t result_count;      /**< of those of its batch that it has made */
};

/** Starts it. Returns 0 or a negative errno. */
int search_guest_start(struct search_guest *guest, const struct search_option *option, const sigset_t *mask);

/** Gives it a batch of at most TRIES_BATCH tries, or as many of them as their counts allow, at least one: guest->count.
 * Returns 0 or a negative errno; it may have ended. */
int search_guest_give(struct search_guest *guest, const struct search_option *option, uint64_t first, uint64_t count);

/** Reads what it says once its channel can be read: results, or that it is ready. Returns 0; 1 when it has ended, and
 * there is no child any more; or -EPROTO if what it says is impossible. */
int search_guest_take(struct search_guest *guest);

/** Ends it, if there is one. */
void search_guest_end(struct search_guest *guest);

/** Nanoseconds of a clock that only counts on. */
uint64_t search_guest_now_ns(void);

#endif
