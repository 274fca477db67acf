/* SPDX-License-Identifier: MIT */
/* The state of a run, shared by the files that implement it: run.c, run_serve.c and run_end.c. */
#ifndef HYPERVISOR_RUN_STATE_H
#define HYPERVISOR_RUN_STATE_H

#include "abi/doorbell.h"
#include "base/error.h"
#include "code/service/code_service.h"
#include "engine/engine.h"
#include "guest/contents_beside.h"
#include "guest/guest_contents.h"
#include "guest/image.h"
#include "hostfs/out.h"
#include "run/memory_ahead.h"
#include "run/progress.h"
#include "run/run.h"
#include "run/run_marks.h"
#include "run/spin.h"
#include "run/streams/console.h"
#include "run/streams/terminal.h"
#include "run/thread_reports.h"
#include "run/watch.h"
#include "sched/schedule_window.h"

struct run {
	const struct run_config *config;
	const struct engine_ops *ops;
	struct run_result *result;
	struct guest_memory memory;
	struct guest_contents contents;
	uint64_t shown;  /* bytes of it, from 0 on, that the guest may use */
	uint64_t mapped; /* bytes that the engine maps: equal to `shown`, or more with jitter */
	struct memory_ahead ahead;
	struct contents_beside beside;
	struct image image;
	struct engine *engine;
	struct console console;
	struct out out;
	bool out_open;
	bool ready; /* set up, so the guest may run */
	bool ended;
	bool report_given; /* the guest has filled result->report */
	struct watch watch;
	struct terminal terminal; /* with --tty */
	struct net *net;          /* NULL: no network outside */
	struct run_marks marks;   /* with --record */
	struct schedule_window schedule;
	struct host_memory strace; /* the area of noted calls; without a base: none are noted */
	struct host_memory debug;  /* the area of the debugger; its base is NULL in a run without one */
	struct host_memory tries;  /* the area of tries; without a base: the run makes none */
	uint64_t tries_given;      /* the number of the last batch, at most TRIES_BATCH */
	struct code_known known;   /* of code: what an image has sealed, and the files in the list of --preempt */
	struct thread_reports threads;
	struct progress progress;
	struct spin spin;
	bool stall_told;
	bool extension_told;
	unsigned extension_looks;
	struct engine_exit exit; /* the last one */
	unsigned stop_tries;     /* attempts to stop the guest */
	uint64_t stop_since_ns;  /* time of the first attempt */
	bool stopped_between;    /* cut short where the kernel's state is consistent */
	bool stops_here;         /* the guest stops here: its kernel cannot continue without an answer */
	uint64_t doorbells;      /* served, but for those that count under `none` */
	uint64_t ticks;          /* virtual time at the end */
	uint64_t noted;          /* with notes_max: accesses, as it counts them */
	uint64_t notes_before;   /* with note_looks: notes that were taken */
	uint64_t notes_from;     /* and where the guest has put the next one */
	size_t note_look;        /* the next one */
};

