/* SPDX-License-Identifier: MIT */
/* Whether a guest that runs does anything at which another of its threads could go on, as far as that is seen from
 * outside: from time to time the counts are compared. */
#ifndef HYPERVISOR_PROGRESS_H
#define HYPERVISOR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched.h"

/** Of how long without progress is told. */
#define PROGRESS_STALL_S 10

/** What is seen of a guest at one look; unchecked, as the guest has it. */
struct progress_sight {
	uint64_t decisions; /**< decision points and choices */
	uint64_t asked_at;  /**< when the policy wants to be asked, in ticks; UINT64_MAX: at decision points alone */
	uint64_t doorbells;
	uint64_t ticks; /**< virtual time */
};

enum progress_verdict {
	PROGRESS_GOES_ON,
	PROGRESS_NO_POINT, /**< ticks pass, but the policy is asked at none, and there was no decision point */
	PROGRESS_NONE,     /**< neither */
};

/** All zero before the first look. */
struct progress {
	struct progress_sight last;
	uint64_t point_ns; /**< when something but ticks was seen to change, or the first look */
	uint64_t tick_ns;  /**< when anything was */
	bool looked;
};

/** Virtual time, in ticks, by the limit and the countdown (abi/ticks.h). */
uint64_t progress_ticks(uint64_t limit, int64_t left);

/**
 * Looks, at the moment now_ns of a clock that never goes back. A verdict is true of the last PROGRESS_STALL_S seconds.
 */
enum progress_verdict progress_look(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns);

#endif
