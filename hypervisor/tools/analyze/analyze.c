/* SPDX-License-Identifier: MIT */
/* From a schedule under which a program fails, finds the two events whose order decides. The order of the steps is in
 * analyze(): confirm, minimise, bisect, look, flip. */
#include "analyze/analyze.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyze/analyze_edits.h"
#include "analyze/analyze_html.h"
#include "analyze/analyze_inside.h"
#include "analyze/analyze_leak.h"
#include "analyze/analyze_locks.h"
#include "analyze/analyze_look.h"
#include "analyze/analyze_progress.h"
#include "analyze/analyze_races.h"
#include "analyze/analyze_rank.h"
#include "analyze/analyze_results.h"
#include "analyze/analyze_try.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/output_failed.h"
#include "base/save.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "library/cjson.h"
#include "search/search_input.h"

#define NEAR_TRIES 200 /* tries for a schedule that passes or fails, if the given one is of no use */
#define NEAR_TOGETHER 20U
#define POINTS_S 10.0 /* limit of the search for the same failure with more decision points */

static char near_sched[] = "--sched=near:p=0.3";

static struct analyze work = {.input = -1};

static struct {
	struct save results, page; /* open from the start if they are not regular */
} files;

__attribute__((format(printf, 1, 2))) static void set_verdict(const char *fmt, ...)
{
	va_list arguments;
	free(work.verdict);
	va_start(arguments, fmt);
	work.verdict = text_of_list(fmt, arguments);
	va_end(arguments);
}

/* --- before --- */

/* Tries a file before the runs, so that a bad path does not waste them. */
static void try_file(struct save *save, const char *path)
{
	const int result = path ? save_try(save, path) : 0;
	if (result)
		die("analyze: cannot write %s: %s", path, strerror(-result));
}

/* A schedule is read again, by its replay. */
static void try_schedule(const char *path)
{
	struct save save = {0};
	struct stat st;
	if (!stat(path, &st) && S_ISFIFO(st.st_mode))
		die("analyze: cannot write a schedule to %s, which is a FIFO; give a regular file", path);
	try_file(&save, path);
	save_abandon(&save);
}

static void prepare(void)
{
	struct error error;
	const struct search_option *runs = &work.option.runs;
	work.slots = memory_or_die(calloc(runs->jobs, sizeof(*work.slots)));
	if (cjson_load(&error))
		die("%s", error.text);
	for (unsigned i = 0; i < runs->jobs; i++)
		if (search_slot_open(&work.slots[i]))
			die("analyze: cannot make a file in memory: %s; give a smaller --jobs", strerror(errno));
	try_schedule(work.option.failing);
	try_schedule(work.option.passing);
	try_file(&files.results, runs->results_file);
	try_file(&files.page, work.option.html);
	work.input = search_input_keep("analyze");
	sigemptyset(&work.signals);
	sigaddset(&work.signals, SIGCHLD);
	sigaddset(&work.signals, SIGINT);
	sigaddset(&work.signals, SIGTERM);
	sigaddset(&work.signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &work.signals, &work.mask);
}

static void show_step(unsigned number, const char *step)
{
	analyze_progress_step(&work, number, step);
}

/* --- confirm --- */

/* Stops tries when they take much longer than the failing run. */
static void limit_time(double seconds)
{
	struct search_option *runs = &work.option.runs;
	char *word;
	work.limit_s = runs->has_timeout ? runs->timeout_s : 5 + 20 * seconds;
	if (runs->has_timeout)
		return;
	word = text_of("--timeout=%.0f", work.limit_s);
	option_words_append(&runs->run, &runs->run_count, word);
	runs->has_timeout = true;
}

/* Whether two runs did the same. Not try_outcome_is_same(): a run that --timeout stops ends at another decision and
 * another virtual time each time. */
static bool did_same(const struct analyze_try *a, const struct analyze_try *b)
{
	const struct try_outcome *x = &a->outcome.outcome, *y = &b->outcome.outcome;
	return x->end == y->end && x->status == y->status && x->events == y->events &&
	       !memcmp(x->chain, y->chain, sizeof(x->chain));
}

/* --fail-on=output compares with the output under fifo. */
static bool keep_output(void)
{
	struct analyze_try fifo = {.step = "output", .is_first = true, .records = true};
	if (!work.option.runs.failures.output)
		return true;
	const bool goes_on = analyze_try_all(&work, &fifo, 1);
	analyze_try_fini(&fifo);
	return goes_on;
}

