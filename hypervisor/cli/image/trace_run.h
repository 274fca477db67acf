/* SPDX-License-Identifier: MIT */
/* A run of `eremite run` that leaves a trace (pack/trace.h) to the process that has started it. */
#ifndef HYPERVISOR_TRACE_RUN_H
#define HYPERVISOR_TRACE_RUN_H

#include "cli/options.h"
#include "pack/trace.h"

/** What a run is made for. */
enum trace_purpose {
	TRACE_RESULT,        /**< its trace */
	TRACE_EVENTS,        /**< its events: it says where they first differ from those of its image */
	TRACE_EVENTS_STEADY, /**< its events; two runs on this host did the same (struct verify_sealed) */
	TRACE_OUTCOME,       /**< how it ends: a struct trace_outcome in fds.text, and its output in fds.streams */
	TRACE_PROFILE,       /**< as TRACE_OUTCOME; behind the outcome its accesses, each a struct sched_access */
};

/** How a run ended. */
struct trace_outcome {
	uint32_t is_complete; /**< TRACE_COMPLETE, otherwise it was not written */
	uint32_t end;         /**< enum run_end */
	int32_t status;
	uint32_t not_started; /**< the program was not started: struct run_result */
	uint64_t chain[2];    /**< hash of all events */
	uint64_t events, decisions, virtual_ns;
	struct console_sum output[2]; /**< standard output and standard error, with fds.streams */
	/* With TRACE_PROFILE: */
	uint64_t accesses;                    /**< their number */
	uint64_t list_bytes;                  /**< with `notes`: of the list (code_shared.h) behind the accesses */
	uint64_t several_first, several_last; /**< decisions from the point of --from on between which several
	                                       * threads were alive; 0: never */
	/* With wants_pairs: */
	uint64_t pairs;     /**< listed reads-from pairs, which follow the accesses and the list */
	uint64_t signature; /**< of all pairs */
	/* With `races`: */
	uint64_t races_bytes; /**< of the text of report_races.h, which follows the pairs */
};

#define TRACE_COMPLETE 0x65646e65U

/** Whether two runs did the same; output is not compared. Only deadlocks have no status. */
bool trace_outcome_is_same(const struct trace_outcome *a, const struct trace_outcome *b);

struct trace_run {
	enum trace_purpose purpose;
	struct trace_fds fds; /**< with TRACE_RESULT, TRACE_OUTCOME and TRACE_PROFILE */
	const char *out_dir;  /**< for /out, if the options name no directory */
	char **includes;      /**< guest paths that an image has to contain */
	unsigned include_count;
	char *const *excludes; /**< patterns of files that it does not contain; NULL: none */
	bool no_run;           /**< leave a trace of the inputs only */
	int ready, goes_on;    /**< pipes: to the other process, that the trace is there; from it, to go on. 0: none */
	bool notes;            /**< with TRACE_PROFILE: list the instructions that touched memory of two threads */
	uint64_t notes_max;    /**< with `notes`: run_config.notes_max */
	bool races;            /**< with `notes`: find races between these instructions */
	const struct note_look *note_looks; /**< with `notes`, in place of the list: run_config.note_looks */
	size_t note_look_count;
	const struct tries_channel *tries; /**< with TRACE_OUTCOME: the guest makes tries; NULL: one run */
	struct sched_plan *plan; /**< with TRACE_OUTCOME: for policy near; their uses follow the outcome; NULL: none */
	size_t plan_count;
	int record_to; /**< with TRACE_OUTCOME: the schedule; -1: not wanted */
	int looks;     /**< context of looked() */
	void (*looked)(void *context, const struct sched_look *look, const struct fault_report *place,
	               const struct guest_memory *memory, const struct image *image);
	bool wants_pairs;           /**< with TRACE_OUTCOME: reads-from pairs */
	const struct stat *checked; /**< the image that another process checks; NULL: none */
	const char *report;         /**< with TRACE_OUTCOME and TRACE_PROFILE: a path in /out, whose file is copied to
	                             * report_to;	 or NULL */
	int report_to;
	bool hide_output;       /**< the program's output goes only into the trace */
	uint64_t streams_bytes; /**< with TRACE_OUTCOME and TRACE_PROFILE: most bytes that fds.streams keep, of each */
};

/** Prepares the options of a run, after they are parsed, and its changes, after they are opened. */
void trace_run_begin(const struct trace_run *trace, struct options *options, struct input *input);
void trace_run_changes(const struct trace_run *trace, struct options *options, struct changes *changes,
                       struct save_dir *dir);

/** Gives the run a log of its events, if the trace has them. Called once the engine is known. */
void trace_run_log(const struct trace_run *trace, struct options *options);

/** Opens the destination of the schedule, if it is wanted. */
void trace_run_record(const struct trace_run *trace, struct options *options);

/** Makes the notes of a run that lists instructions. */
void trace_run_note(const struct trace_run *trace, struct options *options);

/** Writes the trace of a run that has ended by itself. After another end, or an error, it writes no trace. */
void trace_run_end(const struct trace_run *trace, struct options *options, struct run_result *result);

/** Makes a run from an image, of which it finds the first event that differs. */
void trace_run_compare(const struct trace_run *trace, const struct options *options, struct run_result *result);

/** Frees the log. */
void trace_run_close(void);

/** `eremite run`, which leaves a trace. */
int cmd_run_traced(int argc, char **argv, const struct trace_run *trace);

#endif
