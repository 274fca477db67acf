/* SPDX-License-Identifier: MIT */
#include "search/search_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/value.h"
#include "cmdline/option_words.h"
#include "cmdline/tsan_library.h"
#include "eri/eri_image.h"
#include "guest/program.h"
#include "guest/program_main.h"
#include "option/runs_options.h"
#include "sched/from_option.h"
#include "sched/sched_option.h"
#include "search/search_points.h"
#include "search/search_profile.h"
#include "search/shards/search_shard.h"

#define RUNS_DEFAULT 10000U
#define JOBS_MAX 1024U

static const char help_before[] = "Usage: eremite search [OPTION...] [--] PROGRAM [ARG...]\n"
				  "Run a program under many schedules until each way in which it fails is known.\n"
				  "\n";

static const char help_after[] =
	"\n"
	"Other options are those of 'eremite run', for each try, except those that schedule, save or record. A try is "
	"stopped\n"
	"after --timeout 60.\n"
	"\n"
	"The command of a failure of a Linux program opens gdb with 'debug' in place of 'run'.\n"
	"\n"
	"Exit status: 0 if no try failed, 1 if one did, 125 if a try could not be made, 130 after ^C, 75 if\n"
	"it was stopped and --state or --resume can go on.\n";

static uint64_t number(const char *name, const char *text, uint64_t min, uint64_t max)
{
	uint64_t value;
	if (value_number(text, &value) || value < min || value > max)
		die("search: %s=%s: give a number from %lu to %lu", name, text, min, max);
	return value;
}

bool search_option_has_feedback(const char *policy)
{
	return !strcmp(policy, "feedback") || !strncmp(policy, "feedback:", 9);
}

/* Refuses a name that is no policy, with the names of those that a search takes. */
static void check_policy_name(const char *policy)
{
	static const char *const names[] = {"portfolio", "random", "pct", "pos",  "surw",   "urw",
	                                    "feedback",  "fifo",   "rr",  "near", "replay", NULL};
	char *name = text_of("%.*s", (int)strcspn(policy, ":"), policy);
	const char *nearest = value_nearest(name, names);
	for (unsigned i = 0; names[i]; i++)
		if (!strcmp(name, names[i])) {
			free(name);
			return;
		}
	die("search: --policy: there is no policy '%.80s'; a search takes portfolio, random, pct, pos, surw, urw, "
	    "feedback, fifo and rr%s%s",
	    name, nearest ? "; did you mean " : "", nearest ? nearest : "");
}

/* Refuses a policy that does not exist, and policies that follow a schedule file: a search has no such file. */
static void check_policy(const char *policy)
{
	static const char prefix[] = "--sched: ";
	struct sched_config config = {0};
	check_policy_name(policy);
	struct error error;
	char *known = search_option_has_feedback(policy) ? text_of("pos%s", policy + strlen("feedback"))
	                                                 : search_profile_policy(NULL, policy, 0, 0);
	if (sched_option_parse(known, &config, &error))
		die("search: --policy: %s",
		    error.text + (strncmp(error.text, prefix, strlen(prefix)) ? 0 : strlen(prefix)));
	free(known);
	free(config.counts);
	if (config.boot.policy == SCHED_near || config.boot.policy == SCHED_replay)
		die("search: --policy=%s follows a schedule, and tries of a search have none to follow; give another "
		    "policy",
		    policy);
}

static void add_policy(struct search_option *option, char *policy)
{
	if (option->policy_count == SEARCH_POLICIES_MAX)
		die("search: --policy names more than %u policies", SEARCH_POLICIES_MAX);
	for (char *at = strchr(policy, ':') ? strchr(policy, ':') + 1 : NULL; at && (at = strchr(at, ':')); at++)
		*at = ','; /* as in --sched */
	check_policy(policy);
	option->policies[option->policy_count++] = policy;
}

static void add_policies(struct search_option *option, const char *list)
{
	static const char *const portfolio[] = {"random",       "pos",      "surw", "pct:depth=2",
	                                        "random:p=0.1", "feedback", "urw",  "pct:depth=3"};
	char *copy = text_of("%s", list), *policy;
	while ((policy = strsep(&copy, ","))) {
		if (!*policy)
			die("search: --policy=%s has an empty name", list);
		if (strcmp(policy, "portfolio")) {
			add_policy(option, policy);
			continue;
		}
		for (unsigned i = 0; i < sizeof(portfolio) / sizeof(portfolio[0]); i++)
			add_policy(option, text_of("%s", portfolio[i]));
	}
}