/* Makes the failing run twice. Both have to fail, and to do the same. */
static bool confirm(void)
{
	struct analyze_try tries[2] = {{.step = "confirm", .records = true}, {.step = "confirm", .records = true}};
	char *word = work.option.schedule ? text_of("--schedule=%s", work.option.schedule) : NULL;
	for (unsigned i = 0; i < 2; i++) {
		tries[i].words[0] = word;
		for (int j = 0, count = 0; !word && j < 3; j++)
			if (work.option.sched[j])
				tries[i].words[count++] = work.option.sched[j];
	}
	show_step(1, "confirm the failure");
	if (!analyze_try_all(&work, tries, 2))
		return false;
	analyze_progress_stale(&work, &tries[0].outcome.outcome);
	const bool is_cut_short = tries[0].outcome.outcome.end == RUN_TIMEOUT;
	if (!is_cut_short && !did_same(&tries[0], &tries[1])) {
		set_verdict("the program is not deterministic here: two runs of this schedule do not do the same");
		analyze_leak_name(&work, word ? word : tries[0].words[0]);
		return true;
	}
	if (!tries[0].outcome.failed) {
		if (is_cut_short)
			set_verdict(
				"the program did not end under this schedule in %s, and is no failure by --fail-on; if "
				"it needs longer, give a longer --timeout",
				work.option.runs.has_timeout ? "the time of --timeout" : "60 seconds");
		else
			set_verdict("the program does not fail under this schedule: it ended with %s",
			            tries[0].outcome.end);
		return true;
	}
	work.identity = text_copy(tries[0].outcome.identity);
	work.end = text_copy(tries[0].outcome.end);
	work.stacks = text_copy(tries[0].outcome.stacks);
	work.said = text_copy(tries[0].outcome.said.lines);
	work.given = tries[0].schedule;
	tries[0].schedule = (struct schedule){0};
	limit_time(tries[0].seconds);
	analyze_inside_choose(&work);
	analyze_try_fini(&tries[0]);
	analyze_try_fini(&tries[1]);
	free(word);
	return true;
}

/* --- minimise --- */

/* Follows a schedule by a plan, in the order of time, which then has to do what the schedule did. Sets the uses. */
static bool follow(const struct schedule *schedule, enum try_ends wanted, struct plan *plan, bool *does)
{
	struct analyze_try made = {.step = "follow", .records = true};
	if (plan_of_schedule(plan, schedule, &work.error) || plan_add_stays(plan, schedule, &work.error))
		return false;
	for (size_t i = 0; i < plan->count; i++)
		memory_check(plan_add(&made.plan, &plan->entries[i]));
	plan_order(&made.plan);
	const bool goes_on = analyze_try_all(&work, &made, 1);
	*does = made.result == wanted;
	for (size_t i = 0; i < plan->count; i++) {
		const struct sched_plan *entry = plan_find(&made.plan, &plan->entries[i]);
		plan->entries[i].use = entry ? entry->use : SCHED_PLAN_UNUSED;
	}
	plan_fini(&made.plan);
	analyze_try_fini(&made);
	return goes_on;
}

/* Makes the runs of some seeds of random switches. Sets *seed to the first with this result, unless it is not 0. */
static bool try_near(unsigned from, const char *step, enum try_ends wanted, unsigned *seed)
{
	struct analyze_try *tries = memory_or_die(calloc(NEAR_TOGETHER, sizeof(*tries)));
	for (unsigned i = 0; i < NEAR_TOGETHER; i++) {
		tries[i] = (struct analyze_try){.step = step, .words = {near_sched}};
		tries[i].words[1] = text_of("--sched-seed=%u", from + i);
	}
	const bool goes_on = analyze_try_all(&work, tries, NEAR_TOGETHER);
	for (unsigned i = 0; i < NEAR_TOGETHER; i++) {
		if (goes_on && !*seed && tries[i].result == wanted)
			*seed = from + i;
		free(tries[i].words[1]);
		analyze_try_fini(&tries[i]);
	}
	free(tries);
	return goes_on;
}

/* Looks for a schedule with this result, by random switches, for at most `most_s` seconds. Sets *schedule, unless none
 * has it. */
