/* SPDX-License-Identifier: MIT */
/* Runs a program under many schedules. Tries run side by side, and their results are taken in the order of their
 * numbers, so that what is found depends neither on the number of processors nor on their speed. */
#include "search/search.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/tries.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "guest/program_main.h"
#include "library/cjson.h"
#include "search/results/search_write.h"
#include "search/search_confirm.h"
#include "search/search_input.h"
#include "search/search_inside.h"
#include "search/shards/search_merge.h"
#include "search/shards/search_prepared.h"
#include "search/shards/search_rounds.h"
#include "search/search_program.h"
#include "search/search_reach.h"
#include "search/search_resume.h"
#include "search/search_stacks.h"
#include "search/shards/search_shard.h"
#include "search/search_stop.h"
#include "search/search_try.h"

/* Seconds between lines about the progress, where standard error is not a terminal. */
#define PROGRESS_S 30

/* The file of --state is written after so many tries, unless that was just done. */
#define STATE_TRIES SEARCH_GENERATION
#define STATE_S 1

static struct {
	struct search_option option;
	struct search_results results;
	struct search_points points;
	struct search_profile profile;
	struct search_feedback feedback;
	struct search_text passing;
	struct search_prepared prepared;
	struct search_slot *slots;
	int input;        /* file with standard input for each try; -1: none */
	uint64_t started; /* tries */
	uint64_t limit;   /* of tries that may start now */
	uint64_t first_output[2];
	struct timespec began;
	sigset_t mask;       /* of signals, for children */
	bool enough;         /* --max-failures tries have failed */
	bool is_resumable;   /* the results are a file for --resume */
	bool shows_progress; /* on a terminal */
	double said_s;       /* when a line about the progress was written */
	double kept_s;       /* when the file of --state was written */
	bool cannot_keep;    /* the error of the search is that this file cannot be written */
	uint64_t kept;       /* how many tries it has */
} work = {.input = -1};

static const char cannot_start[] = "search: cannot start a process; give a smaller --jobs";

static double seconds_since(const struct timespec *from)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - from->tv_sec) + (double)(now.tv_nsec - from->tv_nsec) / 1e9;
}

/* --- before --- */

/* Notes whether so many tries have failed that none is to be taken any more. */
static bool is_enough(void)
{
	if (work.results.failures)
		search_stop_make_file();
	work.enough = work.option.max_failures && work.results.failures >= work.option.max_failures;
	return work.enough;
}

/* Says why no tries are made in guests, if anybody wants to know. */
static void check_way(void)
{
	if (search_input_bytes() > TRIES_INPUT_MAX && !work.option.why_not)
		work.option.why_not = "standard input has more than 16 MiB";
	if (work.option.why_not && work.option.checks)
		die("search: --check compares tries in guests with processes, but none is made in a guest, because %s",
		    work.option.why_not);
	if (work.option.why_not && work.option.is_verbose)
		say("search: each try is a process of its own, because %s", work.option.why_not);
}

/* Feedback begins behind the tries that make the profile. */
static void prepare_feedback(void)
{
	const struct search_option *option = &work.option;
	bool has_feedback[SEARCH_MEMBERS_MAX];
	if (!option->wants_feedback)
		return;
	for (unsigned i = 0; i < option->policy_count; i++)
		has_feedback[i] = search_option_has_feedback(option->policies[i]);
	search_feedback_init(&work.feedback, option->seed + ((uint64_t)option->shard.shard << 32),
	                     search_try_awaits(option, UINT64_MAX) + 1, has_feedback, option->policy_count);
	work.feedback.has_rounds = option->rounds;
	work.option.feedback = &work.feedback;
}