static void set_regex(const char *verb, struct search_failures *failures, unsigned stream, const char *text)
{
	char why[200];
	if (failures->has_regex[stream])
		die("%s: --fail-on has two expressions for %s; join them by |", verb,
		    stream == 1 ? "stdout" : "stderr");
	int error = regcomp(&failures->regex[stream], text, REG_EXTENDED | REG_NEWLINE | REG_NOSUB);
	regerror(error, &failures->regex[stream], why, sizeof(why));
	if (error)
		die("%s: --fail-on: the regular expression '%s' is not valid: %s", verb, text, why);
	failures->has_regex[stream] = true;
}

void search_option_fail_on(const char *verb, struct search_failures *failures, char *list)
{
	for (char *name = list, *end; name; name = end) {
		if (!strncmp(name, "stdout=", 7) || !strncmp(name, "stderr=", 7)) {
			set_regex(verb, failures, name[3] == 'o' ? 1 : 2, name + 7);
			return;
		}
		end = strchr(name, ',');
		if (end)
			*end++ = 0;
		if (!strcmp(name, "exit!=0"))
			failures->exit_other = true;
		else if (!strcmp(name, "signal"))
			failures->signal = true;
		else if (!strcmp(name, "deadlock"))
			failures->deadlock = true;
		else if (!strcmp(name, "timeout"))
			failures->timeout = true;
		else if (!strcmp(name, "output"))
			failures->output = true;
		else if (!strcmp(name, "race"))
			failures->race = true;
		else
			die("%s: --fail-on: there is no failure '%s'; give exit!=0, signal, deadlock, timeout, "
			    "stdout=REGEX, stderr=REGEX, output or race",
			    verb, name);
	}
}

/* Options that only set a member. */
OPTION_SETS(take_search_resume, struct search_option, resume, text)
OPTION_SETS(take_search_state, struct search_option, state, text)
OPTION_SETS(take_search_prepare, struct search_option, prepare, text)
OPTION_SETS(take_search_prepared, struct search_option, prepared, text)
OPTION_SETS(take_search_no_races, struct search_option, finds_races, false)
OPTION_SETS(take_search_processes, struct search_option, uses_processes, true)
OPTION_SETS(take_search_check, struct search_option, checks, true)
OPTION_SETS(take_search_exit_code, struct search_option, shard.exits_by_result, true)
OPTION_SETS(take_search_merge, struct search_option, merges, true)
OPTION_SETS(take_search_verbose, struct search_option, is_verbose, true)
OPTION_SETS(take_search_quiet, struct search_option, is_quiet, true)
OPTION_SETS(take_search_runs, struct search_option, runs, number("--runs", text, 1, UINT32_MAX))
OPTION_SETS(take_search_max_failures, struct search_option, max_failures, number("--max-failures", text, 1, UINT32_MAX))
OPTION_SETS(take_search_seed, struct search_option, seed, number("--search-seed", text, 0, UINT32_MAX))
OPTION_SETS(take_search_jobs, struct search_option, jobs, (unsigned)number("--jobs", text, 1, JOBS_MAX))
OPTION_SETS(take_search_rounds, struct search_option, rounds, (unsigned)number("--rounds", text, 1, SEARCH_ROUNDS_MAX))

/* Sets what tells failures apart. A file is one of /out, because only these leave the guest. */
static void take_search_fail_by(struct search_option *option, char *text)
{
	char why[200];
	option_words_append(&option->fail_on, &option->fail_on_count, text_of("--fail-by=%s", text));
	if (option->fail_by.has_regex || option->fail_by.junit)
		die("search: --fail-by is given twice; join regular expressions by |");
	if (!strncmp(text, "junit:", 6)) {
		const char *path = text + 6;
		if (strncmp(path, "/out/", 5) || !path[5])
			die("search: --fail-by=%s: only files in /out can be read after a try; let the program write "
			    "its report there, and give junit:/out/FILE",
			    text);
		option->fail_by.junit = path + 5;
		return;
	}
	int error = regcomp(&option->fail_by.regex, text, REG_EXTENDED | REG_NEWLINE);
	regerror(error, &option->fail_by.regex, why, sizeof(why));
	if (error)
		die("search: --fail-by: the regular expression '%s' is not valid: %s", text, why);
	option->fail_by.has_regex = true;
}

static void take_search_results(struct search_option *option, char *text)
{
	if (option->has_results)
		die("search: --results is given twice; give it once");
	option->has_results = true;
	option->format = results_format_parse("search", text, &option->results_file);
}