static bool find_near(struct schedule *schedule, const char *step, enum try_ends wanted, double most_s)
{
	struct timespec began, now;
	struct analyze_try made = {.step = step, .words = {near_sched}, .records = true};
	bool goes_on = true;
	unsigned found = 0;
	clock_gettime(CLOCK_MONOTONIC, &began);
	now = began;
	for (unsigned seed = 1;
	     goes_on && !found && seed <= NEAR_TRIES && (double)(now.tv_sec - began.tv_sec) <= most_s;
	     seed += NEAR_TOGETHER) {
		goes_on = try_near(seed, step, wanted, &found);
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	if (!goes_on || !found)
		return goes_on;
	made.words[1] = text_of("--sched-seed=%u", found);
	goes_on = analyze_try_all(&work, &made, 1);
	if (goes_on && made.result == wanted) {
		*schedule = made.schedule;
		made.schedule = (struct schedule){0};
	}
	free(made.words[1]);
	analyze_try_fini(&made);
	return goes_on;
}

/* The given schedule cannot be followed by a plan: looks for another one under which the program fails in the same way,
 * and which can. */
static bool follow_another(struct plan *plan, bool *does)
{
	struct schedule other = {0};
	plan_fini(plan);
	show_step(0, "this schedule cannot be followed step by step: look for another one that fails in the same way");
	bool goes_on = find_near(&other, "fail", TRY_FAILS, HUGE_VAL);
	if (goes_on && other.count)
		goes_on = follow(&other, TRY_FAILS, plan, does);
	schedule_free(&other);
	return goes_on;
}

static bool has_preempt(const struct search_option *runs)
{
	for (int i = 0; i < runs->run_count; i++)
		if (!strncmp(runs->run[i], "--preempt", strlen("--preempt")))
			return true;
	return false;
}

/* Puts an option before those that were not given, or takes it out again. */
static void put_given(char *word, bool is_in)
{
	struct search_option *runs = &work.option.runs;
	char **at = &runs->run[work.run_given];
	if (is_in) {
		option_words_append(&runs->run, &runs->run_count, word);
		at = &runs->run[work.run_given++];
		memmove(at + 1, at, (size_t)(runs->run_count - work.run_given) * sizeof(*at));
		*at = word;
	} else {
		memmove(at - 1, at, (size_t)(runs->run_count - work.run_given) * sizeof(*at));
		work.run_given--;
		runs->run_count--;
	}
}

/* If threads are replaced at kernel calls alone, looks for the same failure with the accesses to shared memory as
 * decision points, so that the pair can be one of them. */
static bool add_points(void)
{
	struct schedule other = {0};
	char *word = analyze_races_points();
	if (!word || work.option.schedule || has_preempt(&work.option.runs))
		return true;
	put_given(word, true);
	const bool goes_on = find_near(&other, "points", TRY_FAILS, POINTS_S);
	if (other.count) {
		schedule_free(&work.given);
		work.given = other;
	} else {
		analyze_inside_end();
		put_given(word, false);
	}
	return goes_on;
}

/* The program fails under fifo: minimises a schedule that passes instead. */
static bool minimise_passing(void)
{
	struct schedule passing = {0};
	struct plan plan = {0};
	bool does = false;
	if (work.given.count <= 1) {
		set_verdict("the program fails without any choice between threads: no order of events decides");
		return true;
	}
	show_step(0, "it fails under fifo, too: look for a schedule that passes");
	if (!find_near(&passing, "pass", TRY_PASSES, HUGE_VAL))
		return false;
	if (!passing.count) {
		set_verdict(
			"the program fails under fifo and under each of %d other schedules: the order of events does "
			"not decide; a debugger can show it under fifo",
			NEAR_TRIES);
		return true;
	}
	work.minimal_passes = true;
	bool goes_on = follow(&passing, TRY_PASSES, &plan, &does);
	if (goes_on && !does)
		set_verdict(
			"a schedule that passes was found, but it cannot be followed step by step: search with another "
			"--search-seed, and analyze what that finds");
	else if (goes_on)
		goes_on = analyze_minimise(&work, &plan, TRY_PASSES);
	plan_fini(&plan);
	schedule_free(&passing);
	return goes_on;
}

static bool minimise(void)
{
	struct analyze_try fifo = {.step = "fifo"};
	struct plan plan = {0};
	bool does = false;
	bool goes_on = follow(&work.given, TRY_FAILS, &plan, &does) && analyze_try_all(&work, &fifo, 1);
	const bool fails_anyway = fifo.result == TRY_FAILS;
	analyze_try_fini(&fifo);
	if (goes_on && !does && !fails_anyway)
		goes_on = follow_another(&plan, &does);
	if (goes_on && !does && !fails_anyway) {
		set_verdict("the schedule cannot be followed step by step, and under %d other schedules the program "
		            "did not fail in this way: search with another --search-seed, and analyze what that finds",
		            NEAR_TRIES);
		plan_fini(&plan);
		return true;
	}
	if (goes_on && fails_anyway) {
		plan_fini(&plan);
		return minimise_passing();
	}
	show_step(2, "leave out what the failure does not need");
	goes_on = goes_on && analyze_minimise(&work, &plan, TRY_FAILS);
	plan_fini(&plan);
	return goes_on;
}

/* The run that only keeps the orders found may need fewer decisions than the given schedule: then these are shown. */
static void minimise_again(void)
{
	struct analyze_try made = {.step = "orders", .records = true};
	const struct plan before = work.minimal;
	const size_t entries = work.given_entries;
	struct plan plan = {0};
	bool does = false;
	if (work.minimal_passes || work.is_after || analyze_decides(&work) < DECIDES_TOGETHER)
		return;
	made.plan = analyze_flip_plan(&work);
	if (analyze_try_all(&work, &made, 1) && made.result == TRY_FAILS && !made.is_vain &&
	    follow(&made.schedule, TRY_FAILS, &plan, &does) && does) {
		work.minimal = (struct plan){0};
		const bool is_less = analyze_minimise(&work, &plan, TRY_FAILS) && work.minimal.count < before.count;
		if (is_less)
			analyze_looks_fini(&work.needed);
		else
			work.minimal = before;
		work.is_minimal = true;
		work.given_entries = entries;
		if (is_less)
			analyze_look_at_needed(&work);
	}
	plan_fini(&made.plan);
	plan_fini(&plan);
	analyze_try_fini(&made);
}

/* --- after --- */

static bool write_schedule(struct analyze_side *side, const char *path)
{
	struct save save = {0};
	int result = save_open(&save, path);
	if (!result) {
		schedule_print_header(save.to, &side->schedule.points);
		for (uint64_t i = 0; i < side->schedule.count; i++)
			schedule_print_record(save.to, &side->schedule.records[i]);
		result = save_commit(&save);
	}
	if (result)
		say("analyze: cannot write the schedule to %s: %s", path, strerror(-result));
	side->is_written = !result;
	return !result;
}

/* Replays a schedule that was written, twice. If its run was stopped by --timeout, the replays end at that place,
 * however long this host needs to come there. */
static bool replay(struct analyze_side *side, const char *path, enum try_ends wanted)
{
	struct analyze_try tries[2] = {{.step = "replay", .records = true}, {.step = "replay", .records = true}};
	static char day[] = "--timeout=86400";
	char *word = text_of("--schedule=%s", path);
	tries[0].words[0] = tries[1].words[0] = word;
	if (!strcmp(side->end, "timeout"))
		tries[0].words[1] = tries[1].words[1] = day;
	const bool goes_on = analyze_try_all(&work, tries, 2);
	side->replays = goes_on && tries[0].result == wanted && did_same(&tries[0], &tries[1]) &&
	                !strcmp(tries[0].outcome.end, side->end);
	side->is_replayed = goes_on && !analyze_is_stopped(&work);
	analyze_try_fini(&tries[0]);
	analyze_try_fini(&tries[1]);
	free(word);
	return goes_on;
}

static bool keep_sides(void)
{
	analyze_progress_replaced(&work);
	bool fits = !work.failing.is_known || write_schedule(&work.failing, work.option.failing);
	if (work.passing.is_known)
		fits = write_schedule(&work.passing, work.option.passing) && fits;
	if (work.failing.is_written && !analyze_is_stopped(&work))
		replay(&work.failing, work.option.failing, TRY_FAILS);
	if (work.passing.is_written && !analyze_is_stopped(&work))
		replay(&work.passing, work.option.passing, TRY_PASSES);
	return fits;
}

/* Writes the file of the results, if one is wanted. Returns whether that was possible. */
static bool write_results(void)
{
	const struct search_option *runs = &work.option.runs;
	if (!runs->results_file)
		return true;
	int result = save_reopen(&files.results, runs->results_file);
	if (!result) {
		analyze_results_put(files.results.to, runs->format, &work);
		result = save_commit(&files.results);
	}
	if (result)
		say("analyze: cannot write the results to %s: %s", runs->results_file, strerror(-result));
	return !result;
}

/* Says where the page is, also on a server without a screen, from which it is copied. */
static void say_page(const char *path)
{
	char *real = realpath(path, NULL);
	if (real && !work.option.runs.is_quiet)
		say("analyze: the page is %s; open it in a browser%s", real,
		    getenv("DISPLAY") || getenv("WAYLAND_DISPLAY") ? "" : ", or copy it to a host that has one");
	free(real);
}

/* Writes the page, if one is wanted. Returns whether that was possible. */
static bool write_page(void)
{
	if (!work.option.html)
		return true;
	if (analyze_is_stopped(&work) && !work.has_pair && !work.verdict) {
		say("analyze: the page is not written, because nothing was found yet");
		return true;
	}
	int result = save_reopen(&files.page, work.option.html);
	if (!result) {
		analyze_html_put(files.page.to, &work);
		result = save_commit(&files.page);
	}
	if (result)
		say("analyze: cannot write the page to %s: %s", work.option.html, strerror(-result));
	else
		say_page(work.option.html);
	return !result;
}

/* Writes all that was found: the files first, each of which is tried, because the reader of standard output may have
 * gone, which ends eremite by SIGPIPE. Returns whether that was possible. */
static bool write_all_results(void)
{
	const struct search_option *runs = &work.option.runs;
	const sighandler_t before = signal(SIGPIPE, SIG_IGN); /* a file may be a pipe */
	bool fits = write_results();
	fits = write_page() && fits;
	signal(SIGPIPE, before);
	analyze_results_put(stdout, runs->results_file ? RESULTS_TEXT : runs->format, &work);
	return say_if_output_failed("analyze") && fits;
}

/* The steps. Each is made only if the ones before have found what it needs. */
static void analyze(void)
{
	if (!keep_output() || !confirm() || work.verdict || !analyze_races_find(&work) || !add_points() ||
	    !analyze_locks_find(&work) || !minimise() || work.verdict)
		return;
	show_step(3, "bisect between the nearest schedules that fail and pass");
	if (!analyze_bisect(&work))
		return;
	show_step(4, "look at the threads around the events");
	if (!analyze_look_around(&work) || !work.has_pair)
		return;
	show_step(5, "try both orders under other schedules");
	if (!analyze_flip(&work))
		return;
	if (analyze_decides(&work) != DECIDES_NOT && analyze_rank_is_users(&work)) {
		minimise_again();
		return;
	}
	show_step(0, analyze_decides(&work) == DECIDES_NOT
	                     ? "this order does not decide: look for another one"
	                     : "this order is not in the program's own files: look for one "
	                       "that is");
	if (analyze_flip_again(&work))
		minimise_again();
}

/* Names the places of what was found until a signal. Another signal stops this, too. */
static void look_after_stop(void)
{
	const int signal = work.signal;
	const char *step = work.progress.step;
	if (!signal || work.error.text[0] || !work.minimal.count)
		return;
	work.signal = 0;
	if (!work.needed.count)
		analyze_look_around(&work);
	work.signal = signal;
	work.progress.step = step;
}

/* The options of the runs that look for races. */
static void take_races_run(void)
{
	for (int i = 0; i < work.run_given; i++) {
		char *word = work.option.runs.run[i];
		if (!strcmp(word, "--preempt"))
			i++; /* its value */
		else if (strncmp(word, "--preempt=", strlen("--preempt=")) &&
		         strncmp(word, "--timeout", strlen("--timeout")))
			option_words_append(&work.races_run, &work.races_run_count, word);
	}
}

int analyze_run(const struct analyze_option *option)
{
	work.option = *option;
	work.run_given = work.option.runs.run_count;
	take_races_run();
	prepare();
	analyze();
	analyze_inside_end();
	look_after_stop();
	bool fits = keep_sides();
	analyze_edits_measure(&work);
	fits = write_all_results() && fits;
	if (work.signal)
		return EXIT_SIGNAL_BASE + work.signal;
	if (work.error.text[0])
		say("analyze: %s", work.error.text);
	return work.error.text[0] || !fits ? EXIT_EREMITE : !work.has_pair;
}
