/* SPDX-License-Identifier: MIT */
/* Settings of the scheduler, as a run gets them: the policy, its parameters, and the point from which it schedules. */
#ifndef ABI_SCHED_SETTINGS_H
#define ABI_SCHED_SETTINGS_H

#include <stdint.h>

/** Policies: X(name, "what it does"). The parameters of each are in docs/scheduling.md. */
#define SCHED_POLICY_LIST(X) \
	X(fifo, "a thread runs until it waits") \
	X(rr, "as fifo, but a thread runs for at most a quantum") \
	X(random, "at each decision point any ready thread runs next") \
	X(pct, "random priorities that change at random points (Burckhardt 2010)") \
	X(pos, "random priorities of events, partial-order sampling (Yuan 2018)") \
	X(surw, "selectively uniform random walk (Zhao 2025)") \
	X(replay, "follows a schedule file") \
	X(near, "follows a schedule file as far as it fits")

enum sched_policy_id {
#define SCHED_POLICY_ID(name, text) SCHED_##name,
	SCHED_POLICY_LIST(SCHED_POLICY_ID)
#undef SCHED_POLICY_ID
		SCHED_POLICIES
};

#define SCHED_FLAG_RECORD 1U   /**< write records */
#define SCHED_FLAG_ACCOUNT 2U  /**< keep the accounts of ended threads, for --summary */
#define SCHED_FLAG_ACCESSES 4U /**< keep sched_area.profile, for searches */
#define SCHED_FLAG_NOTE 8U     /**< note the accesses at which the policy is asked, for --shared-out */
#define SCHED_FLAG_READS 16U   /**< keep sched_area.reads, for searches */
#define SCHED_PARAMETERS 6

/** Scheduler settings in boot_info. All zero: policy fifo, no record, no schedule area. */
struct boot_sched {
	uint32_t policy; /**< enum sched_policy_id */
	uint32_t flags;  /**< SCHED_FLAG_*; a flag, or a policy other than fifo and rr, needs the schedule area */
	uint64_t seed;   /**< --sched-seed */
	uint64_t parameters[SCHED_PARAMETERS]; /**< by policy; 0: the default */
	uint64_t counts;                       /**< surw, pos: valid elements of sched_area.counts; near: of .plan */
};

/* The state of sched_from.main. */
#define SCHED_MAIN_WANTED 1U /**< the program is not loaded yet */
#define SCHED_MAIN_SET 2U    /**< there is a trap at main */

/** Where the policy starts (--from). Until then the run is scheduled by fifo. */
enum sched_from_kind {
	SCHED_FROM_START,  /**< at the start of the run */
	SCHED_FROM_MAIN,   /**< right before the program's main() */
	SCHED_FROM_CALL,   /**< right before its `number`-th kernel call */
	SCHED_FROM_MARKER, /**< at its first eremite_marker(`marker`) */
};

#define SCHED_MARKER_BYTES 40

/** The point from which boot_sched schedules. All zero: the start. */
struct sched_from {
	uint32_t kind;                   /**< enum sched_from_kind */
	uint32_t main;                   /**< main of a Linux program: SCHED_MAIN_WANTED, then the guest's */
	uint64_t number;                 /**< call: counted from 1; main of a Linux program: its distance from the entry
	                                  * point, then its address */
	uint64_t slice;                  /**< fifo's until then, in ticks; 0: the default */
	char marker[SCHED_MARKER_BYTES]; /**< ended by a NUL */
};

_Static_assert(sizeof(struct boot_sched) == 72, "boot_sched");
_Static_assert(sizeof(struct sched_from) == 64, "sched_from");

#endif