static void take_search_time(struct search_option *option, char *text)
{
	if (value_seconds(text, &option->time_s))
		die("search: --time=%s: give seconds, more than 0", text);
}

static void take_search_stop_file(struct search_option *option, char *text)
{
	if (!*text)
		die("search: --stop-file '': give a file");
	option->stop_file = text;
}

static void take_search_policy(struct search_option *option, char *text)
{
	add_policies(option, text);
}

static void take_search_vary(struct search_option *option, char *text)
{
	option->vary |= search_vary_parse(text);
}

static void take_search_fail_on(struct search_option *option, char *text)
{
	option->has_failures = true;
	option_words_append(&option->fail_on, &option->fail_on_count, text_of("%s", text));
	search_option_fail_on("search", &option->failures, text);
}

static void take_search_from(struct search_option *option, char *text)
{
	struct sched_from from;
	struct error error;
	if (from_option_parse(text, &from, &error))
		die("search: --from %s", error.text);
	option->from = text;
}

/* `none` or `shared`; other values are those of `eremite run`. */
static void take_search_preempt(struct search_option *option, char *text)
{
	if (!strcmp(text, "none"))
		option->has_no_points = true;
	else
		option->points_tries = SEARCH_POINTS_TRIES;
}

/* Without a value, it takes --no-races back. */
static void take_search_races(struct search_option *option, char *text)
{
	if (!text) {
		option->finds_races = true;
		return;
	}
	if (strncmp(text, "sarif:", 6) || !text[6])
		die("search: --races=%s: give sarif:FILE; the races are in text and JSON without this option", text);
	if (option->sarif_file)
		die("search: --races=sarif is given twice; give it once");
	option->sarif_file = text + 6;
}

static void take_search_shards(struct search_option *option, char *text)
{
	shard_option_set_shards(&option->shard, "search", text);
}

static void take_search_shard(struct search_option *option, char *text)
{
	shard_option_set_shard(&option->shard, "search", text);
}

static void take_search_learnt(struct search_option *option, char *text)
{
	struct search_learnt *grown =
		memory_or_die(realloc(option->learnt, ((size_t)option->learnt_count + 1) * sizeof(*option->learnt)));
	option->learnt = grown;
	option->learnt[option->learnt_count++] = (struct search_learnt){.name = text};
}

static bool take_own(struct search_option *option, struct option_words *words)
{
	static void (*const takes[])(struct search_option *, char *) = {SEARCH_OPTIONS(OPTION_TAKE)};
	char *value;
	const char *word = words->argv[words->at];
	const struct option_row *row = option_words_own(words, &value);
	if (row)
		takes[row - option_table_search](option, value);
	if (row && !strcmp(word, "--learnt"))
		while (words->at + 1 < words->argc && words->argv[words->at + 1][0] != '-')
			take_search_learnt(option, words->argv[++words->at]);
	return row;
}

/* Whether --preempt, as the next words of a line that ends with NULL, has the value `atomics`. */
static bool is_atomics(char *const *words)
{
	const char *value = strchr(words[0], '=');
	return !strcmp(value ? value + 1 : words[1] ? words[1] : "", "atomics");
}

/* Takes an option of `eremite run`. */
static void take_run(struct search_option *option, struct option_words *words)
{
	const struct option_row *row = option_words_run_row(words);
	char *value;
	if (row && row->traits & OPTION_NOT_OF_SEARCH)
		die("search: --%s is not for a search, which makes many runs and keeps nothing of them; leave it out",
		    row->name);
	if ((value = option_words_value(words, "--timeout"))) {
		if (value_seconds(value, &option->timeout_s))
			die("search: --timeout '%s': give seconds, more than 0", value);
		option->has_timeout = true;
		option_words_append(&option->run, &option->run_count, text_of("--timeout=%s", value));
		return;
	}
	const int first = option->run_count;
	option_words_take(words, &option->run, &option->run_count);
	if (row && !strcmp(row->name, "preempt"))
		option->has_atomics |= is_atomics(option->run + first);
}

/* An input cannot both vary and have the value of an option. */
static void check_vary(const struct search_option *option)
{
	if (option->policy_count && !(option->vary & 1U << SEARCH_INPUT_sched))
		die("search: --policy says how schedules differ, but --vary does not name sched: add it, or leave "
		    "--policy "
		    "out");
	for (unsigned input = 0; input < SEARCH_INPUTS; input++) {
		const char *name = search_input_option(input);
		const size_t bytes = strlen(name);
		for (int i = 0; i < option->run_count && option->vary & 1U << input; i++)
			if (!strncmp(option->run[i], name, bytes) &&
			    (option->run[i][bytes] == '=' || !option->run[i][bytes]))
				die("search: %s gives one value for what --vary=%s varies: leave one of them out", name,
				    search_input_name(input));
	}
}

