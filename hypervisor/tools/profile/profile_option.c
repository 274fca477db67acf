/* SPDX-License-Identifier: MIT */
#include "profile/profile_option.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/value.h"
#include "cmdline/option_words.h"
#include "option/runs_options.h"

#define TICKS_EVERY_NS 100000 /* 10,000 samples of a second */

static const char help_before[] =
	"Usage: eremite profile [OPTION...] [--] PROGRAM [ARG...]\n"
	"       eremite profile --compare A B\n"
	"Run a Linux program and say which of its functions take virtual time: the same in each run.\n"
	"\n";

static const char help_after[] =
	"\n"
	"Other options are those of 'eremite run'; the run is the one that it is there, and so is the exit status,\n"
	"unless the files cannot be written (125).\n";

static const char *const by_names[] = {[STRACE_BY_CALLS] = "calls",
                                       [STRACE_BY_FAULTS] = "faults",
                                       [STRACE_BY_TICKS] = "ticks",
                                       [STRACE_BY_PLACES] = "places"};

const char *profile_option_by(enum strace_sample_by by)
{
	return by_names[by];
}

static void take_profile_by(struct profile_option *option, char *text)
{
	for (unsigned i = STRACE_BY_CALLS; i <= STRACE_BY_PLACES; i++)
		if (!strcmp(text, by_names[i])) {
			option->by = (enum strace_sample_by)i;
			return;
		}
	die("profile: --by %s: give calls, faults, ticks or places", text);
}

static void take_profile_every(struct profile_option *option, char *text)
{
	if (value_number(text, &option->every) || !option->every || option->every > INT64_MAX / 4)
		die("profile: --every %s: give a number of calls, faults or nanoseconds, from 1", text);
}

static void take_profile_output(struct profile_option *option, char *text)
{
	if (!*text)
		die("profile: --output '': give a directory");
	if (option->output)
		die("profile: --output is given twice; give it once");
	option->output = text;
}

static void take_profile_compare(struct profile_option *option, char *text)
{
	(void)text;
	option->compares = true;
}

static void take_profile_quiet(struct profile_option *option, char *text)
{
	(void)text;
	option->is_quiet = true;
}

static bool take_own(struct profile_option *option, struct option_words *words)
{
	static void (*const takes[])(struct profile_option *, char *) = {PROFILE_OPTIONS(OPTION_TAKE)};
	char *value;
	const struct option_row *row = option_words_own(words, &value);
	if (row)
		takes[row - option_table_profile](option, value);
	return row;
}

static void parse_words(struct profile_option *option, struct option_words *words)
{
	bool ends = false;
	for (; words->at < words->argc && !ends && words->argv[words->at][0] == '-' && words->argv[words->at][1];
	     words->at++) {
		ends = !strcmp(words->argv[words->at], "--");
		if (!ends && !take_own(option, words))
			option_words_take(words, &option->run, &option->run_count);
	}
	for (int i = words->at; i < words->argc; i++)
		option_words_append(&option->program, &option->program_count, words->argv[i]);
}

void profile_option_parse(struct profile_option *option, int argc, char **argv)
{
	static char work[] = "--clock=work";
	struct option_words words = {"profile", option_table_profile, help_before, help_after, argc, 1, argv};
	*option = (struct profile_option){.by = STRACE_BY_CALLS};
	parse_words(option, &words);
	if (option->compares && option->program_count != 2)
		die("profile: --compare needs two files, the profile.json of two runs");
	if (option->compares && (option->run_count || option->output || option->every))
		die("profile: --compare runs no program; leave the other options out");
	if (!option->program_count)
		die("profile: no program given; see 'eremite profile --help'");
	if (option->by == STRACE_BY_PLACES && option->every)
		die("profile: --by places counts all places; leave --every out");
	if (!option->every)
		option->every = option->by == STRACE_BY_TICKS ? TICKS_EVERY_NS : 1;
	if (!option->output)
		option->output = "eremite-profile";
	if (option->by == STRACE_BY_TICKS || option->by == STRACE_BY_PLACES)
		option_words_append(&option->run, &option->run_count, work);
}
