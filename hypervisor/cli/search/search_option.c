/* SPDX-License-Identifier: MIT */
#include "cli/search/search_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "base/value.h"
#include "cli/option_words.h"
#include "cli/search/search_points.h"
#include "cli/search/search_profile.h"
#include "cli/search/search_shard.h"
#include "cli/tsan_library.h"
#include "cli/verb_names.h"
#include "eri/eri_image.h"
#include "guest/program.h"
#include "guest/program_main.h"
#include "sched/from_option.h"
#include "sched/sched_option.h"

#define RUNS_DEFAULT 10000U
#define JOBS_MAX 1024U

const char search_option_help[] =
	"Usage: eremite search [OPTION...] [--] PROGRAM [ARG...]\n"
	"Run a program under many schedules until each way in which it fails is known.\n\n"
	"  -n, --runs=N           Try N schedules (default: 10000)\n"
	"      --time=SECONDS     Stop after this time; tries that run do not count\n"
	"      --max-failures=N   Stop when N tries have failed; 1: at the first failure\n"
	"      --search-seed=N    Draw other schedules (default: 0)\n"
	"      --policy=LIST      Policies of --sched, separated by commas, in turn; parameters as in\n"
	"                         pct:depth=2:steps=100 (default: portfolio: random, pos, surw, pct, feedback and urw "
	"in\n"
	"                         turn); two early tries find parameters for pct and surw that have none; urw is "
	"surw\n"
	"                         on all points or all objects; feedback learns from tries which reads are to get\n"
	"                         their values from which writes, and in a list with it, policies that find more get "
	"more\n"
	"                         tries\n"
	"      --vary=LIST        Inputs that differ from try to try, separated by commas: sched (the schedule), seed "
	"(random\n"
	"                         numbers), epoch (the date), layout (where memory is), cpus (the number of "
	"processors),\n"
	"                         net-fault (faults of the guest's network) (default: sched)\n"
	"      --fail-on=LIST     What counts as a failure, separated by commas: exit!=0, signal, deadlock, timeout,\n"
	"                         stdout=REGEX, stderr=REGEX, output, race (default: exit!=0,signal,deadlock); a "
	"regular\n"
	"                         expression (regex(7)) is the last of its list; repeatable\n"
	"      --fail-by=WHAT     Tell failures apart by the matches of a regular expression in their output, or by "
	"the "
	"failed\n"
	"                         tests of a JUnit file, junit:/out/FILE (default: by the tests that pytest, unittest, "
	"ctest,\n"
	"                         go test, cargo test, GoogleTest and TAP name, sanitizers, panics, exceptions, "
	"assertions)\n"
	"      --from=POINT       Where the policy starts, as --from of 'eremite run' (default: main for native\n"
	"                         images and programs of your own, else start); tries from another point\n"
	"                         than start are made in a living guest\n"
	"      --preempt=WHAT     As of 'eremite run'; shared: the first tries list the instructions that touch memory "
	"of\n"
	"                         two threads, before which the others switch; none: only kernel calls are decision\n"
	"                         points (default for programs of your own: shared; for installed ones none)\n"
	"      --races=sarif:FILE Write the data races as SARIF 2.1.0, too, for editors and CI systems\n"
	"      --no-races         Report no data races; by default, those between the accesses of the first tries are\n"
	"                         reported, for programs whose points are shared\n"
	"      --processes        Make each try in a process of its own; it finds the same, and is slower\n"
	"      --check            Make each try that was made in a guest in a process, too, and compare them; refused "
	"if\n"
	"                         no tries are made in guests\n"
	"  -j, --jobs=N           Run N tries at once (default: the number of processors)\n"
	"      --results=FORMAT[:FILE]  text, tap, junit or json (default: text); with FILE they are written there, "
	"and\n"
	"                         the text to standard output\n"
	"      --resume=FILE      Go on where an earlier search was stopped, by its results in JSON\n"
	"      --prepare=FILE     Make only the tries from which the others learn, and keep them in FILE\n"
	"      --prepared=FILE    Take these tries from FILE, as each of many shards does\n"
	"      --shards=N         Cut the tries into N shards, which many machines make; without --shard, one after "
	"the "
	"other\n"
	"      --shard=K          Make shard K, from 1 (default: the task of a Slurm array or the pod of an Indexed "
	"Job); "
	"its\n"
	"                         results are for --merge, and the status is 0 when they are complete\n"
	"      --exit-code        End a shard with the status of its tries\n"
	"      --merge FILE...    Report the results of all shards, files of --results=json:FILE; no try is made\n"
	"  -q, --quiet            Show no progress\n"
	"  -v, --verbose          Say how many tries were made in guests, or why none is\n\n"
	"Other options are those of 'eremite run', for each try, except those that schedule, save or record. A try is "
	"stopped\n"
	"after --timeout 60.\n\n"
	"Exit status: 0 if no try failed, 1 if one did, 125 if a try could not be made, 130 after ^C, 75 if\n"
	"it was stopped and --resume can go on.\n";