static void prepare(void)
{
	struct error error;
	work.slots = memory_or_die(calloc(work.option.jobs, sizeof(*work.slots)));
	if (cjson_load(&error))
		die("%s", error.text);
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (search_slot_open(&work.slots[i]))
			die("search: cannot make a file in memory: %s; give a smaller --jobs", strerror(errno));
	if (work.option.prepare)
		search_prepared_create(&work.prepared, &work.option, work.input);
	if (work.option.prepared)
		search_prepared_open(&work.prepared, &work.option, work.input);
	if (work.option.resume)
		search_resume(work.option.resume, &work.option, &work.results);
	work.started = work.results.tries;
	if (work.option.resume && work.option.resume == work.option.state)
		work.kept = work.started; /* or a search that is killed again and again would keep no more than these */
	if (work.option.resume && (is_enough() || work.started >= work.option.runs)) {
		if (!work.option.begins_round)
			say("search: nothing is left to do: %s has all %lu tries of %s; give a larger one to go on",
			    work.option.resume, work.started, work.enough ? "--max-failures" : "--runs");
		work.option.runs = work.started;
	}
	if (work.option.resume && work.option.failures.output && work.started)
		die("search: %s cannot go with --fail-on=output, which needs the output of the first try; search "
		    "again",
		    work.option.state ? "--state" : "--resume");
	check_way();
	work.shows_progress = isatty(STDERR_FILENO) && !work.option.is_quiet;
}

/* --- tries --- */

static bool may_start(void)
{
	if (work.enough || work.started >= work.limit || search_stop_is_due())
		return false;
	if (work.results.tries < search_try_awaits(&work.option, work.started + 1))
		return false; /* its points or its profile are not complete */
	return !work.option.feedback || work.started < search_feedback_limit(work.option.feedback);
}

static bool is_running(const struct search_slot *slot)
{
	return slot->number && !slot->ended;
}

/* Ends the tries that run. They do not count. */
static void end_tries(void)
{
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (is_running(&work.slots[i]))
			kill(work.slots[i].child, SIGTERM);
	for (unsigned i = 0; i < work.option.jobs; i++) {
		if (is_running(&work.slots[i]))
			search_stop_reap(work.slots[i].child, &work.slots[i].status);
		work.slots[i].number = 0;
	}
}

static bool write_results(void);

/* Keeps what the first of the tries that all shards make has written that passes. */
static void keep_passing(const struct search_slot *slot, const struct search_outcome *outcome)
{
	if (!work.passing.text[0] && !outcome->failed && outcome->outcome.end == RUN_EXIT &&
	    slot->number <= search_shard_common(&work.option))
		search_slot_text(slot, &work.passing);
}

/* Ends eremite. What was found until then is reported, but not confirmed. */
static _Noreturn void fail(const char *error)
{
	end_tries();
	if (work.shows_progress)
		fputs("\r\033[K", stderr);
	work.results.error = error;
	work.results.seconds = seconds_since(&work.began);
	if (work.results.tries)
		write_results();
	die("%s", error);
}

/* Starts a try of the search; one that was prepared has ended at once. */
static void start_try(struct search_slot *slot, uint64_t number)
{
	if (!search_prepared_give(&work.prepared, slot, number, work.option.vary) &&
	    search_slot_start(slot, &work.option, number, work.option.vary, work.input, &work.mask))
		fail(cannot_start);
}

/* If the first try was cut short, makes it again without points in the program's code: it shows whether the program
 * fails always, and what its output is. Returns whether it does. */
static bool make_plain(struct search_slot *slot, struct search_outcome *outcome)
{
	if (slot->number != 1 || outcome->outcome.end != RUN_STOPPED || work.option.first_is_plain)
		return false;
	search_outcome_fini(outcome);
	work.option.first_is_plain = true;
	start_try(slot, 1);
	return true;
}

/* Takes what a try shows to later ones. When all races are known, the tries of their pairs are. */
static void learn(const struct search_slot *slot)
{
	const bool were_settled = work.results.pairs.is_settled;
	search_slot_learn(slot, &work.option, &work.points, &work.profile, &work.results.races);
	if (!work.option.points_tries || slot->number != work.option.points_tries)
		return;
	if (work.option.tries_pairs && work.option.runs > work.option.points_tries &&
	    !search_reach(&work.results.races, &work.points, &work.option, work.input, &work.mask, &work.prepared))
		fail(cannot_start);
	search_points_settle(&work.points, work.option.program[0]);
	if (!work.option.tries_pairs || were_settled)
		return;
	search_pairs_settle(&work.results.pairs, &work.results.races, search_shard_common(&work.option));
	search_feedback_delay(&work.feedback, search_pairs_local(&work.results.pairs, &work.option.shard));
}

