/* SPDX-License-Identifier: MIT */
/* On which of the host's processors the guest's processes and the monitor's main thread run.
 *
 * One of them works at a time, and waking another on the processor that one is leaving takes 2 us; on another
 * processor, which is idle, some 20 us. So they keep together on one processor while the turn changes often, and are
 * apart, wherever the host puts them, while it does not: the host may then move a guest that computes. */
#ifndef ENGINE_PROCESS_PLACEMENT_H
#define ENGINE_PROCESS_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

/** Zero-initialised: everything is left to the host. */
struct placement {
	cpu_set_t all;    /**< where this process may run */
	bool several;     /**< those are more than one */
	bool together;    /**< one of them is chosen */
	unsigned looks;   /**< since it was chosen */
	uint64_t given;   /**< turns that the monitor gave */
	uint64_t turns;   /**< those and the guest's own, up to the last look */
	uint64_t next_ns; /**< when to look again, by CLOCK_MONOTONIC */
};

/** Before the guest's first process is made: it and the main thread keep together from now on. */
void placement_begin(struct placement *placement, struct plan *plan);

/**
 * The main thread is about to give the turn to the guest, or has waited placement_wait_ns for it to come back. `turns`,
 * how often it changed between the guest's processes, comes from the guest and is not trusted. Returns whether to send
 * SIGUSR1 to the guest's processes.
 */
bool placement_look(struct placement *placement, struct plan *plan, uint64_t turns, bool waited);

/** Decides at `now_ns`. Returns true to keep all on one processor from now on. */
bool placement_decide(struct placement *placement, uint64_t turns, uint64_t now_ns);

/** How long to wait for the guest at most, in ns; 0: for ever. */
uint64_t placement_wait_ns(const struct placement *placement);

/** The main thread is where it was before. */
void placement_end(struct placement *placement);

#endif
