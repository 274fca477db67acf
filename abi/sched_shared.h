/* SPDX-License-Identifier: MIT */
/* The page of the scheduler that every run needs. All state that depends on the policy (its data, its random numbers,
 * the distance to the next decision) is here and in the schedule area (abi/sched_area.h): a replay of a recorded
 * schedule must leave the same memory behind. */
#ifndef ABI_SCHED_SHARED_H
#define ABI_SCHED_SHARED_H

#include <stdint.h>

#include "abi/sched_settings.h"

/** The page at LAYOUT_SCHED, in the boot area: state that every run needs. The digest of guest memory leaves it out. */
struct sched_shared {
	int64_t points_left;     /**< decision points until the policy is asked, minus one */
	uint64_t points_armed;   /**< initial value of points_left, plus one */
	uint64_t points_since;   /**< points passed since the last record, up to the last arming */
	uint64_t slice_start;    /**< time of the last record, in ticks */
	uint64_t limit;          /**< time at which the countdown of ticks reaches 0, in ticks (kernel/time/vclock.h) */
	uint64_t policy_ticks;   /**< time at which the policy is to be asked, in ticks; UINT64_MAX: never */
	uint64_t decision;       /**< decision points and choices so far, up to the last arming */
	uint64_t records_at;     /**< record: number written into the window; replay: number read from it */
	uint64_t records_count;  /**< replay: number of records in the window */
	uint64_t records_before; /**< records that have left the window */
	uint64_t random[8];      /**< the policy's small state */
	uint64_t current;        /**< number of the running thread, which the monitor reads; 0: thread 1 */
	uint64_t youngest;       /**< number of the newest thread, which the monitor reads */
	uint64_t next;           /**< record: the thread that runs after the decision written last, or being written */
	uint64_t next_at;        /**< record: number of records once that one is written */
	uint64_t counting;       /**< while points are settled or armed: 1 + points since the last record; else 0 */
	struct boot_sched boot;  /**< the kernel's copy: a program that changes boot_info has no effect */
	struct boot_sched then;  /**< boot_info's, which `boot` becomes at the point `from` */
	struct sched_from from;  /**< the point that was not reached yet; call: its number counts down */
	uint64_t wakes;          /**< threads woken or made since the last record */
	uint64_t asks_woken;     /**< 1: the question at policy_ticks is about threads that were woken; else 0 */
	uint64_t lag_ns; /**< sum of the jumps of time made while a thread was ready; 0 again when all threads wait */
	uint64_t sample_ticks; /**< time at which eremite profile wants to know where the program is, in ticks; 0: never
	                        */
};

_Static_assert(sizeof(struct sched_shared) == 424, "sched_shared, at most 1024");

#endif
