/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_search.h"
#include "base/die.h"
#include "base/save.h"
#include "base/text.h"
#include "base/value.h"
#include "cmdline/option_words.h"
#include "option/runs_options.h"
#include "search/search_program.h"

#define JOBS_MAX 1024U
#define SEEDS_DEFAULT 20U
#define SEEDS_MAX 100000U

static const char help_before[] =
	"Usage: eremite analyze [OPTION...] --schedule FILE [--] PROGRAM [ARG...]\n"
	"       eremite analyze [OPTION...] --sched POLICY --sched-seed N [--] PROGRAM [ARG...]\n"
	"       eremite analyze [OPTION...] --search RESULTS[:N]\n"
	"Find the two events whose order decides whether the program fails.\n"
	"\n";

static const char help_after[] =
	"\n"
	"Other options are those of 'eremite run', for each try, except those that save or record. Unless --timeout "
	"is\n"
	"given, the first run is stopped after 60 seconds, and a later one when it takes 20 times as long as that,\n"
	"and 5 seconds more.\n"
	"\n"
	"Exit status: 0 if two events were found, 1 if not, 125 if a try could not be made, 130 after ^C.\n";

static uint64_t number(const char *name, const char *text, uint64_t max)
{
	uint64_t value;
	if (value_number(text, &value) || !value || value > max)
		die("analyze: %s=%s: give a number from 1 to %lu", name, text, max);
	return value;
}

static char *joined(const char *name, const char *value)
{
	return text_of("%s%s", name, value);
}

static void set_file(char **to, const char *name, char *text)
{
	if (!*text)
		die("analyze: %s: give a file", name);
	if (*to)
		die("analyze: %s is given twice; give it once", name);
	*to = text;
}

#define TAKES_FILE(take, member, option) \
	static void take(struct analyze_option *options, char *text) \
	{ \
		set_file(&options->member, option, text); \
	}

/* Options that only set a member. */
TAKES_FILE(take_analyze_schedule, schedule, "--schedule")
TAKES_FILE(take_analyze_search, search, "--search")
TAKES_FILE(take_analyze_failing, failing, "--failing")
TAKES_FILE(take_analyze_passing, passing, "--passing")
TAKES_FILE(take_analyze_html, html, "--html")
OPTION_SETS(take_analyze_quiet, struct analyze_option, runs.is_quiet, true)
OPTION_SETS(take_analyze_seeds, struct analyze_option, seeds, number("--seeds", text, SEEDS_MAX))
OPTION_SETS(take_analyze_jobs, struct analyze_option, runs.jobs, (unsigned)number("--jobs", text, JOBS_MAX))

static void take_analyze_sched(struct analyze_option *option, char *text)
{
	set_file(&option->sched[0], "--sched", joined("--sched=", text));
}

static void take_analyze_sched_seed(struct analyze_option *option, char *text)
{
	set_file(&option->sched[1], "--sched-seed", joined("--sched-seed=", text));
}

static void take_analyze_from(struct analyze_option *option, char *text)
{
	set_file(&option->sched[2], "--from", joined("--from=", text));
}

static void take_analyze_fail_on(struct analyze_option *option, char *text)
{
	option->runs.has_failures = true;
	search_option_fail_on("analyze", &option->runs.failures, joined("", text));
}

static void take_analyze_results(struct analyze_option *option, char *text)
{
	struct search_option *runs = &option->runs;
	if (runs->has_results)
		die("analyze: --results is given twice; give it once");
	runs->has_results = true;
	runs->format = results_format_parse("analyze", text, &runs->results_file);
}

static bool take_own(struct analyze_option *option, struct option_words *words)
{
	static void (*const takes[])(struct analyze_option *, char *) = {ANALYZE_OPTIONS(OPTION_TAKE)};
	char *value;
	const struct option_row *row = option_words_own(words, &value);
	if (row)
		takes[row - option_table_analyze](option, value);
	return row;
}

/* Takes an option of `eremite run`. */
static void take_run(struct analyze_option *option, struct option_words *words)
{
	struct search_option *runs = &option->runs;
	const struct option_row *row = option_words_run_row(words);
	if (row && row->traits & OPTION_NOT_OF_ANALYZE)
		die("analyze: --%s is not for an analysis, which makes many runs and keeps nothing of them; leave it "
		    "out",
		    row->name);
	char *timeout = option_words_value(words, "--timeout");
	if (timeout) {
		if (value_seconds(timeout, &runs->timeout_s))
			die("analyze: --timeout '%s': give seconds, more than 0", timeout);
		runs->has_timeout = true;
		option_words_append(&runs->run, &runs->run_count, joined("--timeout=", timeout));
		return;
	}
	option_words_take(words, &runs->run, &runs->run_count);
}

