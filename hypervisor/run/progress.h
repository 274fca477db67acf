/* SPDX-License-Identifier: MIT */
/* Detects a guest that passes no point at which another of its threads could run. The monitor compares the guest's
 * counts from time to time. */
#ifndef HYPERVISOR_PROGRESS_H
#define HYPERVISOR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched.h"

/** Time without progress after which a stall is reported, in seconds. */
#define PROGRESS_STALL_S 10

/** Counts of a guest at one look; unchecked guest data. */
struct progress_sight {
	uint64_t decisions; /**< decision points and choices */
	uint64_t asked_at;  /**< virtual time at which the policy wants to be asked, in ticks; UINT64_MAX: at decision
	                       points only */
	uint64_t doorbells;
	uint64_t ticks; /**< virtual time */
};

enum progress_verdict {
	PROGRESS_GOES_ON,
	PROGRESS_NO_POINT, /**< ticks pass, but the policy is not asked, and no decision point was passed */
	PROGRESS_NONE,     /**< neither ticks nor decision points pass */
};

/** All zero before the first look. */
struct progress {
	struct progress_sight last;
	uint64_t point_ns; /**< time of the first look, or when a count other than ticks last changed */
	uint64_t tick_ns;  /**< time of the first look, or when any count last changed */
	bool looked;
};

/** Virtual time in ticks, from the limit and the countdown (abi/ticks.h). */
uint64_t progress_ticks(uint64_t limit, int64_t left);

/**
 * Compares the counts at time now_ns of a monotonic clock. The verdict holds for the last PROGRESS_STALL_S seconds.
 */
enum progress_verdict progress_look(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns);

#endif
