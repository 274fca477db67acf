/* SPDX-License-Identifier: MIT */
/* Watches a guest while it runs: a second thread writes its output, and --timeout or a signal can stop it.
 *
 * One run at a time has a watch, because signals belong to the process. */
#ifndef HYPERVISOR_WATCH_H
#define HYPERVISOR_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "run/streams/console.h"

struct watch {
	const struct engine_ops *ops;
	struct engine *engine;
	struct console *console;
	uint64_t deadline_ns;      /**< time of --timeout on CLOCK_MONOTONIC; UINT64_MAX: none */
	uint64_t look_ns;          /**< time of the next look at the guest on CLOCK_MONOTONIC; UINT64_MAX: never */
	struct terminal *terminal; /**< NULL: none. Its state and `interrupt` are set before the drainer starts */
	uint64_t *interrupt;       /**< the guest's word that says whether a key which makes a signal was typed */
	pthread_t drainer;
	pthread_mutex_t lock;
	pthread_cond_t stop;
	bool draining; /**< under lock: the second thread runs and is to continue */
};

/** Values of watch_stopped other than a signal's number. */
#define WATCH_GOES_ON 0
#define WATCH_TIMEOUT (-1)

/** Interval between looks at a guest, in ns: long enough to cost the guest nothing. */
#define WATCH_LOOK_NS 500000000UL

/**
 * Starts the watch for the caller, which runs the guest in this thread. timeout_s 0: no limit. The first SIGINT,
 * SIGTERM, SIGHUP or SIGQUIT stops the run; further ones do nothing until watch_fini, and end eremite afterwards. With
 * `looks` the watch interrupts the guest after a few milliseconds, and then every WATCH_LOOK_NS, for
 * watch_is_time_to_look.
 */
void watch_init(struct watch *watch, const struct engine_ops *ops, struct engine *engine, struct console *console,
                double timeout_s, bool looks);

/** Ends the watch; the caller drains the last output. */
void watch_fini(struct watch *watch);

/** Starts the second thread, which drains output, if it does not run yet. Returns 0 or a negative errno. */
int watch_start_draining(struct watch *watch);

/** Whether it is time to start the second thread: the guest runs longer than most do. */
bool watch_is_time_to_drain(const struct watch *watch);

/** Whether it is time to look at the guest; true once for each look. */
bool watch_is_time_to_look(void);

#define WATCH_NEVER UINT64_MAX

/**
 * Schedules the next look after `ns` nanoseconds, or never with WATCH_NEVER. Later looks follow every WATCH_LOOK_NS.
 */
void watch_look_in(struct watch *watch, uint64_t ns);

/** Nanoseconds on CLOCK_MONOTONIC. Safe in signal handlers. */
uint64_t watch_now_ns(void);

/** Soon interrupts the guest again, because it could not be stopped at the last interrupt. */
void watch_stop_again(void);

/** Returns WATCH_GOES_ON, WATCH_TIMEOUT, or the number of the signal that stopped the run. */
int watch_stopped(void);

#endif