static void parse_words(struct analyze_option *option, struct option_words *words)
{
	bool ends = false;
	for (; words->at < words->argc && !ends && words->argv[words->at][0] == '-' && words->argv[words->at][1];
	     words->at++) {
		ends = !strcmp(words->argv[words->at], "--");
		if (!ends && !take_own(option, words))
			take_run(option, words);
	}
	for (int i = words->at; i < words->argc; i++)
		option_words_append(&option->runs.program, &option->runs.program_count, words->argv[i]);
}

static void check(const struct analyze_option *option)
{
	if (!option->runs.program_count)
		die("analyze: no program given; see 'eremite analyze --help'");
	if (!option->schedule && !option->sched[0])
		die("analyze: no failing schedule given: add --search FILE, --schedule FILE, or --sched and "
		    "--sched-seed");
	if (option->schedule && (option->sched[0] || option->sched[1] || option->sched[2]))
		die("analyze: --schedule says all that --sched, --sched-seed and --from would; leave them out");
	if (option->runs.format != RESULTS_TEXT && option->runs.format != RESULTS_JSON)
		die("analyze: --results: give text or json");
}

/* Checks that no file that is written replaces another one, or one that is read. `search` is the file of --search;
 * empty: none. */
static void check_files(const struct analyze_option *option, const char *search)
{
	const char *const files[][2] = {{"--html", option->html},
	                                {"--failing", option->failing},
	                                {"--passing", option->passing},
	                                {"--results", option->runs.results_file},
	                                {"--schedule", option->schedule}, /* from here on they are read */
	                                {"--search", *search ? search : NULL}};
	const unsigned written = 4;
	for (unsigned i = 0; i < written; i++)
		for (unsigned j = i + 1; j < sizeof(files) / sizeof(files[0]); j++)
			if (files[i][1] && files[j][1] && save_is_same(files[i][1], files[j][1]))
				die(j < written ? "analyze: %s and %s are given the same file, %s; give two files"
				                : "analyze: %s would replace the file of %s, %s; give it another file",
				    files[i][0], files[j][0], files[i][1]);
	for (unsigned i = 0; i < written; i++)
		for (int j = 0; j < option->runs.program_count; j++) {
			static char path[PATH_MAX]; /* too large for a stack */
			const char *file = search_program_file(&option->runs, (unsigned)j, path);
			if (file && files[i][1] && save_is_same(files[i][1], file))
				die("analyze: %s would replace %s, which the runs read; give it another file",
				    files[i][0], file);
		}
}

void analyze_option_parse(struct analyze_option *option, int argc, char **argv)
{
	static char failing[] = "failing.schedule", passing[] = "passing.schedule", fifo[] = "--sched=fifo";
	struct option_words words = {"analyze", option_table_analyze, help_before, help_after, argc, 1, argv};
	struct analyze_search_found found = {0};
	char path[4096] = "";
	*option = (struct analyze_option){.seeds = SEEDS_DEFAULT,
	                                  .runs = {.jobs = results_format_jobs(), .from = "start"}};
	parse_words(option, &words);
	if (option->search) {
		if (option->runs.program_count || option->schedule || option->sched[0])
			die("analyze: --search names the program and its schedule; leave them out");
		words.argc = 0;
		words.at = 2;
		words.argv = analyze_search_words(option->search, path, sizeof(path), &words.argc, &found);
		option->search_seconds = found.seconds;
		option->races = found.races;
		option->differs = found.differs;
		parse_words(option, &words);
		if (!option->sched[0])
			option->sched[0] = fifo; /* the command needs no schedule of its own */
	}
	if (!option->runs.has_failures) {
		option->runs.failures.exit_other = option->runs.failures.signal = option->runs.failures.deadlock = true;
		option->runs.failures.timeout = found.is_timeout;
	}
	check(option);
	option->has_failing = option->failing;
	option->has_passing = option->passing;
	if (!option->failing)
		option->failing = failing;
	if (!option->passing)
		option->passing = passing;
	check_files(option, path);
}
