/* SPDX-License-Identifier: MIT */
/* What happens beside the guest while it runs: its output is written, and it can be stopped from outside.
 *
 * One run at a time has a watch, because signals belong to the process. */
#ifndef HYPERVISOR_WATCH_H
#define HYPERVISOR_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/console.h"

struct watch {
	const struct engine_ops *ops;
	struct engine *engine;
	struct console *console;
	uint64_t deadline_ns; /**< on CLOCK_MONOTONIC; UINT64_MAX: none */
	uint64_t look_ns;     /**< when the guest is to be looked at next, likewise */
	pthread_t drainer;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool draining; /**< under lock: the second thread runs, and is to go on */
};

/** Values of watch_stopped other than a signal's number. */
#define WATCH_GOES_ON 0
#define WATCH_TIMEOUT (-1)

/** How often a guest is looked at: seldom enough to cost it nothing. */
#define WATCH_LOOK_NS 500000000UL

/**
 * Begins to watch for the caller, who runs the guest in this thread. timeout_s 0: no limit. SIGINT, SIGTERM, SIGHUP and
 * SIGQUIT stop the run once; until watch_fini they do nothing when they come again, and then they end eremite. With
 * `looks` the guest is interrupted after a few milliseconds, and then every WATCH_LOOK_NS, for watch_is_time_to_look.
 */
void watch_init(struct watch *watch, const struct engine_ops *ops, struct engine *engine, struct console *console,
                double timeout_s, bool looks);

/** Ends the watch; the last output is for the caller to drain. */
void watch_fini(struct watch *watch);

/** Starts draining in a second thread, if it does not run yet. 0 or a negative errno. */
int watch_start_draining(struct watch *watch);

/** Whether it is time to start draining: the guest runs for longer than most do. */
bool watch_is_time_to_drain(const struct watch *watch);

/** Whether it is time to look at the guest; said once for each time. */
bool watch_is_time_to_look(void);

#define WATCH_NEVER UINT64_MAX

/** Has the next look come after so many nanoseconds, or WATCH_NEVER; the one after that WATCH_LOOK_NS later. */
void watch_look_in(struct watch *watch, uint64_t ns);

/** Nanoseconds on CLOCK_MONOTONIC. Safe in signal handlers. */
uint64_t watch_now_ns(void);

/** Interrupts a guest that is to be stopped once more, soon. */
void watch_stop_again(void);

/** WATCH_GOES_ON, WATCH_TIMEOUT, or the signal by which the user has stopped the run. */
int watch_stopped(void);

#endif
