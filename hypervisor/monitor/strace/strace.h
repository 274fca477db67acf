/* SPDX-License-Identifier: MIT */
/* eremite run --strace: shows the kernel calls that the guest notes (abi/strace.h), in the form of strace(1). */
#ifndef HYPERVISOR_STRACE_H
#define HYPERVISOR_STRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/strace.h"
#include "strace/strace_call.h"
#include "strace/strace_count.h"
#include "strace/strace_filter.h"
#include "strace/strace_out.h"

/** A thread that is in a call. */
struct strace_thread {
	uint32_t number, tid, pid;
	bool is_in_call;
	bool is_cut;     /**< its line was ended by "<unfinished ...>" */
	unsigned shown;  /**< arguments that were shown so far */
	uint64_t now_ns; /**< when the call began */
	struct strace_call call;
};

struct strace_taker;

struct strace {
	struct strace_filter filter;
	bool is_silent;                   /**< no lines are wanted (--trace without --strace) */
	const struct strace_taker *taker; /**< gets the records, too (--trace); or NULL */
	struct strace_out out;
	enum strace_sample_by sample_by;
	uint64_t sample_every; /**< as in struct strace_area */
	const char *file;      /**< its name; NULL: standard error */
	struct strace_area *area;
	uint64_t tail;
	uint64_t console;              /**< the program's output that was shown, bytes of the console ring */
	struct strace_thread *threads; /**< by number */
	size_t thread_count, thread_room;
	uint32_t open_line; /**< number of the thread whose line has no end yet; 0: none */
	struct strace_count count;
	unsigned line_at;        /**< column where the line's call begins */
	struct strace_record at; /**< the last record */
	bool is_told;            /**< the kernel notes its calls */
	bool is_broken;          /**< the guest has damaged the ring, or memory is exhausted: nothing more is shown */
	uint8_t record[STRACE_RECORD_MAX];
};

/**
 * Gets each record after its lines. Of STRACE_LEAVE, thread->call is the whole call, and of other kinds `memory` has
 * the record's copies. Numbers in a record are the guest's, and unchecked.
 */
struct strace_taker {
	void *context;
	void (*take)(void *context, const struct strace_record *record, const struct strace_thread *thread,
	             const struct strace_call *memory);
};

/** Shows the program's output up to a count of bytes of the console ring. Returns 0 or a negative errno. */
typedef int strace_show_output(void *context, uint64_t count);

/** Prepares the area, which is shown to the guest at LAYOUT_STRACE. */
void strace_begin(struct strace *strace, void *area);

/**
 * Shows the calls in the ring. Before a call, `show` is called with the place of the call in the program's output, if
 * the calls go to standard error. Returns 0, or what `show` returned.
 */
int strace_drain(struct strace *strace, strace_show_output *show, void *context);

/** Ends lines that have none, after the run: the program has ended with `status` (wait(2)), or was stopped (-1). Shows
 * the counts, if they are wanted. */
void strace_end(struct strace *strace, int status);

#endif