/** Fails the run with a message. Only the first message is kept. */
void run_fail(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Copies a struct fault_report from guest memory; it may describe the end of the run. */
void run_take_report(struct run *run, gpa_t address);

/** Copies a struct thread_report, of one thread that cannot continue, from guest memory. */
void run_take_thread(struct run *run, gpa_t address);

/** Ends a replay that has reached the place where the recorded run was stopped. Returns whether it has. */
bool run_take_recorded_stop(struct run *run);

/** Ends the replay of a recording, which the program has left (RUN_DIFFER) or which goes no further (RUN_REPLAYED). */
void run_stop_replay(struct run *run, enum run_end end, const char *message);

/** Records the end that the guest reports: an enum end_reason, and a status or signal. */
void run_take_end(struct run *run, uint64_t reason, uint64_t status);

/** Whether the program ended by itself. */
bool run_is_own_end(const struct run_result *result);

/** Fails a run whose policy has never started. */
void run_check_from(struct run *run);

/** Whether the run is to stop because of --timeout or a signal. */
bool run_is_stopped(void);

/** Bytes of RAM that the engine maps when the guest may use `shown` bytes: equal to `shown`, or more with jitter. */
uint64_t run_map_beyond(const struct run *run, uint64_t shown);

/**
 * Shows RAM up to `end` to the guest, which is about to use it. Returns the bytes that are shown then, or a negative
 * errno.
 */
int64_t run_show_memory(struct run *run, uint64_t end);

/** Shows memory to the guest, which can write it; messages call it `what`. Returns 0, or a negative errno with a line
 * in *error. */
int run_map(const struct run *run, uint64_t address, const struct host_memory *memory, uint64_t bytes, const char *what,
            struct error *error);

/** Memory that the guest's kernel shares with the monitor in some runs. */
struct run_area {
	uint64_t address, bytes;
	const char *whose, *what; /**< in messages: address space for WHOSE cannot be reserved, WHAT cannot be mapped */
	const char *advice;       /**< behind the first message; NULL: none */
};

/** Reserves an area and shows it to the guest. Returns 0, or a negative errno with a line in *error. */
int run_area_make(const struct run *run, const struct run_area *area, struct host_memory *memory, struct error *error);

/** Writes out the contents of the console ring. */
void run_drain(struct run *run);

/** Asks for the first note that is to be looked at, if any is. Returns 0. */
int run_notes_begin(struct run *run);

/** Takes the last accesses that the guest has noted, at the end of the run, and tells who looks at threads that it is
 * there. */
void run_notes_finish(struct run *run);

/** Makes the network outside, if the run has one, and shows it to the guest. Returns 0, or a negative errno with a line
 * in *error. */
int run_net_prepare(struct run *run, struct error *error);

/** Makes the area in which the guest notes its kernel calls, with --strace, and shows it to the guest. Returns 0, or a
 * negative errno with a line in *error. */
int run_strace_prepare(struct run *run, struct error *error);

/** Shows the last calls of a run that has ended. */
void run_strace_finish(struct run *run);

/** Makes the area by which the guest's kernel serves a debugger, if there is one, and shows it to the guest. Returns 0,
 * or a negative errno with a line in *error. */
int run_debug_prepare(struct run *run, struct error *error);

/** Stops the program if the debugger wants it. Returns whether the debugger uses the trap flag. */
bool run_debug_look(struct run *run);

/** Tells the debugger how the program has ended. */
void run_debug_finish(struct run *run);

/** Starts the network's own thread, if the run has a network outside. */
void run_net_start(struct run *run);

/** Called before the guest waits for input or output: files may change until it continues, so answers ahead stop. */
void run_stop_ahead(const struct run *run);

/** Starts a second thread that drains the console ring from now on. */
void run_drain_beside(struct run *run);

/** Serves operation `op`, for which the guest has rung the doorbell, counts it, and writes the answer. */
void run_serve_doorbell(struct run *run, uint32_t op);

/** What a guest may do that is entered once more after its end. */
struct run_after {
	int64_t (*services[DOORBELL_OPS])(struct run *run,
	                                  const uint64_t *args); /**< as run_serve_exit(); NULL: refused */

	/** The guest has broken, or has rung for another operation: run->exit says which. */
	void (*refuse)(struct run *run);

	/** Whether to go on, `ns` after the guest was entered. */
	bool (*goes_on)(struct run *run, uint64_t ns);
};

/** Runs such a guest and serves it until it has ended again, or need not go on. */
void run_serve_after(struct run *run, const struct run_after *after);

/** Serves a request for the host's files without recording it: reads after the end are no input of the run. */
int64_t run_serve_file_after(struct run *run, const uint64_t *args);

/*
 * run_serve_exit() etc.: serve one operation of abi/doorbell.h. `args` is a copy of doorbell.args; the values are
 * untrusted. They return the answer. A request that no kernel makes ends the run by run_fail().
 */
#define RUN_SERVE(number, NAME, name, ...) int64_t run_serve_##name(struct run *run, const uint64_t *args);
DOORBELL_RUN_LIST(RUN_SERVE)
#undef RUN_SERVE

#endif
