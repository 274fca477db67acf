/* SPDX-License-Identifier: MIT */
/* Plans the sites of --clock work in a file: places at loop heads and function entries where a jump to a stub that
 * counts time fits (docs/ticks.md). */
#ifndef HYPERVISOR_TICK_PLAN_H
#define HYPERVISOR_TICK_PLAN_H

#include "base/error.h"
#include "code/code_scan.h"
#include "code/ticks/tick_measure.h"

/** Must change when plans or prices change, so that the cache gives no older ones. */
#define TICK_PLAN_VERSION 17U

/**
 * X(NAME, "reason"): why instructions of a block are not replaced by a place, the nearest to success last. Of a block
 * it is the last one that one of its instructions has.
 */
#define TICK_REASON_LIST(X) \
	X(SHORT, "too few bytes up to the next jump or label") \
	X(MOVE, "jumps, calls and others that cannot be moved") \
	X(UNKNOWN, "single instructions are too short, and a jump that is not understood may lead behind one") \
	X(PAGE, "only bytes of two pages") \
	X(ENTERED, "code or data lead into the middle") \
	X(READ, "instructions are read as data") \
	X(TAKEN, "a system call or another point is there")

enum tick_reason {
#define TICK_REASON_NUMBER(NAME, text) TICK_REASON_##NAME,
	TICK_REASON_LIST(TICK_REASON_NUMBER)
#undef TICK_REASON_NUMBER
		TICK_REASONS
};

/** What a plan covers. */
struct tick_counts {
	uint64_t functions;
	uint64_t loops, loops_without;     /**< heads of loops, and those without a site */
	uint64_t jumps, jumps_without;     /**< other jumps that may lead back in a way that is not known */
	uint64_t entries, entries_without; /**< functions that are charged at their entry, and those without a site */
	uint64_t loop_reasons[TICK_REASONS], entry_reasons[TICK_REASONS]; /**< why those without have none */
	struct tick_distance longest;
	uint64_t unknown_jumps,
		unknown_functions;    /**< computed jumps that are not understood, and functions with them */
	uint64_t pieces, piece_bytes; /**< code in no function, of TICK_PIECE_BYTES or more */
};

/**
 * Adds a patch of code_is_tick to the patches of a file for each site. The other patches stay as they are: no
 * site shares a byte with them. The plan depends on the file and these patches alone. Returns 0, or a negative errno
 * with one line in *error.
 */
int tick_plan_add(const uint8_t *file, uint64_t bytes, struct code_scan *scan, struct tick_counts *counts,
                  struct error *error);

#endif
