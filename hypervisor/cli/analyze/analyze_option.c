/* SPDX-License-Identifier: MIT */
#include "cli/analyze/analyze_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/save.h"
#include "base/value.h"
#include "cli/analyze/analyze_search.h"
#include "cli/option_words.h"
#include "cli/search/search_program.h"
#include "cli/verb_names.h"

#define JOBS_MAX 1024U
#define SEEDS_DEFAULT 20U
#define SEEDS_MAX 100000U

const char analyze_option_help[] =
	"Usage: eremite analyze [OPTION...] --schedule FILE [--] PROGRAM [ARG...]\n"
	"       eremite analyze [OPTION...] --sched POLICY --sched-seed N [--] PROGRAM [ARG...]\n"
	"       eremite analyze [OPTION...] --search RESULTS[:N]\n"
	"Find the two events whose order decides whether the program fails.\n\n"
	"      --schedule=FILE    The schedule under which the program fails, of --schedule-out\n"
	"      --search=FILE[:N]  The N-th way to fail (default: 1) in the JSON results of eremite search, with its\n"
	"                         options and program, but not standard input, and of --fail-on\n"
	"                         only timeout\n"
	"      --fail-on=LIST     What counts as a failure, as of eremite search\n"
	"                         (default: exit!=0,signal,deadlock)\n"
	"      --seeds=N          Seeds of the flip check (default: 20)\n"
	"      --failing=FILE     Write the nearest schedule that fails there (default: failing.schedule)\n"
	"      --passing=FILE     Write the nearest schedule that does not there (default: passing.schedule)\n"
	"  -j, --jobs=N           Run N tries at once (default: the number of processors)\n"
	"      --results=FORMAT[:FILE]  text or json (default: text); with FILE they are written there, and the text\n"
	"                         to standard output\n"
	"      --html=FILE        Write the results there as a page for a browser, too\n"
	"  -q, --quiet            Show no progress\n\n"
	"Other options are those of 'eremite run', for each try, except those that save or record. Unless --timeout "
	"is\n"
	"given, the first run is stopped after 60 seconds, and a later one when it takes 20 times as long as that,\n"
	"and 5 seconds more.\n\n"
	"Exit status: 0 if two events were found, 1 if not, 125 if a try could not be made, 130 after ^C.\n";

/* Options of `eremite run` that no try can have. */
static const char *const refused[] = {"--schedule-near", "--schedule-out", "--shared-out", "--verify",  "--save",
                                      "--out",           "--record",       "--replay",     "--summary", "--files-out",
                                      "--tty",           "--net",          "--publish"};

static uint64_t number(const char *name, const char *text, uint64_t max)
{
	uint64_t value;
	if (value_number(text, &value) || !value || value > max)
		die("analyze: %s=%s: give a number from 1 to %lu", name, text, max);
	return value;
}

static char *joined(const char *name, const char *value)
{
	char *word;
	if (asprintf(&word, "%s%s", name, value) < 0)
		die("out of memory");
	return word;
}

static void set(char **to, const char *name, char *text)
{
	if (!*text)
		die("analyze: %s: give a file", name);
	if (*to)
		die("analyze: %s is given twice; give it once", name);
	*to = text;
}

static bool take_own(struct analyze_option *option, struct option_words *words, bool *has_failures, char **search)
{
	const char *word = words->argv[words->at];
	struct search_option *runs = &option->runs;
	char *text;
	if ((text = option_words_value(words, "--schedule")))
		set(&option->schedule, "--schedule", text);
	else if ((text = option_words_value(words, "--sched")))
		set(&option->sched[0], "--sched", joined("--sched=", text));
	else if ((text = option_words_value(words, "--sched-seed")))
		set(&option->sched[1], "--sched-seed", joined("--sched-seed=", text));
	else if ((text = option_words_value(words, "--from")))
		set(&option->sched[2], "--from", joined("--from=", text));
	else if ((text = option_words_value(words, "--search")))
		set(search, "--search", text);
	else if ((text = option_words_value(words, "--failing")))
		set(&option->failing, "--failing", text);
	else if ((text = option_words_value(words, "--passing")))
		set(&option->passing, "--passing", text);
	else if ((text = option_words_value(words, "--html")))
		set(&option->html, "--html", text);
	else if ((text = option_words_value(words, "--seeds")))
		option->seeds = number("--seeds", text, SEEDS_MAX);
	else if ((text = option_words_value(words, "--fail-on"))) {
		*has_failures = true;
		search_option_fail_on("analyze", &runs->failures, joined("", text));
	} else if ((text = option_words_value(words, "--jobs")) || (text = option_words_value(words, "-j")))
		runs->jobs = (unsigned)number("--jobs", text, JOBS_MAX);
	else if ((text = option_words_value(words, "--results"))) {
		if (runs->has_results)
			die("analyze: --results is given twice; give it once");
		runs->has_results = true;
		runs->format = results_format_parse("analyze", text, &runs->results_file);
	} else if (!strcmp(word, "-q") || !strcmp(word, "--quiet"))
		runs->is_quiet = true;
	else if (!strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "-?"))
		exit(fputs(analyze_option_help, stdout) < 0);
	else
		return false;
	return true;
}

/* Takes an option of `eremite run`. */
static void take_run(struct analyze_option *option, struct option_words *words)
{
	struct search_option *runs = &option->runs;
	const char *word = words->argv[words->at];
	size_t bytes = strcspn(word, "=");
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strlen(refused[i]) == bytes && !strncmp(word, refused[i], bytes))
			die("analyze: %s is not for an analysis, which makes many runs and keeps nothing of them; "
			    "leave it out",
			    refused[i]);
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

static void parse_words(struct analyze_option *option, struct option_words *words, bool *has_failures, char **search)
{
	bool ends = false;
	for (; words->at < words->argc && !ends && words->argv[words->at][0] == '-' && words->argv[words->at][1];
	     words->at++) {
		ends = !strcmp(words->argv[words->at], "--");
		if (!ends && !take_own(option, words, has_failures, search))
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
	struct option_words words = {"analyze", analyze_option_help, argc, 1, argv};
	bool has_failures = false, is_timeout = false;
	char *search = NULL, path[4096] = "";
	*option = (struct analyze_option){.seeds = SEEDS_DEFAULT,
	                                  .runs = {.jobs = results_format_jobs(), .from = "start"}};
	parse_words(option, &words, &has_failures, &search);
	if (search) {
		if (option->runs.program_count || option->schedule || option->sched[0])
			die("analyze: --search names the program and its schedule; leave them out");
		words = (struct option_words){"analyze", analyze_option_help, 0, 2, NULL};
		words.argv = analyze_search_words(search, path, sizeof(path), &words.argc, &is_timeout,
		                                  &option->search_seconds, &option->races);
		parse_words(option, &words, &has_failures, &search);
		if (!option->sched[0])
			option->sched[0] = fifo; /* the command needs no schedule of its own */
	}
	if (!has_failures) {
		option->runs.failures.exit_other = option->runs.failures.signal = option->runs.failures.deadlock = true;
		option->runs.failures.timeout = is_timeout;
	}
	check(option);
	if (!option->failing)
		option->failing = failing;
	if (!option->passing)
		option->passing = passing;
	check_files(option, path);
}