/* Whether the program is a native image that is not sealed. */
bool search_option_is_native(const struct search_option *option)
{
	return program_kind(option->program[0]) == PROGRAM_IMAGE && !eri_image_is(option->program[0]);
}

static bool has_run_option(const struct search_option *option, const char *name)
{
	const size_t bytes = strlen(name);
	for (int i = 0; i < option->run_count; i++)
		if (!strncmp(option->run[i], name, bytes) && (option->run[i][bytes] == '=' || !option->run[i][bytes]))
			return true;
	return false;
}

/* Whether the last --clock of the runs is work: its value is the rest of the word, or the next one. */
static bool has_clock_work(const struct search_option *option)
{
	static const char name[] = "--clock";
	const size_t bytes = sizeof(name) - 1;
	bool is = false;
	for (int i = 0; i < option->run_count; i++) {
		const char *word = option->run[i], *next = i + 1 < option->run_count ? option->run[i + 1] : "";
		if (!strncmp(word, name, bytes) && (word[bytes] == '=' || !word[bytes]))
			is = !strcmp(word[bytes] ? word + bytes + 1 : next, "work");
	}
	return is;
}

/* Whether a file is where programs are installed. */
static bool is_installed(const char *path)
{
	static const char *const places[] = {"/usr/",   "/bin/", "/sbin/", "/lib/",
	                                     "/lib64/", "/opt/", "/nix/",  "/snap/"};
	char *real = realpath(path, NULL);
	bool is = !real;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]) && !is; i++)
		is = !strncmp(real, places[i], strlen(places[i]));
	free(real);
	return is;
}

bool search_option_is_own(const struct search_option *option)
{
	uint64_t distance;
	bool named;
	return program_kind(option->program[0]) != PROGRAM_IMAGE && !has_run_option(option, "--root") &&
	       !program_main(option->program[0], &distance, &named) && (named || !is_installed(option->program[0]));
}

/* On one processor, Go's scheduler runs goroutines one after the other. */
static void choose_processors(struct search_option *option)
{
	static char several[] = "--cpus=4";
	const bool is_given = has_run_option(option, "--cpus") || option->vary & 1U << SEARCH_INPUT_cpus;
	if (!is_given && option->vary & 1U << SEARCH_INPUT_sched && program_is_go(option->program[0]))
		option_words_append(&option->run, &option->run_count, several);
}

/* Chooses the decision points of a program of one's own. If only other inputs than the schedule vary, no point
 * matters. */
static void choose_points(struct search_option *option, bool is_of_user)
{
	const bool has_points = has_run_option(option, "--preempt"),
		   is_image = program_kind(option->program[0]) == PROGRAM_IMAGE;
	const bool varies = option->vary & 1U << SEARCH_INPUT_sched;
	if (option->points_tries && option->has_no_points)
		die("search: --preempt=none and --preempt=shared contradict each other; leave one of them out");
	if (option->points_tries && is_image)
		die("search: --preempt is for Linux programs; %s is a native image or sealed: compile a native one "
		    "with eremite-cc "
		    "-fpreempt=memory",
		    option->program[0]);
	if (!option->has_no_points && !has_points && varies && is_of_user)
		option->points_tries = SEARCH_POINTS_TRIES;
	if (!varies)
		option->points_tries = 0;
	option->finds_races = option->finds_races && option->points_tries;
	option->has_few_points = !is_image && !has_points && !option->points_tries && !has_clock_work(option);
}

/* Chooses between tries in guests and processes, and where the policies start. */
static void choose_way(struct search_option *option, bool is_of_user)
{
	const bool is_given = option->from;
	if (!is_given)
		option->from = search_option_is_native(option) || is_of_user ? "main" : "start";
	if (option->uses_processes)
		option->why_not = "--processes is given";
	else if (eri_image_is(option->program[0]))
		option->why_not = "the program is a sealed image";
	else if (!strcmp(option->from, "start"))
		option->why_not = is_given ? "--from start is given"
		                           : "they need a point: give --from main, call:N or marker:NAME";
	else if (option->fail_by.junit)
		option->why_not = "--fail-by reads a file of each";
	else if (option->vary != 1U << SEARCH_INPUT_sched)
		option->why_not = "--vary names another input than sched";
}