/* Options of `eremite run` that a search sets itself, or that no try can have. */
static const char *const refused[] = {"--sched",   "--sched-seed", "--schedule", "--schedule-out", "--shared-out",
                                      "--verify",  "--save",       "--out",      "--record",       "--replay",
                                      "--summary", "--files-out",  "--tty",      "--net",          "--publish"};

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
	char error[256], *known = search_option_has_feedback(policy) ? text_of("pos%s", policy + strlen("feedback"))
	                                                             : search_profile_policy(NULL, policy, 0, 0);
	if (sched_option_parse(known, &config, error))
		die("search: --policy: %s", error + (strncmp(error, prefix, strlen(prefix)) ? 0 : strlen(prefix)));
	free(known);
	free(config.counts);
	if (config.boot.policy == SCHED_near || config.boot.policy == SCHED_replay)
		die("search: --policy=%s follows a schedule, and tries of a search have none to follow; give another "
		    "policy",
		    policy);
}

/* Takes the values of --preempt that are the search's own. */
static bool take_points(struct search_option *option, struct option_words *words)
{
	static const char name[] = "--preempt";
	const size_t bytes = sizeof(name) - 1;
	const char *word = words->argv[words->at];
	const bool is_next = !strcmp(word, name) && words->at + 1 < words->argc;
	if (strncmp(word, name, bytes) || (word[bytes] != '=' && !is_next))
		return false;
	const char *value = is_next ? words->argv[words->at + 1] : word + bytes + 1;
	option->has_atomics |= !strcmp(value, "atomics");
	if (!strcmp(value, "none"))
		option->has_no_points = true;
	else if (!strcmp(value, "shared"))
		option->points_tries = SEARCH_POINTS_TRIES;
	else
		return false;
	words->at += is_next;
	return true;
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

/* Sets what tells failures apart. A file is one of /out, because only these leave the guest. */
static void set_fail_by(struct search_option *option, const char *text)
{
	char why[200];
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

/* Takes the file in a value of --races. */
static void set_sarif_file(struct search_option *option, const char *value)
{
	if (strncmp(value, "sarif:", 6) || !value[6])
		die("search: --races=%s: give sarif:FILE; the races are in text and JSON without this option", value);
	if (option->sarif_file)
		die("search: --races=sarif is given twice; give it once");
	option->sarif_file = value + 6;
}

static void set_results(struct search_option *option, char *text)
{
	if (option->has_results)
		die("search: --results is given twice; give it once");
	option->has_results = true;
	option->format = results_format_parse("search", text, &option->results_file);
}

static bool take_own(struct search_option *option, struct option_words *words, bool *has_failures)
{
	const char *word = words->argv[words->at];
	char *text;
	if ((text = option_words_value(words, "--runs")) || (text = option_words_value(words, "-n")))
		option->runs = number("--runs", text, 1, UINT32_MAX);
	else if ((text = option_words_value(words, "--time"))) {
		if (value_seconds(text, &option->time_s))
			die("search: --time=%s: give seconds, more than 0", text);
	} else if ((text = option_words_value(words, "--max-failures")))
		option->max_failures = number("--max-failures", text, 1, UINT32_MAX);
	else if ((text = option_words_value(words, "--search-seed")))
		option->seed = number("--search-seed", text, 0, UINT32_MAX);
	else if ((text = option_words_value(words, "--policy")))
		add_policies(option, text);
	else if (take_points(option, words))
		;
	else if ((text = option_words_value(words, "--vary")))
		option->vary |= search_vary_parse(text);
	else if ((text = option_words_value(words, "--fail-on"))) {
		*has_failures = true;
		option_words_append(&option->fail_on, &option->fail_on_count, text_of("%s", text));
		search_option_fail_on("search", &option->failures, text);
	} else if ((text = option_words_value(words, "--fail-by"))) {
		option_words_append(&option->fail_on, &option->fail_on_count, text_of("--fail-by=%s", text));
		set_fail_by(option, text);
	} else if ((text = option_words_value(words, "--jobs")) || (text = option_words_value(words, "-j")))
		option->jobs = (unsigned)number("--jobs", text, 1, JOBS_MAX);
	else if ((text = option_words_value(words, "--results")))
		set_results(option, text);
	else if ((text = option_words_value(words, "--from"))) {
		struct sched_from from;
		char error[256];
		if (from_option_parse(text, &from, error))
			die("search: --from %s", error);
		option->from = text;
	} else if (!strcmp(word, "--races") || !strcmp(word, "--no-races"))
		option->finds_races = !strcmp(word, "--races");
	else if (!strncmp(word, "--races=", 8))
		set_sarif_file(option, word + 8);
	else if (!strcmp(word, "--processes"))
		option->uses_processes = true;
	else if (!strcmp(word, "--check"))
		option->checks = true;
	else if ((text = option_words_value(words, "--resume")))
		option->resume = text;
	else if ((text = option_words_value(words, "--prepare")))
		option->prepare = text;
	else if ((text = option_words_value(words, "--prepared")))
		option->prepared = text;
	else if ((text = option_words_value(words, "--shards")))
		shard_option_set_shards(&option->shard, "search", text);
	else if ((text = option_words_value(words, "--shard")))
		shard_option_set_shard(&option->shard, "search", text);
	else if (!strcmp(word, "--exit-code"))
		option->shard.exits_by_result = true;
	else if (!strcmp(word, "--merge"))
		option->merges = true;
	else if (!strcmp(word, "-v") || !strcmp(word, "--verbose"))
		option->is_verbose = true;
	else if (!strcmp(word, "-q") || !strcmp(word, "--quiet"))
		option->is_quiet = true;
	else if (!strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "-?"))
		exit(fputs(search_option_help, stdout) < 0);
	else
		return false;
	return true;
}

static void take_run(struct search_option *option, struct option_words *words)
{
	const char *word = words->argv[words->at];
	char *value;
	size_t bytes = strcspn(word, "=");
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (strlen(refused[i]) == bytes && !strncmp(word, refused[i], bytes))
			die("search: %s is not for a search, which makes many runs and keeps nothing of them; leave it "
			    "out",
			    refused[i]);
	if ((value = option_words_value(words, "--timeout"))) {
		if (value_seconds(value, &option->timeout_s))
			die("search: --timeout '%s': give seconds, more than 0", value);
		option->has_timeout = true;
		option_words_append(&option->run, &option->run_count, text_of("--timeout=%s", value));
		return;
	}
	option_words_take(words, &option->run, &option->run_count);
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
static bool is_native(const struct search_option *option)
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
	option->has_few_points = !is_image && !has_points && !option->points_tries;
}

/* Chooses between tries in guests and processes, and where the policies start. */
static void choose_way(struct search_option *option, bool is_of_user)
{
	const bool is_given = option->from;
	if (!is_given)
		option->from = is_native(option) || is_of_user ? "main" : "start";
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
	option->moves_memory = option->vary & moving && !is_native(option);
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

/* The tries of this shard, or of all. */
static void choose_shard(struct search_option *option)
{
	shard_option_settle(&option->shard, "search");
	if (option->shard.shards && option->failures.output)
		die("search: --fail-on=output compares with the first try, and is not for shards");
	if (option->shard.shard && (option->format != RESULTS_JSON || !option->results_file))
		die("search: the results of a shard are a file for --merge; give --results=json:FILE");
	if (option->shard.shards && !option->shard.shard && option->resume)
		die("search: --resume goes on with one shard; name it by --shard");
	if (option->prepare && (option->shard.shards || option->resume || option->prepared))
		die("search: --prepare makes the tries that all shards need, before any; leave out --shards, --shard, "
		    "--resume and --prepared");
	option->all_runs = option->runs;
	option->runs = option->prepare ? search_shard_common(option) : search_shard_runs(option, option->runs);
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

void search_option_parse(struct search_option *option, int argc, char **argv)
{
	struct option_words words = {"search", search_option_help, argc, 1, argv};
	bool has_failures = false, ends = false;
	*option = (struct search_option){.runs = RUNS_DEFAULT,
	                                 .timeout_s = SEARCH_TIMEOUT_S,
	                                 .jobs = results_format_jobs(),
	                                 .finds_races = true};
	for (; words.at < argc && !ends && argv[words.at][0] == '-' && argv[words.at][1]; words.at++) {
		ends = !strcmp(argv[words.at], "--");
		if (!ends && !take_own(option, &words, &has_failures))
			take_run(option, &words);
	}
	for (int i = words.at; i < argc; i++)
		option_words_append(&option->program, &option->program_count, argv[i]);
	if (!option->program_count)
		die(option->resume ? "search: no program given; --resume takes the options and the program of the "
		                     "earlier search again: eremite search --resume FILE PROGRAM"
		                   : "search: no program given; see 'eremite search --help'");
	if (option->merges) {
		if (option->run_count || option->resume || option->prepare || option->prepared ||
		    option->shard.shards || option->policy_count || option->vary || has_failures)
			die("search: --merge makes no try: give nothing with it but --results and files");
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
	if (!has_failures)
		option->failures.exit_other = option->failures.signal = option->failures.deadlock = true;
	choose_shard(option);
}
