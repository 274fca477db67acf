/* SPDX-License-Identifier: MIT */
/* The state of an analysis, and its steps (docs/analyze.md). Each step returns false if the analysis cannot go on: it
 * was stopped, or a try could not be made. What was found until then stays. */
#ifndef HYPERVISOR_ANALYZE_H
#define HYPERVISOR_ANALYZE_H

#include <signal.h>
#include <time.h>

#include "analyze/analyze_option.h"
#include "base/error.h"
#include "sched/schedule_plan.h"
#include "search/search_try.h"

/** Tries that are made together although one of them may make the others superfluous. It does not depend on --jobs, so
 * that the results do not either. */
#define TRIES_TOGETHER 4U

/** The distance before the first bisection has ended; less than UINT64_MAX. */
#define ANALYZE_DISTANCE_UNKNOWN (UINT64_MAX - 1)

/** Limit of pairs, besides the first, whose order is needed to fail, and of those whose order is needed to pass. */
#define ORDERS_MAX 16

/** How a try ended. */
enum try_ends {
	TRY_PASSES,
	TRY_FAILS,     /**< as the failing schedule does */
	TRY_OTHERWISE, /**< it fails in another way */
	TRY_RESULTS
};

/** A try that was made, for the results, and so that none is made twice. */
struct try_note {
	uint64_t key[2]; /**< hash of its plan */
	const char *step;
	uint64_t distance; /**< from the schedule with which its step began: entries left out, or swaps */
	struct plan kept;  /**< its decisions, until they are compared (analyze_edits.h) */
	bool is_kept;
	uint64_t edits; /**< decisions that differ from those of the failing schedule */
	enum try_ends result;
	bool is_vain; /**< an entry `hold` could not be kept */
	char *end;
};

/** A place that a thread is shown at, before its operation. */
struct analyze_look {
	uint32_t thread;
	bool is_load; /**< the load at the end of the operation, by the instruction whose store is the next one */
	uint64_t points;
	uint64_t object;
	char *op, *name; /**< name of the variable at `object`, or empty */
	char *stack;     /**< lines; may be empty */
};

struct analyze_looks {
	struct analyze_look *at;
	size_t count, room;
};

/** What a thread of a deadlock waits for (analyze_locks.h). */
struct analyze_lock {
	uint64_t object; /**< address; 0: the end of thread `holder` */
	uint32_t waiter; /**< the first of the threads that wait */
	uint32_t holder; /**< by the program's memory; 0: not known */
	bool is_lock;    /**< otherwise it is not known whether the thread that changed the word last holds anything */
	bool is_taken;
	struct plan_event taken; /**< the operation that took it, or changed it last from 0 */
};

#define ANALYZE_LOCKS_MAX 32U

/** A schedule that was found, and what its run did. */
struct analyze_side {
	struct plan plan;
	struct schedule schedule;
	struct plan_events events;
	char *end;
	bool is_known;
	bool replays;     /**< the schedule, replayed strictly, ended in the same way twice */
	bool is_replayed; /**< `replays` is known: the analysis was not stopped before */
	bool is_written;
	struct analyze_looks looks; /**< of events around the pair */
};

/** What the flip check found about one order of the pair. */
struct analyze_flips {
	uint64_t seeds, kept, fails, passes, otherwise; /**< the others of `kept` */
	char *other_end;                                /**< of the first run that failed in another way, or NULL */
};

/** Pairs of events. The first of each begins before the second. */
struct analyze_orders {
	struct plan_event at[ORDERS_MAX][2];
	struct analyze_side sides[ORDERS_MAX][2]; /**< the schedules that fail and pass, between which each was found */
	size_t places[ORDERS_MAX];                /**< of each in its failing schedule */
	unsigned count;
	struct analyze_looks looks;
};

/** A run to bisect from or to: that of a plan, with options in place of --sched=near if words[0] is set. */
struct analyze_run {
	const struct plan *plan;
	char *words[2];
};

/** What standard error has said (analyze_progress.h). */
struct analyze_progress {
	const char *step;
	const char *unit; /**< of what is left; NULL: not known */
	uint64_t left;
	struct timespec shown;
	bool is_on_line; /**< the line on the terminal has no end yet */
};

/** A pair that was found, and the schedules that differ in its order alone. It fails if the first comes first. */
struct analyze_found {
	bool is_found;
	struct plan_event pair[2];
	struct analyze_side sides[2]; /**< failing, passing */
	size_t place;
};

struct analyze {
	struct analyze_option option;
	struct search_slot *slots;
	int run_given; /**< options of runs that were given; the others limit the time */
	int input;     /**< file with standard input for each try; -1: none */
	sigset_t mask, signals;
	int signal;         /**< that has stopped the analysis; 0: none */
	struct error error; /**< why a try could not be made */
	uint64_t first_output[2];
	struct timespec began;
	struct analyze_progress progress;

