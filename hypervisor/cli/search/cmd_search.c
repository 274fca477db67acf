/* SPDX-License-Identifier: MIT */
/* `eremite search`: runs a program under many schedules. Tries run side by side, and their results are taken in the
 * order of their numbers, so that what is found depends neither on the number of processors nor on their speed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cjson.h"
#include "base/die.h"
#include "base/save.h"
#include "cli/cmd.h"
#include "cli/search/search_input.h"
#include "cli/search/search_inside.h"
#include "cli/search/search_resume.h"
#include "cli/search/search_try.h"

static struct {
	struct search_option option;
	struct search_results results;
	struct search_profile profile;
	struct search_slot *slots;
	int input;        /* file with standard input for each try; -1: none */
	uint64_t started; /* tries */
	uint64_t limit;   /* of tries that may start now */
	uint64_t first_output[2];
	struct timespec began;
	sigset_t mask; /* before the signals below were blocked */
	int signal;    /* that has stopped the search; 0: none */
	bool enough;   /* --max-failures tries have failed */
	bool shows_progress;
} work = {.input = -1};

static double seconds_since(const struct timespec *from)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - from->tv_sec) + (double)(now.tv_nsec - from->tv_nsec) / 1e9;
}

/* --- before --- */

/* Tries the file of the results before the runs, so that a bad path does not waste them. */
static void try_results_file(void)
{
	struct save save = {0};
	if (!work.option.results_file)
		return;
	int result = save_open(&save, work.option.results_file);
	if (result)
		die("search: cannot write the results to %s: %s", work.option.results_file, strerror(-result));
	save_abandon(&save);
}

/* Notes whether so many tries have failed that none is to be taken any more. */
static bool is_enough(void)
{
	work.enough = work.option.max_failures && work.results.failures >= work.option.max_failures;
	return work.enough;
}

static void prepare(void)
{
	char error[256];
	work.slots = calloc(work.option.jobs, sizeof(*work.slots));
	if (!work.slots)
		die("out of memory");
	if (cjson_load(error))
		die("%s", error);
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (search_slot_open(&work.slots[i]))
			die("search: cannot make a file in memory: %s; give a smaller --jobs", strerror(errno));
	if (work.option.resume)
		search_resume(work.option.resume, &work.option, &work.results);
	work.started = work.results.tries;
	if (work.option.resume && (is_enough() || work.started >= work.option.runs)) {
		say("search: nothing is left to do: %s has all %lu tries of %s; give a larger one to go on",
		    work.option.resume, work.started, work.enough ? "--max-failures" : "--runs");
		work.option.runs = work.started;
	}
	if (work.option.resume && work.option.failures.output && work.started)
		die("search: --resume cannot go with --fail-on=output, which needs the output of the first try; search "
		    "again");
	work.input = search_input_keep("search");
	try_results_file();
	work.shows_progress = isatty(STDERR_FILENO) && !work.option.is_quiet;
}

/* --- tries --- */

static bool may_start(void)
{
	if (work.signal || work.enough || work.started >= work.limit)
		return false;
	if (work.started >= work.option.profile_tries && work.results.tries < work.option.profile_tries)
		return false; /* the profile is not complete */
	return !work.option.time_s || seconds_since(&work.began) < work.option.time_s;
}

static _Noreturn void fail(const char *error)
{
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (work.slots[i].number && !work.slots[i].ended) {
			kill(work.slots[i].child, SIGTERM);
			waitpid(work.slots[i].child, NULL, 0);
		}
	if (work.shows_progress)
		fputs("\r\033[K", stderr);
	die("%s", error);
}

static void start_all(void)
{
	for (unsigned i = 0; i < work.option.jobs && may_start(); i++) {
		if (work.slots[i].number)
			continue;
		if (search_slot_start(&work.slots[i], &work.option, ++work.started, work.option.vary, work.input,
		                      &work.mask)) {
			work.slots[i].number = 0;
			fail("search: cannot start a process; give a smaller --jobs");
		}
	}
}

static void end_tries(void)
{
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (work.slots[i].number && !work.slots[i].ended)
			kill(work.slots[i].child, SIGTERM);
}

/* Takes the results of tries that have ended, as far as all earlier ones have. If these are enough, tries with a higher
 * number are ended and do not count. */
