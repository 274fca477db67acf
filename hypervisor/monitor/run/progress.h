/* SPDX-License-Identifier: MIT */
/* Detects a guest that passes no point at which another of its threads could run, or does nothing but wait. The monitor
 * compares the guest's counts from time to time. */
#ifndef HYPERVISOR_PROGRESS_H
#define HYPERVISOR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** Time without progress after which a stall is reported, in seconds. */
#define PROGRESS_STALL_S 10

/** Counts of a guest at one look; unchecked guest data. */
struct progress_sight {
	uint64_t decisions; /**< decision points and choices */
	uint64_t asked_at;  /**< virtual time at which the policy wants to be asked, in ticks; UINT64_MAX: at decision
	                       points only */
	uint64_t doorbells;
	uint64_t ticks; /**< virtual time */
	/** Of a Linux program, otherwise 0: system calls without the next two, sched_yield with those of `pause` and of
	 * the time stamp, rt_sigreturn. */
	uint64_t calls, yields, returns;
	uint64_t thread; /**< number of the running thread */
};

enum progress_verdict {
	PROGRESS_GOES_ON,
	PROGRESS_NO_POINT, /**< ticks pass, but the policy is not asked, and no decision point was passed */
	PROGRESS_NONE,     /**< neither ticks nor decision points pass */
	PROGRESS_WAITS,    /**< iterations of loops that wait pass, and no system call is made */
	PROGRESS_HANDLES,  /**< no system call is made but those with which signal handlers return */
};

/** All zero before the first look. */
struct progress {
	struct progress_sight last;
	uint64_t point_ns;            /**< time of the first look, or when a count other than ticks last changed */
	uint64_t tick_ns;             /**< time of the first look, or when any count last changed */
	uint64_t look_ns;             /**< time of the last look */
	struct progress_sight called; /**< the first look, or when `calls` or `doorbells` last changed */
	uint64_t called_ns;           /**< time of that look */
	uint64_t passed_ticks;        /**< virtual time since then, without jumps to the end of a sleep */
	bool several;                 /**< looks since then saw more than one thread */
	bool looked;
};

/** Virtual time in ticks, from the limit and the countdown (abi/ticks.h). */
uint64_t progress_ticks(uint64_t limit, int64_t left);

/**
 * Compares the counts at time now_ns of a monotonic clock. The verdict holds for the last PROGRESS_STALL_S seconds.
 */
enum progress_verdict progress_look(struct progress *progress, const struct progress_sight *sight, uint64_t now_ns);

#endif
