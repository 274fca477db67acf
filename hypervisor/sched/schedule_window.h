/* SPDX-License-Identifier: MIT */
/* The schedule area that a guest is shown (abi/sched.h), and the window in it through which records go in and out. */
#ifndef HYPERVISOR_SCHEDULE_WINDOW_H
#define HYPERVISOR_SCHEDULE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guest/guest_memory.h"
#include "sched/sched_option.h"
#include "sched/schedule.h"

struct schedule_window {
	struct host_memory memory;
	struct sched_area *area;     /**< in that; NULL: the run needs none. The guest writes it, too */
	const struct schedule *from; /**< to replay, or NULL */
	uint64_t given;              /**< records of it that the guest has been given */
	FILE *to;                    /**< where the guest's records go, or NULL */
	bool has_end;                /**< the last record there is an end or a stop, which none follows */
};

/** Whether the guest is shown a schedule area. */
bool schedule_window_is_needed(const struct boot_sched *boot);

/**
 * Reserves the area by `reserve`, lazily backed, with the counts of `config` and the first records, and tells the
 * guest's memory of them. The header of a file goes to `to`. Does nothing when no area is needed. 0 or a negative
 * errno.
 */
int schedule_window_init(struct schedule_window *window, const struct sched_config *config, const struct schedule *from,
                         FILE *to, const struct guest_memory *memory, host_memory_reserve *reserve);

/** Unmaps; takes one that is all zero. */
void schedule_window_fini(struct schedule_window *window);

/**
 * Serves DOORBELL_SCHEDULE: takes the records that the guest has written, and gives it the next ones. 0, or a negative
 * errno with one line in error[].
 */
int schedule_window_turn(struct schedule_window *window, const struct guest_memory *memory, char error[256]);

/** Whether the schedule that is replayed is that of a run that was stopped from outside. */
bool schedule_window_ends_by_stop(const struct schedule_window *window);

/** Whether the replay stands where that run was stopped, or beyond; `ticks` is its virtual time. */
bool schedule_window_is_at_stop(const struct schedule_window *window, const struct sched_shared *shared,
                                uint64_t ticks);

/** The last record of a run that is stopped where it stands: in a replay that is at a stop, that one. */
struct sched_record schedule_window_stop(const struct schedule_window *window, const struct sched_shared *shared,
                                         uint64_t ticks);

/**
 * At the end of the run: takes what is left, and adds `stop` if it is not NULL, makes sense, and follows no end. As
 * schedule_window_turn.
 */
int schedule_window_close(struct schedule_window *window, const struct guest_memory *memory,
                          const struct sched_record *stop, char error[256]);

/** Decisions of a run: points passed and choices made, as its guest counts them. */
uint64_t schedule_window_decisions(const struct sched_shared *shared);

/** Copies an account, which is the guest's and so may say anything. False when there is none. */
bool schedule_window_account(const struct schedule_window *window, unsigned index, struct sched_account *account);

#endif
