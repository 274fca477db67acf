/* SPDX-License-Identifier: MIT */
/* The schedule area, which only runs with a policy, a record or a summary need. The monitor makes it, and reads each
 * part of it by the part's own header. */
#ifndef ABI_SCHED_AREA_H
#define ABI_SCHED_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "abi/sched_account.h"
#include "abi/sched_note.h"
#include "abi/sched_plan.h"
#include "abi/sched_profile.h"
#include "abi/sched_reads.h"
#include "abi/sched_record.h"
#include "abi/thread.h"

/** State of a policy for one thread, by slot. */
struct sched_slot {
	uint64_t word[4];
};

/** The schedule area, at LAYOUT_SCHEDULE; mapped when boot_sched says so. */
struct sched_area {
	struct sched_slot slots[THREADS_MAX];
	uint64_t policy[4096]; /**< large state of a policy */
	uint64_t counts[4096]; /**< surw: expected events of each thread, by thread number less one; pos: constraints,
	                        * each a pair (abi/sched_reads.h) */
	struct sched_account accounts[SCHED_ACCOUNTS];
	struct sched_record records[SCHED_WINDOW];
	struct sched_plan plan[SCHED_PLAN_MAX];
	struct sched_look look;
	uint64_t notes_at; /**< number of notes */
	struct sched_note notes[SCHED_NOTES];
	struct sched_profile profile;
	uint64_t each; /**< 1: each point asks, whether the policy is due or not */
	uint64_t due;  /**< then: the decision at which the policy wants to be asked */
	struct sched_reads reads;
	struct sched_pending pending[THREADS_MAX]; /**< with reads: of each thread, by slot */
	struct sched_account_process account_processes[SCHED_ACCOUNTS];
};

_Static_assert(sizeof(struct sched_slot) == 32, "sched_slot");
_Static_assert(offsetof(struct sched_area, accounts) == 0x110000, "sched_area");
_Static_assert(offsetof(struct sched_area, records) == 0x180000, "sched_area");
_Static_assert(offsetof(struct sched_area, plan) == 0x780000, "sched_area");
_Static_assert(sizeof(struct sched_area) <= LAYOUT_SCHEDULE_SIZE, "sched_area");

#endif