/* Takes the results of tries that have ended, as far as all earlier ones have. */
static void take_all(void)
{
	struct error error;
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < work.option.jobs && !work.enough; i++) {
			struct search_slot *slot = &work.slots[i];
			struct search_outcome outcome;
			if (slot->number != work.results.tries + 1 || !slot->ended)
				continue;
			if (search_slot_read(slot, &work.option, work.first_output, &outcome, &error))
				fail(error.text);
			if (search_slot_is_again(slot, &outcome)) {
				start_try(slot, slot->number);
				continue;
			}
			if (slot->number <= search_shard_common(&work.option) &&
			    search_prepared_keep(&work.prepared, slot, PREPARED_TRY, slot->number))
				search_prepared_fail(&work.prepared, &work.option);
			learn(slot);
			if (make_plain(slot, &outcome)) {
				more = more || slot->ended;
				continue;
			}
			search_slot_show(slot, &work.option);
			keep_passing(slot, &outcome);
			search_results_add(&work.results, &work.option, slot->number, &outcome);
			slot->number = 0;
			more = true;
			is_enough();
		}
	}
}

static void start_all(void)
{
	for (unsigned i = 0; i < work.option.jobs && may_start(); i++) {
		if (work.slots[i].number)
			continue;
		start_try(&work.slots[i], ++work.started);
		if (work.slots[i].ended) {
			take_all();
			i = UINT_MAX; /* from the first slot again, which may be free */
		}
	}
}

static unsigned running(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < work.option.jobs; i++)
		count += is_running(&work.slots[i]);
	return count;
}

/* Shows how far the search is, and when it ends: by --time, or when the other tries are made. On a terminal this is one
 * line that changes, elsewhere a line once in PROGRESS_S seconds. */
static void show_progress(void)
{
	const struct search_results *results = &work.results;
	const double seconds = seconds_since(&work.began), rate = seconds > 0 ? (double)results->tries / seconds : 0;
	char end[60] = "";
	if (work.option.is_quiet || (!work.shows_progress && seconds < work.said_s + PROGRESS_S))
		return;
	work.said_s = seconds;
	if (work.option.time_s > 0)
		snprintf(end, sizeof(end), ", %.0f s left",
		         work.option.time_s > seconds ? work.option.time_s - seconds : 0);
	else if (results->tries > 2 * search_shard_common(&work.option))
		snprintf(end, sizeof(end), ", about %.0f s left", (double)(work.option.runs - results->tries) / rate);
	fprintf(stderr, "%s%lu of %lu tries%s, %.0f a second: %lu failed, in %zu %s%s",
	        work.shows_progress ? "\r" : "eremite: search: ", results->tries, work.option.runs, end, rate,
	        results->failures, results->distinct_count, results->distinct_count == 1 ? "way" : "ways",
	        work.shows_progress ? "\033[K" : "\n");
}

/* Keeps what was found so far. These are the results of a search that was stopped, until it ends. */
static void keep_state(void)
{
	static struct error error; /* the results have its line */
	const double seconds = seconds_since(&work.began);
	if (!work.option.state || work.results.tries < work.kept + STATE_TRIES ||
	    (work.kept_s > 0 && seconds < work.kept_s + STATE_S))
		return;
	work.results.interrupted = true;
	work.results.seconds = seconds;
	if (search_write_state(&work.option, &work.results, false, &error)) {
		work.cannot_keep = true;
		fail(error.text);
	}
	work.kept = work.results.tries;
	work.kept_s = seconds;
}

/* Called now and then, when no try is being taken. */
static void on_progress(void)
{
	show_progress();
	keep_state();
}

static void note_end(pid_t pid, int status)
{
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (work.slots[i].number && work.slots[i].child == pid) {
			work.slots[i].status = status;
			work.slots[i].ended = true;
		}
}

static void wait_for_try(void)
{
	int status;
	pid_t pid;
	bool any = false;
	for (; (pid = waitpid(-1, &status, WNOHANG)) > 0; any = true)
		note_end(pid, status);
	if (!any)
		search_stop_wait();
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (is_running(&work.slots[i]))
			search_stop_limit(&work.slots[i], &work.option);
}

/* Makes tries as processes until there are `limit`, or no more may start. A stop, or enough failures, ends those that
 * run. */
