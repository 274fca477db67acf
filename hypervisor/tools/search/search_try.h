/* SPDX-License-Identifier: MIT */
/* One try of a search: a run of the program under a schedule, made by a child. */
#ifndef HYPERVISOR_SEARCH_TRY_H
#define HYPERVISOR_SEARCH_TRY_H

#include <signal.h>
#include <sys/types.h>
#include <time.h>

#include "base/error.h"
#include "report/search_races.h"
#include "sched/sched_option.h"
#include "search/results/search_said.h"
#include "search/search_option.h"
#include "search/search_points.h"
#include "search/search_profile.h"
#include "search/try_run.h"

/** Shows where a thread is, in the child; look NULL: the run has ended. */
typedef void search_looked(void *context, const struct sched_look *look, const struct fault_report *place,
                           const struct guest_memory *memory, const struct image *image);

/** The schedule of a try that its number does not give. */
struct search_schedule {
	char *const *words; /**< options of `eremite run` in place of --sched and --sched-seed */
	int word_count;
	bool is_plain; /**< no points of the search's own in the program's code */
	/** Points are listed, and races looked for, as in the first tries; of a run that fails, also those of
	 * shared_notes_keep_failure. */
	bool lists;
	struct sched_plan *plan; /**< with --sched=near: the plan, whose `use` search_slot_read sets; NULL: none */
	size_t plan_count;
	bool records;          /**< the schedule is written to the slot's `recorded` */
	search_looked *looked; /**< called where an entry `look` wants it, with the slot's `looks`; may be NULL */
};

/** A place for one try after another. Zero-initialised, except that its descriptors are opened. */
struct search_slot {
	uint64_t number; /**< of the try, from 1; 0: none runs */
	unsigned vary;   /**< the inputs that have the try's own values; others have their defaults */
	pid_t child;
	int status; /**< wait status; valid once `ended` */
	bool ended;
	uint64_t again;                         /**< the try that was made again, because its stacks had lost names */
	struct timespec began;                  /**< CLOCK_MONOTONIC */
	int messages;                           /**< what eremite said */
	int recorded;                           /**< the schedule, if it is wanted */
	int looks;                              /**< what looked() has written */
	int report;                             /**< with fail_by.junit: that file */
	const struct search_schedule *schedule; /**< NULL: the one of its number */
	const struct note_look *note_looks;     /**< of a try that lists points: where to look instead; NULL: nowhere */
	size_t note_look_count;
	struct trace_fds fds;
};

/** How a try ended. */
struct search_outcome {
	struct try_outcome outcome;
	bool failed;             /**< it is a failure by --fail-on */
	bool lost_names;         /**< its stacks lack names, because what finds them was ended */
	char *end;               /**< "exit 1", "signal 6 (Aborted)", "deadlock", "timeout" */
	char *stacks;            /**< lines with the stacks at its end; may be empty */
	struct search_said said; /**< of a failure: what it wrote */
	char *differs;           /**< of a failure: lines that a passing try did not write; NULL: none is known */
	char *identity; /**< equal for failures that count as the same: the end, the stacks without addresses, and what
	                 * was said */
};

/** Whether a try is to be made again: its stacks tell failures apart, and have lost their names to whatever has ended
 * the symbolizer, such as a lack of memory. It is made again once; then they cannot be found here. Frees the outcome if
 * so.
 */
bool search_slot_is_again(struct search_slot *slot, struct search_outcome *outcome);

/** Most bytes of each output stream that are kept for regular expressions: it is memory of each job. */
#define SEARCH_OUTPUT_MAX (64L << 20)

/** How many seconds a try may take. The first ones leave most of --time to the others. */
double search_try_limit(const struct search_option *option, uint64_t number);

/** Reads what the run of a slot has left. Returns false if it has left nothing. A try that has used up its share of
 * --time is cut short (RUN_STOPPED): it still shows what it has seen. */
bool search_slot_outcome(const struct search_slot *slot, const struct search_option *option, struct try_outcome *ended);

#define SEARCH_SLOT_FILES 7

/** The files that a try writes. */
void search_slot_files(const struct search_slot *slot, int fds[SEARCH_SLOT_FILES]);

