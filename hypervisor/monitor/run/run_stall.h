/* SPDX-License-Identifier: MIT */
/* Reports once that a guest makes no progress, and what could end a wait in its loop. */
#ifndef HYPERVISOR_RUN_STALL_H
#define HYPERVISOR_RUN_STALL_H

#include "run/run_state.h"

/** Fills the counts of a look. */
void run_stall_sight(const struct run *run, const struct sched_shared *shared, uint64_t ticks,
                     struct progress_sight *sight);

/** Compares a look with those before, and calls observer.stalled at the first stall. */
void run_stall_look(struct run *run, const struct progress_sight *sight, const struct sched_shared *shared);

#endif