static void by_processes(uint64_t limit)
{
	work.limit = limit;
	for (start_all(); running() && !work.enough && !search_stop_is_due(); start_all()) {
		wait_for_try();
		if (!search_stop_signal()) /* which may have ended a try as well */
			take_all();
		on_progress();
	}
	end_tries();
}

/* Makes tries in guests, after the first one, which is under fifo and shows what the program's output is, and after
 * those from which others learn. */
static void by_guests(void)
{
	struct error error;
	const struct search_inside inside = {.option = &work.option,
	                                     .results = &work.results,
	                                     .slot = &work.slots[0],
	                                     .started = &work.started,
	                                     .first_output = work.first_output,
	                                     .input = work.input,
	                                     .mask = &work.mask,
	                                     .may_start = may_start,
	                                     .is_enough = is_enough,
	                                     .fail = fail,
	                                     .on_progress = on_progress};
	const uint64_t first = search_shard_common(&work.option);
	if (work.started < first)
		by_processes(first < work.option.runs ? first : work.option.runs);
	if (search_stop_is_due() || work.enough || work.results.tries < first || work.started >= work.option.runs)
		return;
	work.limit = work.option.runs;
	if (search_inside(&inside, &error) && (work.option.is_verbose || work.option.checks))
		say("search: the other tries are processes, because the guest for tries has ended: %s", error.text);
}

/* Makes a try whose result is known. Returns false if the search is to stop before it ends. */
static bool run_again(uint64_t number, bool *was_cut)
{
	struct search_slot *slot = &work.slots[0];
	struct search_outcome outcome;
	struct error error;
	start_try(slot, number);
	slot->ended = slot->ended || search_stop_wait_slot(slot, &work.option);
	if (!slot->ended)
		return false;
	if (search_slot_read(slot, &work.option, work.first_output, &outcome, &error)) {
		if (search_stop_signal()) /* which has ended it, too */
			return false;
		fail(error.text);
	}
	*was_cut = outcome.outcome.end == RUN_STOPPED;
	keep_passing(slot, &outcome);
	search_outcome_fini(&outcome);
	return true;
}

/* A search that goes on has the results of earlier tries, but not what later ones learn from them. */
static void learn_again(void)
{
	const bool goes_on = !work.enough && work.results.tries < work.option.runs;
	const bool is_wanted = goes_on || work.option.finds_races; /* the results keep no races */
	bool was_cut;
	for (uint64_t number = 1;
	     is_wanted && number <= work.results.tries && number <= search_shard_common(&work.option); number++) {
		if (!run_again(number, &was_cut))
			break;
		learn(&work.slots[0]);
		work.option.first_is_plain |= number == 1 && was_cut;
	}
	work.slots[0].number = 0;
}

static bool is_first(uint64_t number)
{
	for (size_t i = 0; i < work.results.distinct_count; i++)
		if (work.results.distinct[i].first_try == number)
			return true;
	return false;
}

/* Nor has it what the tries of an incomplete generation have shown. */
static void show_again(void)
{
	bool was_cut;
	if (!work.option.feedback || work.enough || work.results.tries >= work.option.runs)
		return;
	for (uint64_t number = search_feedback_again(work.option.feedback); number <= work.results.tries; number++) {
		if (!run_again(number, &was_cut))
			break;
		search_slot_show(&work.slots[0], &work.option);
		search_feedback_take(work.option.feedback, number, is_first(number));
	}
	work.slots[0].number = 0;
}

static void search(void)
{
	search_stop_begin(work.option.time_s, work.option.stop_file, work.is_resumable, &work.mask);
	clock_gettime(CLOCK_MONOTONIC, &work.began);
	learn_again();
	show_again();
	if (!work.option.why_not)
		by_guests();
	by_processes(work.option.runs);
	work.results.seconds = seconds_since(&work.began);
	if (work.shows_progress)
		fputs("\r\033[K", stderr);
	if (work.option.is_verbose && !work.option.why_not)
		say("search: %lu tries were made in guests", work.results.inside);
}

/* --- after --- */