/** Makes the files of a slot empty, for the try `number`, which has not started. Returns 0 or a negative errno. */
int search_slot_clear(struct search_slot *slot, uint64_t number, unsigned vary);

/** Opens the descriptors of a slot. Returns 0 or a negative errno. */
int search_slot_open(struct search_slot *slot);

/** Closes them. */
void search_slot_close(struct search_slot *slot);

/** Starts the try `number`, in which the inputs `vary` have values of their own. `input` is a file with the standard
 * input of each, or -1; `mask` the signals that it blocks. Returns 0 or a negative errno. */
int search_slot_start(struct search_slot *slot, const struct search_option *option, uint64_t number, unsigned vary,
                      int input, const sigset_t *mask);

/** Starts a guest that makes tries from option->from on, by a channel (run/run_tries.h), whose descriptors are the
 * child's. `input` is as of search_slot_start, with at most TRIES_INPUT_MAX bytes. Returns 0 or a negative errno. */
int search_slot_start_guest(struct search_slot *slot, const struct search_option *option,
                            const struct tries_channel *channel, int input, const sigset_t *mask);

/** The tries_hash (abi/tries.h) of what a run that has left an outcome has written to each stream, and the number of
 * bytes. */
void search_slot_output(const struct search_slot *slot, uint64_t hash[2], uint64_t bytes[2]);

/** Whether what a run has written to a stream matches the regular expression for it; false without one. */
bool search_slot_matches(const struct search_slot *slot, const struct search_failures *failures, unsigned stream);

/** Returns what the looks of a slot's run have written, for the caller to free. */
char *search_slot_looks(const struct search_slot *slot);

/** Returns the last line that the child of a slot has said, or NULL. The caller frees it. */
char *search_slot_last_line(const struct search_slot *slot);

/** The inputs that differ from their defaults in a try: bits 1 << enum search_input. */
unsigned search_try_inputs(const struct search_option *option, uint64_t number);

/** The schedule of a try in *config, of which it sets what --sched and --sched-seed set. The caller frees its counts.
 */
void search_try_schedule(const struct search_option *option, uint64_t number, struct sched_config *config);

/** The tries that must end before later ones can be made, because these get points or a profile from them: all up to
 * this number, which is at least `number`; 0: none. */
uint64_t search_try_awaits(const struct search_option *option, uint64_t number);

/** Adds a try that has ended to the points and races, or to the profile, if it is one of the tries that make them.
 * Called in the order of their numbers. A run under a special schedule that lists points counts as no try. With NULL
 * for `races`, none are added. A try that has left no outcome adds nothing, nor does one that --timeout has stopped:
 * how far it gets depends on the host. */
void search_slot_learn(const struct search_slot *slot, const struct search_option *option, struct search_points *points,
                       struct search_profile *profile, struct search_races *races);

/** Shows feedback the pairs of a try that has ended. One that was stopped by --timeout shows nothing, because how far
 * it got depends on the host. */
void search_slot_show(const struct search_slot *slot, const struct search_option *option);

/** Sets what is known without its stacks of how a try ended: whether it failed, and its end. `output_fails`: its output
 * is a failure. */
void search_outcome_judge(struct search_outcome *outcome, const struct search_failures *failures, bool output_fails);

/** Reads how a try ended; `first_output` is the hash of the standard output of the first one, which this sets for the
 * first. The caller calls search_outcome_fini. Returns 0, or a negative errno with one line in *error if the try could
 * not be made. */
int search_slot_read(struct search_slot *slot, const struct search_option *option, uint64_t first_output[2],
                     struct search_outcome *outcome, struct error *error);

/** What makes failures the same: the end, the stacks without addresses, and the key of what was said (search_said.h).
 * The caller frees it. */
char *search_outcome_identity(const char *end, const char *stacks, const char *key);

/** Reads what the run of a slot has written. The caller calls search_text_fini. */
void search_slot_text(const struct search_slot *slot, struct search_text *text);

/** Frees it. */
void search_outcome_fini(struct search_outcome *outcome);

/** Returns the command that repeats a try, as a shell takes it; `special`: its schedule, or NULL. The caller frees it.
 */
char *search_try_command(const struct search_option *option, uint64_t number, unsigned vary,
                         const struct search_schedule *special);

#endif