static void take_all(void)
{
	char error[256];
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < work.option.jobs && !work.enough; i++) {
			struct search_slot *slot = &work.slots[i];
			struct search_outcome outcome;
			if (slot->number != work.results.tries + 1 || !slot->ended)
				continue;
			if (search_slot_read(slot, &work.option, work.first_output, &outcome, error))
				fail(error);
			search_slot_profile(slot, &work.option, &work.profile);
			search_results_add(&work.results, &work.option, slot->number, &outcome);
			slot->number = 0;
			more = true;
			is_enough();
		}
	}
	if (work.enough)
		end_tries();
}

static unsigned running(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < work.option.jobs; i++)
		count += work.slots[i].number && !work.slots[i].ended;
	return count;
}

static void show_progress(void)
{
	const struct search_results *results = &work.results;
	const double seconds = seconds_since(&work.began);
	if (work.shows_progress)
		fprintf(stderr, "\r%lu of %lu tries, %.0f a second: %lu failed, in %zu ways; another way: %.2g\033[K",
		        results->tries, work.option.runs, seconds > 0 ? (double)results->tries / seconds : 0,
		        results->failures, results->distinct_count, search_results_unseen(results));
}

static void note_end(pid_t pid, int status)
{
	for (unsigned i = 0; i < work.option.jobs; i++)
		if (work.slots[i].number && work.slots[i].child == pid) {
			work.slots[i].status = status;
			work.slots[i].ended = true;
		}
}

/* Waits until a try ends or a signal arrives. After the first of ^C and its like no try begins; those that run are
 * ended, and do not count. */
static void wait_for_try(const sigset_t *signals)
{
	const struct timespec second = {.tv_sec = 1};
	int status;
	pid_t pid;
	bool any = false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		note_end(pid, status);
		any = true;
	}
	if (any)
		return;
	int sig = sigtimedwait(signals, NULL, &second);
	if (sig <= 0 || sig == SIGCHLD)
		return;
	work.signal = sig;
	work.results.interrupted = true;
	end_tries();
}

/* Makes tries as processes until there are `limit`, or no more may start. */
static void by_processes(uint64_t limit, const sigset_t *signals)
{
	work.limit = limit;
	for (start_all(); running(); start_all()) {
		wait_for_try(signals);
		if (!work.signal && !work.enough)
			take_all();
		show_progress();
	}
}

/* Makes tries in guests, after the first one, which is under fifo and shows what the program's output is, and after
 * those that make the profile. */
static void by_guests(const sigset_t *signals)
{
	char error[256];
	sigset_t stops = *signals;
	const struct search_inside inside = {.option = &work.option,
	                                     .results = &work.results,
	                                     .slot = &work.slots[0],
	                                     .started = &work.started,
	                                     .first_output = work.first_output,
	                                     .input = work.input,
	                                     .mask = &work.mask,
	                                     .signals = &stops,
	                                     .may_start = may_start,
	                                     .is_enough = is_enough,
	                                     .show_progress = show_progress};
	const uint64_t first = work.option.profile_tries ? work.option.profile_tries : 1;
	if (work.started < first)
		by_processes(first < work.option.runs ? first : work.option.runs, signals);
	if (work.signal || work.enough || work.results.tries < first || work.started >= work.option.runs)
		return;
	sigdelset(&stops, SIGCHLD);
	work.limit = work.option.runs;
	int result = search_inside(&inside, error);
	work.signal = result > 0 ? result : 0;
	work.results.interrupted = result > 0;
	if (result < 0 && work.option.is_verbose)
		say("each try is a process of its own, because the guest for tries has ended: %s", error);
}

/* A search that goes on has the results of earlier tries, but not their profile. */
static void profile_again(void)
{
	const bool goes_on = !work.enough && work.results.tries < work.option.runs;
	for (uint64_t number = 1; goes_on && number <= work.results.tries && number <= work.option.profile_tries;
	     number++) {
		if (search_slot_start(&work.slots[0], &work.option, number, work.option.vary, work.input, &work.mask))
			die("search: cannot start a process; give a smaller --jobs");
		while (waitpid(work.slots[0].child, &work.slots[0].status, 0) < 0 && errno == EINTR)
			;
		search_slot_profile(&work.slots[0], &work.option, &work.profile);
	}
	work.slots[0].number = 0;
}

static void search(void)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &work.mask);
	clock_gettime(CLOCK_MONOTONIC, &work.began);
	profile_again();
	if (work.option.may_try_in_guests && !work.option.uses_processes && work.input < 0)
		by_guests(&signals);
	by_processes(work.option.runs, &signals);
	work.results.seconds = seconds_since(&work.began);
	if (work.shows_progress)
		fputs("\r\033[K", stderr);
}

