/* SPDX-License-Identifier: MIT */
/* The schedule area that is shown to a guest (abi/sched_area.h), and its window, through which schedule records are
 * exchanged. */
#ifndef HYPERVISOR_SCHEDULE_WINDOW_H
#define HYPERVISOR_SCHEDULE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/sched_record.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "sched/sched_option.h"

struct sched_access;
struct sched_account;
struct sched_account_process;
struct sched_look;
struct sched_shared;
struct schedule;

struct schedule_window {
	struct host_memory memory;
	struct sched_area *area;     /**< the area in `memory`, which the guest also writes; NULL: the run needs none */
	const struct schedule *from; /**< schedule to replay, or NULL */
	uint64_t given;              /**< records of `from` given to the guest so far */
	FILE *to;                    /**< destination of the guest's records, or NULL */
	struct sched_plan *plan;     /**< near: the caller's plan, or NULL */
	uint64_t plan_count;
	bool has_end; /**< the last record written is an end or a stop, which no record may follow */
};

/** Whether the guest needs a schedule area. */
bool schedule_window_is_needed(const struct boot_sched *boot);

/**
 * Reserves the area with `reserve`, lazily backed. Fills it with the counts of `config` and the first records, and
 * announces them in guest memory. Writes the header of a schedule file to `to`. Does nothing if no area is needed.
 * Returns 0 or a negative errno.
 */
int schedule_window_init(struct schedule_window *window, const struct sched_config *config, const struct schedule *from,
                         FILE *to, const struct guest_memory *memory, host_memory_reserve *reserve);

/** Unmaps the area; accepts an all-zero structure. */
void schedule_window_fini(struct schedule_window *window);

/**
 * Serves DOORBELL_SCHEDULE: takes the records that the guest has written, and gives it the next ones. Returns 0, or a
 * negative errno with one line in *error.
 */
int schedule_window_turn(struct schedule_window *window, const struct guest_memory *memory, struct error *error);

/** Copies what an entry `look` of the plan shows, which is untrusted. Returns false if there is nothing to see. */
bool schedule_window_look(struct schedule_window *window, struct sched_look *look);

/** Whether the replayed schedule comes from a run that was stopped from outside. */
bool schedule_window_ends_by_stop(const struct schedule_window *window);

/** Whether the replay is at or beyond the place where that run was stopped; `ticks` is the replay's virtual time. */
bool schedule_window_is_at_stop(const struct schedule_window *window, const struct sched_shared *shared,
                                uint64_t ticks);

/**
 * Returns the last record of a run that is stopped at its current place. In a replay that is at a recorded stop, this
 * is the recorded one.
 */
struct sched_record schedule_window_stop(const struct schedule_window *window, const struct sched_shared *shared,
                                         uint64_t ticks);

/**
 * Called at the end of the run: takes the remaining records, and adds `stop` if it is not NULL, is valid, and follows
 * no end. Returns 0, or a negative errno with one line in *error.
 */
int schedule_window_close(struct schedule_window *window, const struct guest_memory *memory,
                          const struct sched_record *stop, struct error *error);

/** Returns the decisions of a run: points passed plus choices made, as its guest counts them. */
uint64_t schedule_window_decisions(const struct sched_shared *shared);

/** Copies an account, which is untrusted guest data. Returns false if there is none. */
bool schedule_window_account(const struct schedule_window *window, unsigned index, struct sched_account *account);

/** Copies the process of that account; its number is 0 if it is not known. */
void schedule_window_account_process(const struct schedule_window *window, unsigned index,
                                     struct sched_account_process *process);

/** Copies the profile that the guest has made (SCHED_FLAG_ACCESSES): entries with a thread and points, in the order of
 * the table. The caller frees them. Returns their number; 0 without a profile, or if memory is lacking. */
unsigned schedule_window_accesses(const struct schedule_window *window, struct sched_access **accesses);

/** Copies the reads-from pairs that the guest lists (SCHED_FLAG_READS), and the signature of all; untrusted. Returns
 * how many, at most SCHED_PAIRS_LISTED; the caller frees them. */
unsigned schedule_window_pairs(const struct schedule_window *window, uint64_t **pairs, uint64_t *signature);

/** Sets the decisions at the first and the last point of this profile while several threads were alive, unchecked; 0
 * without one. */
void schedule_window_places(const struct schedule_window *window, uint64_t *first, uint64_t *last);

#endif
