/* SPDX-License-Identifier: MIT */
#include "cli/image/verify_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/value.h"
#include "cli/image/verb_option.h"
#include "cli/verb_names.h"
#include "engine/choice.h"

#define TIMEOUT_MOST_S 1e9  /* that eremite run takes */
#define TIMEOUT_FACTOR 10.0 /* of what the packed run took: this host may be slower, and loaded */

#define RUNS_MAX 1000000U
#define JOBS_MAX 1024U

enum { KEY_SHARDS = 0x100, KEY_SHARD, KEY_EXIT_CODE, KEY_MERGE };

const struct argp_option verify_option_list[] = {
	{"runs", 'n', "N", 0, "Repeat each image N times (default: 1)", 1},
	{"jobs", 'j', "N", 0, "Verify N images at once (default: the number of processors)", 1},
	{"engine", 'e', "auto|kvm|process", 0, "The engine of the runs (default: auto)", 1},
	{"data", 'D', "DIR", 0, "Directory with the files that images need and do not contain (pack --external)", 1},
	{"keep", 'k', "DIR", 0, "Write outputs that differ to DIR/IMAGE/STEP/expected and DIR/IMAGE/STEP/actual", 1},
	{"results", 'r', "text|tap|junit|json[:FILE]", 0,
         "How to report the results (default: text); with FILE they are written there, and the text to standard output",
         1},
	{"timeout", 't', "SECONDS", 0,
         "Stop a run after this time, and end with status 121; 0: never (default: 10 times what the packed run took, "
         "and at "
         "least 10 minutes)",
         1},
	{"identity", 'i', "HASH", 0, "Fail unless the image has this identity, such as a paper gives it", 1},
	{"signed-by", 's', "KEYS", 0,
         "Fail unless FILE.eri.sig is a signature of the image by a key in KEYS, a list of allowed signers "
         "(ssh-keygen(1)); see eremite sign",
         1},
	{"shards", KEY_SHARDS, "N", 0, "Cut the images into N parts, which many machines verify", 1},
	{"shard", KEY_SHARD, "K", 0,
         "Verify part K, from 1 (default: the task of a Slurm array or the pod of an Indexed Job); its results are for "
         "--merge, and the status is 0 when they are complete",
         1},
	{"exit-code", KEY_EXIT_CODE, NULL, 0, "End a part with the status that its images have", 1},
	{"merge", KEY_MERGE, NULL, 0, "Report the results of all parts, files of --results=json:FILE", 1},
	{"verbose", 'v', NULL, 0, "Also report what was checked, and each step", 1},
	{"quiet", 'q', NULL, 0, "Do not report images that pass, if their kernel is one of Eremite's", 1},
	{0},
};

static unsigned number(const char *name, const char *text, unsigned max)
{
	uint64_t value;
	if (value_number(text, &value) || !value || value > max)
		die("verify: %s=%s: give a number from 1 to %u", name, text, max);
	return (unsigned)value;
}

static void set_engine(struct verify_option *option, char *text)
{
	if (strcmp(text, "auto") && !engine_named(text))
		die("verify: there is no engine '%s'; give auto, kvm or process", text);
	option->engine = text;
}

static void set_timeout(struct verify_option *option, char *text)
{
	double seconds;
	option->has_timeout = strcmp(text, "0") != 0;
	option->timeout = option->has_timeout ? text : NULL;
	if (option->has_timeout && value_seconds(text, &seconds))
		die("verify: --timeout=%s: give seconds, or 0 for none", text);
}

static void set_identity(struct verify_option *option, char *text)
{
	char *digits = !strncmp(text, "sha256:", 7) ? text + 7 : text;
	for (char *at = digits; *at; at++)
		*at = (char)(*at >= 'A' && *at <= 'F' ? *at - 'A' + 'a' : *at);
	if (strlen(digits) != 64 || strspn(digits, "0123456789abcdef") != 64)
		die("verify: --identity=%s: give 64 hexadecimal digits, as eremite info prints them", text);
	option->identity = digits;
}

static void set_keys(struct verify_option *option, char *path)
{
	if (access(path, R_OK))
		die("verify: --signed-by: cannot read %s: %s", path, strerror(errno));
	option->keys = path;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct verify_option *option = state->input;
	switch (key) {
	case 'n':
		option->runs = number("--runs", argument, RUNS_MAX);
		return 0;
	case 'j':
		option->jobs = number("--jobs", argument, JOBS_MAX);
		return 0;
	case 'e':
		set_engine(option, argument);
		return 0;
	case 'D':
		option->data = argument;
		return 0;
	case 'k':
		option->keep = argument;
		return 0;
	case 'r':
		option->format = results_format_parse("verify", argument, &option->results_file);
		return 0;
	case 't':
		set_timeout(option, argument);
		return 0;
	case 'q':
		option->is_quiet = true;
		return 0;
	case 'v':
		option->is_verbose = true;
		return 0;
	case 'i':
		set_identity(option, argument);
		return 0;
	case 's':
		set_keys(option, argument);
		return 0;
	case KEY_SHARDS:
		shard_option_set_shards(&option->shard, "verify", argument);
		return 0;
	case KEY_SHARD:
		shard_option_set_shard(&option->shard, "verify", argument);
		return 0;
	case KEY_EXIT_CODE:
		option->shard.exits_by_result = true;
		return 0;
	case KEY_MERGE:
		option->merges = true;
		return 0;
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
		.options = verify_option_list,
		.parser = parse,
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
	verb_option_parse(&parser, argc, argv, option);
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
