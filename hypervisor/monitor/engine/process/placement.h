/* SPDX-License-Identifier: MIT */
/* Chooses the host processors for the guest's processes and the monitor's main thread.
 *
 * Only one of them works at a time. Waking the next one on the same processor takes 2 us; on another, idle processor it
 * takes some 20 us. So they share one processor while the turn changes often. Otherwise the host places them, and may
 * move a guest that computes. */
#ifndef ENGINE_PROCESS_PLACEMENT_H
#define ENGINE_PROCESS_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

/** Zero-initialised: everything is left to the host. */
struct placement {
	cpu_set_t all;    /**< processors on which this process may run */
	bool several;     /**< `all` has more than one processor */
	bool together;    /**< one processor is chosen for all */
	unsigned looks;   /**< looks since it was chosen */
	uint64_t given;   /**< turns that the monitor gave */
	uint64_t turns;   /**< those and the turns between the guest's processes, up to the last look */
	uint64_t next_ns; /**< time of the next look, by CLOCK_MONOTONIC */
};

/** Puts the guest's processes and the main thread on one processor. Called before the guest's first process is made. */
void placement_begin(struct placement *placement, struct plan *plan);

/**
 * Called when the main thread is about to give the turn to the guest, or has waited placement_wait_ns for its return
 * (`waited`). `turns` counts turns between the guest's processes; it comes from the guest and is untrusted. Returns
 * whether to send SIGUSR1 to the guest's processes.
 */
bool placement_look(struct placement *placement, struct plan *plan, uint64_t turns, bool waited);

/** Decides at `now_ns`. Returns true to keep all on one processor from now on. */
bool placement_decide(struct placement *placement, uint64_t turns, uint64_t now_ns);

/** Returns how long to wait for the guest, in ns; 0: without limit. */
uint64_t placement_wait_ns(const struct placement *placement);

/** Restores the main thread's processors. Moves it away from the one that it shares with the guest's processes, which
 * are about to end: Linux frees their memory there. */
void placement_end(struct placement *placement);

#endif
