/* SPDX-License-Identifier: MIT */
/* A guest that makes tries for a search, in a child. */
#ifndef HYPERVISOR_SEARCH_GUEST_H
#define HYPERVISOR_SEARCH_GUEST_H

#include "abi/tries.h"
#include "search/search_try.h"

/** Sets the schedule of a try in *config: what --sched and --sched-seed set, and for near the plan, boot.counts entries
 * at `plan`. The counts are of malloc(3). */
typedef void search_guest_schedule(const void *context, uint64_t number, struct sched_config *config);

/** Zero-initialised, but for its slot, which is open. */
struct search_guest {
	struct search_slot slot;
	int to, from;               /**< its channel; valid while slot.child is not 0 */
	bool is_late;               /**< it was told to end, because a batch takes long */
	double late_after;          /**< seconds after now_ns at which it was told */
	bool is_watched;            /**< its batch has taken long enough for its processor time to be looked at */
	double used_before;         /**< this time, in seconds, when it was looked at first */
	bool is_ready;              /**< it has reached the point at which tries start */
	uint64_t first;             /**< the first try of the batch that it makes */
	uint64_t count;             /**< 0: it makes none */
	uint64_t now_ns;            /**< when it got them, or was started */
	uint64_t size;              /**< tries of the next batch */
	struct try_result *results; /**< TRIES_BATCH */
	uint64_t result_count;      /**< of those of its batch that it has made */
	uint64_t *pairs;            /**< of these results, one after the other: TRIES_PAIRS */
	uint32_t *plans;            /**< entries of the plans of its batch, by try: TRIES_BATCH */
	uint8_t *uses;              /**< what became of them, for its results, one after the other: TRIES_PLANS */
	uint64_t said_count;        /**< results in the message that it is sending */
	size_t said;                /**< bytes of this message that were read */
	uint8_t *unsent;            /**< its batch, as long as it has not taken all; NULL: none */
	size_t unsent_bytes, sent;  /**< of all, and of what it has taken */
};

/** Starts it, with the arguments of search_slot_start_guest. Returns 0 or a negative errno. */
int search_guest_start(struct search_guest *guest, const struct search_option *option, int input, const sigset_t *mask);

/** Gives it a batch of at most TRIES_BATCH tries, or as many of them as their counts and plans allow: guest->count,
 * which is at least one if no plan has more than TRIES_PLANS entries. Never waits: if guest->unsent is left,
 * search_guest_send goes on. Returns 0 or -ENOMEM. */
int search_guest_give(struct search_guest *guest, search_guest_schedule *schedule, const void *context, uint64_t first,
                      uint64_t count);

/** Gives it more of its batch, once its channel can be written. If it has ended, nothing is left to give. */
void search_guest_send(struct search_guest *guest);

/** Reads what it says once its channel can be read: results, or that it is ready. Never waits. Returns 0; 1 when it has
 * ended, and there is no child any more; -EAGAIN if a message is not complete yet; or -EPROTO if what it says is
 * impossible. */
int search_guest_take(struct search_guest *guest);

/** Ends it, if there is one. */
void search_guest_end(struct search_guest *guest);

/** Ends all of an array, at once. */
void search_guest_end_all(struct search_guest *guests, unsigned count);

/** A hash of what a try in a guest has written, for failures that end alike; 0 where that tells nothing apart. */
uint64_t search_guest_messages(const struct try_result *result);

/** Nanoseconds of a clock that only counts on. */
uint64_t search_guest_now_ns(void);

/** How a try in a guest has ended, as a process of the same try would leave it. */
struct try_outcome search_guest_outcome(const struct try_result *result);

#endif
