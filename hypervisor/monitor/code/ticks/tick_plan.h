/* SPDX-License-Identifier: MIT */
/* Plans the sites of --clock work in a file: places at loop heads and function entries where a jump to a stub that
 * counts time fits (docs/ticks.md). */
#ifndef HYPERVISOR_TICK_PLAN_H
#define HYPERVISOR_TICK_PLAN_H

#include "base/error.h"
#include "code/code_scan.h"

/** Must change when plans or prices change, so that the cache gives no older ones. */
#define TICK_PLAN_VERSION 9U

/** What a plan covers. */
struct tick_counts {
	uint64_t functions;
	uint64_t loops, loops_without;     /**< heads of loops, and those without a site */
	uint64_t jumps, jumps_without;     /**< other jumps that may lead back in a way that is not known */
	uint64_t entries, entries_without; /**< functions that are charged at their entry, and those without a site */
};

/**
 * Adds a patch of code_is_tick to the patches of a file for each site. The other patches stay as they are: no
 * site shares a byte with them. The plan depends on the file and these patches alone. Returns 0, or a negative errno
 * with one line in *error.
 */
int tick_plan_add(const uint8_t *file, uint64_t bytes, struct code_scan *scan, struct tick_counts *counts,
                  struct error *error);

#endif
