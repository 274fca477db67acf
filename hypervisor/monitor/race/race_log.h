/* SPDX-License-Identifier: MIT */
/* The races that the library in the place of libtsan finds in a run (abi/race.h). */
#ifndef HYPERVISOR_RACE_LOG_H
#define HYPERVISOR_RACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/race.h"

/** Most races that are kept. */
#define RACE_LOG_MAX 1024U

/** Most of what a hostile guest can say was lost, so that sums over tries do not wrap. */
#define RACE_LOST_MAX (1UL << 48)

/** Zero-initialised: nothing was told. */
struct race_log {
	bool has_library; /**< the program has it, so it knows orders that instructions do not show */
	struct race_report *races;
	size_t count, room;
	uint64_t lost_accesses, lost_kept,
		lost_races; /**< most that a process has told, and races that were too many here */
};

/** Takes a report, which is untrusted. Returns false if its contents are impossible. If memory is short, the race
 * counts as lost. */
bool race_log_take(struct race_log *log, const struct race_report *report);

#endif