	char **races_run; /**< options of runs that look for races: those given, without --preempt */
	int races_run_count;
	char *from;            /**< the point of --from where guests make tries, as an option; NULL: none do */
	double limit_s;        /**< --timeout of a try */
	char *identity;        /**< of the failure; NULL: not known yet */
	char *end, *stacks;    /**< of the failure */
	char *said;            /**< what it wrote (search_said.h) */
	struct schedule given; /**< the failing schedule */
	struct analyze_lock locks[ANALYZE_LOCKS_MAX];
	unsigned lock_count;
	struct analyze_looks lock_looks; /**< where each was taken */
	char *verdict;                   /**< why no pair was found; NULL: one was */
	struct plan minimal;             /**< the decisions that are needed */
	bool is_minimal;                 /**< each of its decisions is needed */
	bool minimal_passes;             /**< they are needed to pass: the program fails without them */
	uint64_t *nearest; /**< of each entry of `minimal`: how near the run without it is, for the bisection */
	struct analyze_looks needed; /**< where threads are replaced by the minimal plan */
	size_t given_entries;
	struct analyze_side failing, passing;
	bool has_pair;
	struct plan_event pair[2];       /**< the program fails if the first comes first */
	size_t place;                    /**< of the pair in failing.events */
	uint64_t distance;               /**< Damerau-Levenshtein, of both orders of events up to the pair */
	struct analyze_orders others[2]; /**< [0]: needed to fail, too; [1]: to pass in the passing order */
	unsigned equals;                 /**< of others[0]: those that are as likely the cause as the pair */
	bool has_flips;
	bool is_after;                 /**< `others` and flips[1] are about runs that begin as the failing one */
	struct analyze_flips after[2]; /**< as flips[0], of such runs */
	struct analyze_flips flips[2]
				  [2]; /**< [0]: with the pair alone; [1]: with the others, too; [][1]: passing order */

	struct try_note *notes;
	size_t note_count, note_room;
	size_t kept; /**< decisions in all notes */
};

/** Makes the analysis that the options say, and writes its results. Called once. Returns the exit status. */
int analyze_run(const struct analyze_option *option);

/** Reduces `plan` to the entries without any one of which the run no longer ends as `wanted`: analyze.minimal. */
bool analyze_minimise(struct analyze *analyze, const struct plan *plan, enum try_ends wanted);

/** Finds the pair, from analyze.minimal. */
bool analyze_bisect(struct analyze *analyze);

/** Finds the pair again, without a decision of analyze.minimal that was not left out before. The sides are the
 * caller's, who has put them aside. */
bool analyze_bisect_again(struct analyze *analyze);

/** Finds another pair whose order makes a difference, between a run that fails and one that passes. The caller frees
 * both sides of *found, or takes them. */
bool analyze_bisect_other(struct analyze *analyze, const struct analyze_run *failing, const struct analyze_run *passing,
                          struct analyze_found *found);

/** Frees what a side has, and what was found. */
void analyze_side_fini(struct analyze_side *side);

/** Fills in where the threads are at analyze.others. */
bool analyze_look_at_others(struct analyze *analyze);

/** Fills in where threads are replaced in the minimal plan. */
bool analyze_look_at_needed(struct analyze *analyze);

/** Returns the plan that keeps the pair and the others in the failing order. */
struct plan analyze_flip_plan(const struct analyze *analyze);

/** Fills in where the threads are around the pair, and in the minimal plan. */
bool analyze_look_around(struct analyze *analyze);

/** Tries both orders of the pair under other schedules. */
bool analyze_flip(struct analyze *analyze);

/** If the pair does not decide, looks for one that does at the other decisions that are needed, as long as the search
 * took that found the failure (at least ANALYZE_AGAIN_SECONDS). Keeps the first pair if none decides. */
bool analyze_flip_again(struct analyze *analyze);

#define ANALYZE_AGAIN_SECONDS 30

/** The runs of an order: with the others that are needed, or those of the pair alone. */
static inline const struct analyze_flips *analyze_flips_of(const struct analyze *analyze, bool passing)
{
	return analyze->flips[1][passing].seeds ? &analyze->flips[1][passing]
	       : analyze->is_after              ? &analyze->after[passing]
	                                        : &analyze->flips[0][passing];
}

/** Whether the order decides: all runs in the failing order failed in the same way, and no run in the passing order
 * failed. */
static inline bool analyze_flips_decide(const struct analyze_flips *failing, const struct analyze_flips *passing)
{
	return failing->fails && !failing->passes && !failing->otherwise && passing->passes && !passing->fails;
}

/** What the flip check has shown about the pair. */
enum analyze_decides {
	DECIDES_UNKNOWN,  /**< it was not made, or stopped before its end */
	DECIDES_NOT,      /**< the order is one of several conditions, the others of which were not found */
	DECIDES_TOGETHER, /**< the order decides, together with the others */
	DECIDES_ALONE
};

static inline enum analyze_decides analyze_decides(const struct analyze *analyze)
{
	if (!analyze->has_flips)
		return DECIDES_UNKNOWN;
	if (analyze_flips_decide(analyze_flips_of(analyze, false), analyze_flips_of(analyze, true)))
		return analyze->others[0].count + analyze->others[1].count ? DECIDES_TOGETHER : DECIDES_ALONE;
	return analyze->signal || analyze->error.text[0] ? DECIDES_UNKNOWN : DECIDES_NOT;
}

/** Whether the analysis has to end. */
static inline bool analyze_is_stopped(const struct analyze *analyze)
{
	return analyze->signal || analyze->error.text[0];
}

#endif
