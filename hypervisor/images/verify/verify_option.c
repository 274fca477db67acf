/* SPDX-License-Identifier: MIT */
#include "verify/verify_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/value.h"
#include "cmdline/option_argp.h"
#include "cmdline/verb_option.h"
#include "engine/choice.h"
#include "option/verb_options.h"

#define TIMEOUT_MOST_S 1e9  /* that eremite run takes */
#define TIMEOUT_FACTOR 10.0 /* of what the packed run took: this host may be slower, and loaded */

#define RUNS_MAX 1000000U
#define JOBS_MAX 1024U

static unsigned verify_number(const char *name, const char *text, unsigned max)
{
	uint64_t value;
	if (value_number(text, &value) || !value || value > max)
		die("verify: %s=%s: give a number from 1 to %u", name, text, max);
	return (unsigned)value;
}

/* Options that only set a member. */
OPTION_SETS(take_verify_data, struct verify_option, data, text)
OPTION_SETS(take_verify_keep, struct verify_option, keep, text)
OPTION_SETS(take_verify_quiet, struct verify_option, is_quiet, true)
OPTION_SETS(take_verify_verbose, struct verify_option, is_verbose, true)
OPTION_SETS(take_verify_exit_code, struct verify_option, shard.exits_by_result, true)
OPTION_SETS(take_verify_merge, struct verify_option, merges, true)
OPTION_SETS(take_verify_runs, struct verify_option, runs, verify_number("--runs", text, RUNS_MAX))
OPTION_SETS(take_verify_jobs, struct verify_option, jobs, verify_number("--jobs", text, JOBS_MAX))

static void take_verify_engine(struct verify_option *option, char *text)
{
	if (strcmp(text, "auto") && !engine_named(text))
		die("verify: there is no engine '%s'; give auto, kvm or process", text);
	option->engine = text;
}

static void take_verify_timeout(struct verify_option *option, char *text)
{
	double seconds;
	option->has_timeout = strcmp(text, "0") != 0;
	option->timeout = option->has_timeout ? text : NULL;
	if (option->has_timeout && value_seconds(text, &seconds))
		die("verify: --timeout=%s: give seconds, or 0 for none", text);
}

static void take_verify_identity(struct verify_option *option, char *text)
{
	char *digits = !strncmp(text, "sha256:", 7) ? text + 7 : text;
	if (strlen(digits) != 64 || strspn(digits, "0123456789abcdefABCDEF") != 64)
		die("verify: --identity=%s: give 64 hexadecimal digits, as eremite info prints them", text);
	for (char *at = digits; *at; at++)
		*at = (char)(*at >= 'A' && *at <= 'F' ? *at - 'A' + 'a' : *at);
	option->identity = digits;
}

static void take_verify_signed_by(struct verify_option *option, char *path)
{
	struct stat st;
	if (access(path, R_OK) || stat(path, &st))
		die("verify: --signed-by: cannot read %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode)) /* ssh-keygen would wait for a FIFO */
		die("verify: --signed-by: %s is not a regular file; give a file in the form of allowed_signers of "
		    "ssh-keygen",
		    path);
	option->keys = path;
}

static void take_verify_results(struct verify_option *option, char *text)
{
	option->format = results_format_parse("verify", text, &option->results_file);
}

static void take_verify_shards(struct verify_option *option, char *text)
{
	shard_option_set_shards(&option->shard, "verify", text);
}

static void take_verify_shard(struct verify_option *option, char *text)
{
	shard_option_set_shard(&option->shard, "verify", text);
}

static error_t parse_verify_option(int key, char *argument, struct argp_state *state)
{
	struct verify_option *option = state->input;
	static void (*const takes[])(struct verify_option *, char *) = {VERIFY_OPTIONS(OPTION_TAKE)};
	const struct option_row *row = option_argp_row(option_table_verify, key);
	if (row) {
		takes[row - option_table_verify](option, argument);
		return 0;
	}
	switch (key) {
	case ARGP_KEY_ARGS:
		option->given = state->argv + state->next;
		option->given_count = (unsigned)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		die("verify: no image given; see 'eremite verify --help'");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The results of shards are merged without any run. */
static void check_merge(const struct verify_option *option)
{
	const struct {
		const char *name;
		bool is_given;
	} others[] = {
		{"--runs", option->runs != 1},
		{"--engine", option->engine},
		{"--jobs", option->jobs},
		{"--data", option->data},
		{"--keep", option->keep},
		{"--timeout", option->timeout || !option->has_timeout},
		{"--identity", option->identity},
		{"--signed-by", option->keys},
		{"--shards", option->shard.shards},
		{"--shard", option->shard.shard},
		{"--exit-code", option->shard.exits_by_result},
		{"--verbose", option->is_verbose},
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].is_given)
			die("verify: --merge makes no run, so %s cannot go with it", others[i].name);
}

/* Finds the images, or those of this shard. */
static void find_images(struct verify_option *option)
{
	struct verify_images images = {0};
	shard_option_settle(&option->shard, "verify");
	if (option->shard.shard && (option->format != RESULTS_JSON || !option->results_file))
		die("verify: the results of a shard are a file for --merge; give --results=json:FILE");
	verify_images_find(&images, option->given, option->given_count);
	option->all_count = images.count;
	if (option->shard.shard) {
		verify_images_hash(&images, option->all_hash);
		verify_images_cut(&images, option->shard.shards, option->shard.shard);
	}
	option->images = images.names;
	option->image_count = images.count;
}

void verify_option_parse(struct verify_option *option, int argc, char **argv)
{
	static const struct argp parser = {
		.parser = parse_verify_option,
		.args_doc = "FILE.eri|DIR...\n--merge RESULTS...",
		.doc = "Repeat the runs that images have sealed, and compare everything: how they ended, their kernel "
		       "calls "
		       "and thread switches, output, files, memory and virtual time.\v"
		       "A directory stands for the images *.eri in it. "
		       "Exit status: 0 if all images pass, 122 if a run or a file of an image differs, 121 if a run "
		       "takes too "
		       "long, 125 if an image cannot be verified.",
	};
	*option = (struct verify_option){.runs = 1, .has_timeout = true};
	verb_option_parse(&parser, option_table_verify, argc, argv, option);
	if (option->merges) {
		check_merge(option);
		return;
	}
	find_images(option);
	option->jobs = option->jobs ? option->jobs : results_format_jobs();
	if (option->identity && option->image_count > 1)
		die("verify: --identity is that of one image, and %u are given", option->image_count);
}

double verify_option_timeout(uint64_t wall_minutes)
{
	const double limit = (double)wall_minutes * 60 * TIMEOUT_FACTOR;
	return limit > TIMEOUT_MOST_S           ? TIMEOUT_MOST_S
	       : limit > VERIFY_TIMEOUT_LEAST_S ? limit
	                                        : VERIFY_TIMEOUT_LEAST_S;
}
