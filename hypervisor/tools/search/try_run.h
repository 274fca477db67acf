/* SPDX-License-Identifier: MIT */
/* A run whose outcome another process, which has started this one, wants. */
#ifndef HYPERVISOR_TRY_RUN_H
#define HYPERVISOR_TRY_RUN_H

#include "pack/trace.h"
#include "run/run.h"

/** How a run ended. */
struct try_outcome {
	uint32_t is_complete; /**< TRY_COMPLETE, otherwise it was not written */
	uint32_t end;         /**< enum run_end */
	int32_t status;
	uint32_t not_started; /**< the program was not started: struct run_result */
	uint64_t chain[2];    /**< hash of all events */
	uint64_t events, decisions, virtual_ns;
	struct console_sum output[2]; /**< standard output and standard error, with fds.streams */
	/* With `profiles`: */
	uint64_t accesses;                    /**< their number */
	uint64_t list_bytes;                  /**< with `notes`: of the list (code_shared.h) behind the accesses */
	uint64_t several_first, several_last; /**< decisions from the point of --from on between which several
	                                       * threads were alive; 0: never */
	/* With wants_pairs: */
	uint64_t pairs;     /**< listed reads-from pairs, which follow the accesses and the list */
	uint64_t signature; /**< of all pairs */
	/* With `races`: */
	uint64_t races_bytes; /**< of the text of report_races.h, which follows the pairs */
	/* With --preempt=at: or shared: */
	uint64_t listed_files, unused_files; /**< as in struct run_result */
	uint64_t guest_ns;                   /**< wall time in which the guest ran: for `eremite info --cost` alone */
};

#define TRY_COMPLETE 0x65646e65U

/** Whether two runs did the same; output is not compared. Only deadlocks have no status. */
bool try_outcome_is_same(const struct try_outcome *a, const struct try_outcome *b);

struct try_run {
	bool profiles;        /**< behind the outcome follow its accesses, each a struct sched_access */
	struct trace_fds fds; /**< text: takes the outcome; streams: what the program writes */
	bool notes;           /**< with `profiles`: list the instructions that touched memory of two threads */
	uint64_t notes_max;   /**< with `notes`: run_config.notes_max */
	bool lists_failure;   /**< with `notes`: of a run that fails: shared_notes_keep_failure */
	bool races;           /**< with `notes`: find races between these instructions */
	const struct note_look *note_looks; /**< with `notes`, in place of the list: run_config.note_looks */
	size_t note_look_count;
	const struct tries_channel *tries; /**< the guest makes tries; NULL: one run */
	struct sched_plan *plan;           /**< for policy near; their uses follow the outcome; NULL: none */
	size_t plan_count;
	int record_to; /**< takes the schedule; -1: not wanted */
	int looks;     /**< takes what looked() writes */
	/** observer.decision, with `looks` as context; or NULL */
	void (*looked)(void *context, const struct sched_look *look, const struct fault_report *place,
	               const struct guest_memory *memory, const struct image *image);
	bool wants_pairs;   /**< reads-from pairs */
	const char *report; /**< a path in /out, whose file is copied to report_to; or NULL */
	int report_to;
	uint64_t streams_bytes; /**< most bytes that fds.streams keep, of each */
};

/** Makes the run of a command line of `eremite run`. Returns the exit status. */
int try_run_make(int argc, char **argv, const struct try_run *try);

#endif
