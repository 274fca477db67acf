/* SPDX-License-Identifier: MIT */
/* The state of a run, for the files that it is made of: run.c, run_serve.c and run_end.c. */
#ifndef HYPERVISOR_RUN_STATE_H
#define HYPERVISOR_RUN_STATE_H

#include "engine/engine.h"
#include "guest/image.h"
#include "hostfs/out.h"
#include "run/console.h"
#include "run/memory_ahead.h"
#include "run/progress.h"
#include "run/run.h"
#include "run/spin.h"
#include "run/thread_reports.h"
#include "run/watch.h"
#include "sched/schedule_window.h"

struct run {
	const struct run_config *config;
	const struct engine_ops *ops;
	struct run_result *result;
	struct guest_memory memory;
	uint64_t shown;  /* bytes of it, from 0 on, that the guest knows to be shown */
	uint64_t mapped; /* bytes that the engine shows: as many, or with jitter more */
	struct memory_ahead ahead;
	struct image image;
	struct engine *engine;
	struct console console;
	struct out out;
	bool out_open;
	bool ready; /* set up, so the guest may run */
	bool ended;
	bool report_given; /* result->report is the guest's */
	struct watch watch;
	struct schedule_window schedule;
	struct thread_reports threads;
	struct progress progress;
	struct spin spin;
	bool stall_told;
	struct engine_exit exit; /* the last one */
	unsigned stop_tries;     /* how often it was to be stopped, and was not */
	uint64_t stop_since_ns;  /* when that was first tried */
	bool stops_here;         /* it is to be stopped and cannot go on to a better place */
	uint64_t doorbells;
	uint64_t ticks; /* virtual time at the end */
};

/** The run cannot go on; the first reason stays. */
void run_fail(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Takes a struct fault_report, which the end may be about. */
void run_take_report(struct run *run, gpa_t address);

/** Takes one more of the threads that do not go on, a struct thread_report. */
void run_take_thread(struct run *run, gpa_t address);

/** Ends a replay that has come to where the recorded run was stopped. Whether it has. */
bool run_take_recorded_stop(struct run *run);

/** Takes the guest's word for how it has ended: enum end_reason, and status or signal. */
void run_take_end(struct run *run, uint64_t reason, uint64_t status);

/** Whether the run is to end because somebody outside wants that. */
bool run_is_stopped(void);

/** How much RAM the engine is to show when the guest is told of `shown` bytes: as much, or with jitter more. */
uint64_t run_map_beyond(const struct run *run, uint64_t shown);

/** Shows RAM up to `end` to the guest, which is about to use it: how much it has then, or a negative errno. */
int64_t run_show_memory(struct run *run, uint64_t end);

/** Writes out what is in the console's ring. */
void run_drain(struct run *run);

/** Lets a second thread drain from now on. */
void run_drain_beside(struct run *run);

/** Serves the guest, which has rung the doorbell for an operation, and writes the answer. */
void run_serve_doorbell(struct run *run, uint32_t op);

#endif
