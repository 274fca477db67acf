/* SPDX-License-Identifier: MIT */
#include "cli/image/verify_option.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/value.h"
#include "cli/image/verb_option.h"
#include "engine/choice.h"

#define RUNS_MAX 1000000U
#define JOBS_MAX 1024U

static const struct argp_option list[] = {
	{"runs", 'n', "N", 0, "Repeat each image N times (default: 1)", 1},
	{"jobs", 'j', "N", 0, "Verify N images at once (default: the number of processors)", 1},
	{"engine", 'e', "auto|kvm|process", 0, "The engine of the runs (default: auto)", 1},
	{"data", 'D', "DIR", 0, "Directory with the files that images need and do not contain (pack --external)", 1},
	{"keep", 'k', "DIR", 0, "Write outputs that differ to DIR/IMAGE/STEP/expected and DIR/IMAGE/STEP/actual", 1},
	{"results", 'r', "text|tap|junit|json[:FILE]", 0,
         "How to report the results (default: text); with FILE they are written there, and the text to standard output",
         1},
	{"timeout", 't', "SECONDS", 0, "Stop a run after this time; its image then counts as not verified", 1},
	{"quiet", 'q', NULL, 0, "Do not report images that pass", 1},
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
	if (value_seconds(text, &seconds))
		die("verify: --timeout=%s: give seconds, more than 0", text);
	option->timeout = text;
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
	case ARGP_KEY_ARGS:
		option->images = state->argv + state->next;
		option->image_count = (unsigned)(state->argc - state->next);
		return 0;
	case ARGP_KEY_NO_ARGS:
		die("verify: no image given; see 'eremite verify --help'");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void verify_option_parse(struct verify_option *option, int argc, char **argv)
{
	static const struct argp parser = {
		.options = list,
		.parser = parse,
		.args_doc = "FILE.eri...",
		.doc = "Repeat the runs that images have sealed, and compare everything: how they ended, their kernel "
		       "calls "
		       "and thread switches, output, files, memory and virtual time.\v"
		       "Exit status: 0 if all images pass, 122 if a run differs, 125 if an image cannot be verified.",
	};
	*option = (struct verify_option){.runs = 1, .jobs = results_format_jobs()};
	verb_option_parse(&parser, argc, argv, option);
}