/* --- after --- */

/* Notes a signal that stops the search, which is blocked until the results are written: a terminal and timeout(1) may
 * send it twice. */
static void look_for_signal(void)
{
	const struct timespec now = {0};
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	const int sig = sigtimedwait(&signals, NULL, &now);
	if (sig <= 0)
		return;
	work.signal = sig;
	work.results.interrupted = true;
}

/* Makes a try again, in which the inputs `vary` have its values and others their defaults. Returns whether it could be
 * made; the caller calls search_outcome_fini. */
static bool make_again(uint64_t number, unsigned vary, struct search_outcome *outcome)
{
	struct search_slot *slot = &work.slots[0];
	char error[256];
	if (search_slot_start(slot, &work.option, number, vary, work.input, &work.mask))
		die("search: cannot start a process; give a smaller --jobs");
	while (waitpid(slot->child, &slot->status, 0) < 0 && errno == EINTR)
		;
	return !search_slot_read(slot, &work.option, work.first_output, outcome, error);
}

/* Leaves out the inputs that may have their defaults while the first try still fails in the same way. The last of the
 * list goes first: a failure that needs no fault of the network is simpler than one that needs one. */
static void reduce(struct search_distinct *distinct)
{
	struct search_outcome outcome;
	for (unsigned input = SEARCH_INPUTS; input-- > 0 && !work.signal;) {
		const unsigned fewer = distinct->inputs & ~(1U << input);
		if (fewer == distinct->inputs || !make_again(distinct->first_try, fewer, &outcome))
			continue;
		if (outcome.failed && !strcmp(outcome.identity, distinct->identity)) {
			distinct->inputs = fewer;
			distinct->first = outcome.outcome;
		}
		search_outcome_fini(&outcome);
		look_for_signal();
	}
	free(distinct->command);
	distinct->command = search_try_command(&work.option, distinct->first_try, distinct->inputs);
}

/* Makes the first try of each way to fail again, and notes whether it does the same. */
static void confirm(struct search_distinct *distinct)
{
	struct search_outcome outcome;
	const bool made = make_again(distinct->first_try, distinct->inputs, &outcome);
	look_for_signal(); /* which may have ended the try */
	distinct->repeats = work.signal ? REPEATS_UNKNOWN : REPEATS_NOT;
	if (!made)
		return;
	if (work.signal) {
		search_outcome_fini(&outcome);
		return;
	}
	if (outcome.outcome.end == distinct->first.end && outcome.outcome.status == distinct->first.status &&
	    outcome.outcome.events == distinct->first.events &&
	    !memcmp(outcome.outcome.chain, distinct->first.chain, sizeof(distinct->first.chain)))
		distinct->repeats = REPEATS;
	search_outcome_fini(&outcome);
}

static void confirm_all(void)
{
	for (size_t i = 0; i < work.results.distinct_count && !work.signal; i++) {
		struct search_distinct *distinct = &work.results.distinct[i];
		/* how far a run gets until a timeout depends on the host */
		if (distinct->repeats == REPEATS_UNKNOWN && distinct->first.is_complete &&
		    distinct->first.end != RUN_TIMEOUT) {
			confirm(distinct);
			if (distinct->repeats == REPEATS && work.option.vary != 1U << SEARCH_INPUT_sched)
				reduce(distinct);
		}
	}
}

static void write_results(void)
{
	const struct search_option *option = &work.option;
	struct save save = {0};
	search_results_put(stdout, option->results_file ? RESULTS_TEXT : option->format, &work.results, option);
	if (fflush(stdout) || ferror(stdout))
		die("search: cannot write the results to standard output: %s", strerror(errno));
	if (!option->results_file)
		return;
	int result = save_open(&save, option->results_file);
	if (!result) {
		search_results_put(save.to, option->format, &work.results, option);
		result = save_commit(&save);
	}
	if (result)
		die("search: cannot write the results to %s: %s", option->results_file, strerror(-result));
}

int cmd_search(int argc, char **argv)
{
	search_option_parse(&work.option, argc, argv);
	work.profile.lacks_objects = work.option.moves_memory;
	work.option.profile = &work.profile;
	prepare();
	search();
	confirm_all();
	write_results();
	return work.signal ? EXIT_SIGNAL_BASE + work.signal : work.results.failures > 0;
}