static bool write_results(void)
{
	struct error error;
	work.results.interrupted = search_stop_signal();
	const bool is_kept = !work.option.state || !search_write_state(&work.option, &work.results, true, &error);
	if (!is_kept && !work.cannot_keep)
		say("%s", error.text);
	return search_write(&work.option, &work.results, &work.option) && is_kept;
}

/* A shard that begins after another one has failed has no try, and is complete. */
static void check_stop_file(void)
{
	const char *file = work.option.stop_file;
	struct stat st;
	if (file && !stat(file, &st) && !S_ISREG(st.st_mode))
		die("search: --stop-file: %s is not a regular file; give another name", file);
	if (file && !work.option.shard.shards && !access(file, F_OK))
		die("search: the file of --stop-file, %s, is there already; remove it, or give another one", file);
}

/* The file of --state, if it is there, has the results of the search so far. */
static void find_state(struct search_option *option)
{
	struct stat status;
	if (!option->state)
		return;
	if (option->resume)
		die("search: --state goes on by its own file; leave out --resume");
	const bool is_there = !stat(option->state, &status);
	if (is_there && !S_ISREG(status.st_mode))
		die("search: --state: %s is not a regular file; give another name", option->state);
	if (is_there && status.st_size > 0)
		option->resume = option->state;
}

/* The stacks of races are the same in each search that is given these tries. */
static void prepare_stacks(void)
{
	search_stop_forget_time();
	if (!search_stacks_take(&work.results.races, &work.option, &work.slots[0], work.input, &work.mask,
	                        &work.prepared))
		fail(cannot_start);
}

/* Makes the tries of the search, or of its shard. */
static void make_search(void)
{
	work.results.races.is_go = program_is_go(work.option.program[0]);
	work.profile.lacks_objects = work.option.moves_memory;
	work.option.profile = &work.profile;
	work.option.points = &work.points;
	work.option.pairs = &work.results.pairs;
	work.option.passing = &work.passing;
	search_rounds_open(&work.option);
	prepare_feedback();
	prepare();
	const uint64_t made_before = work.results.tries;
	const struct search_confirm confirm = {.option = &work.option,
	                                       .results = &work.results,
	                                       .points = &work.points,
	                                       .slot = &work.slots[0],
	                                       .first_output = work.first_output,
	                                       .input = work.input,
	                                       .mask = &work.mask,
	                                       .prepared = &work.prepared,
	                                       .fail = fail};
	search();
	if (work.option.prepare)
		prepare_stacks();
	else
		search_confirm(&confirm, made_before);
	work.results.interrupted = search_stop_signal();
	if (work.option.rounds && work.option.feedback && !work.results.interrupted)
		search_feedback_close(&work.feedback);
}

/* The exit status. To a batch system, a complete shard is a success, and one that it has stopped is to be tried again.
 */
static int status_of_search(void)
{
	const int stopped = search_stop_signal();
	if (stopped && work.is_resumable && (stopped == SIGTERM || stopped == SIGUSR1))
		return EXIT_RESUMABLE;
	if (stopped)
		return EXIT_SIGNAL_BASE + stopped;
	if (!work.results.tries && !search_stop_by_file())
		die("search: --time=%g ended before the first try did; give more seconds", work.option.time_s);
	if (work.option.shard.shard && !work.option.shard.exits_by_result)
		return 0;
	return search_results_fail(&work.results, &work.option);
}

static int make_shard(FILE *to)
{
	make_search();
	search_results_put(to, RESULTS_JSON, &work.results, &work.option);
	return status_of_search();
}

int search_run(const struct search_option *option)
{
	work.option = *option;
	if (work.option.merges)
		return search_merge_files(&work.option);
	find_state(&work.option);
	work.input = search_input_keep("search");
	search_write_check(&work.option);
	check_stop_file();
	if (work.option.format == RESULTS_JSON || work.option.resume || work.option.state)
		search_program_note(&work.option);
	if (work.option.shard.shards && !work.option.shard.shard)
		return search_merge_make(&work.option, make_shard);
	work.is_resumable = work.option.state || (work.option.format == RESULTS_JSON && work.option.results_file);
	make_search();
	if (work.option.prepare)
		return search_prepared_finish(&work.prepared, &work.option, &work.results, work.enough);
	return write_results() ? status_of_search() : EXIT_EREMITE;
}