/* The seed moves the memory of Linux programs, too, unless --layout-seed is given. */
static void choose_profile(struct search_option *option)
{
	const unsigned moving = 1U << SEARCH_INPUT_layout | 1U << SEARCH_INPUT_seed;
	option->moves_memory = option->vary & moving && !search_option_is_native(option);
	for (unsigned i = 0; i < option->policy_count && option->vary & 1U << SEARCH_INPUT_sched; i++)
		if (search_profile_serves(option->policies[i]) || search_option_has_feedback(option->policies[i]))
			option->profile_tries = SEARCH_PROFILE_TRIES;
	for (unsigned i = 0; i < option->policy_count && option->profile_tries && !option->moves_memory; i++)
		option->wants_feedback = option->wants_feedback || search_option_has_feedback(option->policies[i]);
}

/* A list with feedback learns from the first tries, and races are seen in these. */
static void choose_pairs(struct search_option *option)
{
	option->tries_pairs = option->finds_races && option->wants_feedback;
}

/* Races are seen in the tries that list points. */
static void check_races(const struct search_option *option)
{
	if (option->sarif_file && !option->finds_races)
		die("search: --races=sarif:FILE needs --preempt shared, and not --no-races: races are seen in the "
		    "tries "
		    "that find points");
	if (option->failures.race && !option->finds_races)
		die("search: --fail-on race needs --preempt shared, and not --no-races: races are seen in the tries "
		    "that find points");
}

/* Races of a program that was compiled with -fsanitize=thread are named by Eremite's library, unless --bind shows
 * another one, or --root other files. It is an option of each try, and so stands in the commands. */
static void show_tsan_library(struct search_option *option)
{
	char *bind = tsan_library_bind(option->program[0]);
	for (int i = 0; bind && i < option->run_count; i++)
		if (strstr(option->run[i], "libtsan.so") || !strncmp(option->run[i], "--root", 6)) {
			free(bind);
			bind = NULL;
		}
	if (bind)
		option_words_append(&option->run, &option->run_count, text_of("--bind=%s", bind));
	free(bind);
}

/* Whether an option for tries is given. */
static bool is_for_tries(const struct search_option *option)
{
	return option->time_s > 0 || option->max_failures || option->stop_file || option->seed ||
	       !option->finds_races || option->fail_by.has_regex || option->fail_by.junit || option->uses_processes ||
	       option->checks || option->shard.shard || option->has_no_points || option->runs != RUNS_DEFAULT ||
	       option->from;
}

void search_option_parse(struct search_option *option, int argc, char **argv)
{
	struct option_words words = {"search", option_table_search, help_before, help_after, argc, 1, argv};
	bool ends = false;
	*option = (struct search_option){.runs = RUNS_DEFAULT,
	                                 .timeout_s = SEARCH_TIMEOUT_S,
	                                 .jobs = results_format_jobs(),
	                                 .finds_races = true};
	for (; words.at < argc && !ends && argv[words.at][0] == '-' && argv[words.at][1]; words.at++) {
		ends = !strcmp(argv[words.at], "--");
		if (!ends && !take_own(option, &words))
			take_run(option, &words);
	}
	for (int i = words.at; i < argc; i++)
		option_words_append(&option->program, &option->program_count, argv[i]);
	if (!option->program_count)
		die(option->merges ? "search: --merge without files; give those of all shards"
		    : option->learnt
		            ? "search: no program given; the files of --learnt go up to the next option, or to --"
		    : option->resume ? "search: no program given; --resume takes the options and the program of the "
		                       "earlier search again: eremite search --resume FILE PROGRAM"
		                     : "search: no program given; see 'eremite search --help'");
	if (option->merges) {
		if (option->run_count || is_for_tries(option) || option->resume || option->state || option->prepare ||
		    option->prepared || option->shard.shards || option->rounds || option->learnt ||
		    option->policy_count || option->vary || option->has_failures)
			die("search: --merge makes no try: give nothing with it but --results, --races and files");
		return;
	}
	if (!option->vary)
		option->vary = 1U << SEARCH_INPUT_sched;
	check_vary(option);
	if (!option->policy_count)
		add_policies(option, "portfolio");
	show_tsan_library(option);
	const bool is_of_user = search_option_is_own(option);
	if (is_of_user)
		choose_processors(option);
	choose_points(option, is_of_user);
	choose_way(option, is_of_user);
	choose_profile(option);
	choose_pairs(option);
	check_races(option);
	if (!option->has_failures)
		option->failures.exit_other = option->failures.signal = option->failures.deadlock = true;
	search_shard_settle(option);
}
