/* SPDX-License-Identifier: MIT */
/* Options of `eremite pack` are taken out of the line; all others are left to the parser of `eremite run`, which the
 * child calls. */
#include "pack/pack_option.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "option/runs_options.h"

/* Work on the line. */
struct line {
	struct pack_option *option;
	struct option_words words;
	char **common; /* options of all steps */
	int common_count;
};

static const char help_before[] =
	"Usage: eremite pack -o FILE.eri [OPTION...] -- PROGRAM [ARG...]\n"
	"       eremite pack -o FILE.eri [OPTION...] --step NAME [OPTION...] -- PROGRAM [ARG...] --step NAME ...\n"
	"Run a program once, and seal the run into an image: the program, the files that it read, its arguments, seeds "
	"and\n"
	"options, what it wrote, and its digest. The output and the exit status are the run's.\n"
	"\n";

static const char help_after[] =
	"\n"
	"All options of 'eremite run' that are inputs of a run can be given, too; see 'eremite run --help'.\n";

/* Options that only set a member. */
OPTION_SETS(take_pack_with_recording, struct pack_option, recording, text)
OPTION_SETS(take_pack_from_oci, struct pack_option, oci, text)
OPTION_SETS(take_pack_no_run, struct pack_option, no_run, true)
OPTION_SETS(take_pack_check_portable, struct pack_option, check_portable, true)
OPTION_SETS(take_pack_compress, struct pack_option, compress, true)
OPTION_SETS(take_pack_quiet, struct pack_option, is_quiet, true)
OPTION_SETS(take_pack_verbose, struct pack_option, is_verbose, true)

static void take_pack_output(struct pack_option *option, char *text)
{
	if (option->output)
		die("pack: -o is given twice; give it once");
	option->output = text;
}

/* A path as it is in the guest, where the run resolves it. */
static char *absolute(char *path)
{
	char here[PATH_MAX], *text;
	if (*path == '/')
		return path;
	if (!getcwd(here, sizeof(here)))
		die("pack: --include=%s: the working directory does not exist; give an absolute path", path);
	text = text_of("%s/%s", here, path);
	return text;
}

static void take_pack_include(struct pack_option *option, char *text)
{
	option_words_append(&option->includes, (int *)&option->include_count, absolute(text));
}

static void take_pack_exclude(struct pack_option *option, char *text)
{
	option_words_append(&option->excludes, (int *)&option->exclude_count, text);
}

static void take_pack_external(struct pack_option *option, char *text)
{
	option_words_append(&option->externals, (int *)&option->external_count, text);
}

static void take_pack_strict(struct pack_option *option, char *)
{
	option->check_portable = option->strict = true;
}

static bool take_own_option(struct line *line)
{
	static void (*const takes[])(struct pack_option *, char *) = {PACK_OPTIONS(OPTION_TAKE)};
	char *value;
	const struct option_row *row = option_words_own(&line->words, &value);
	if (row)
		takes[row - option_table_pack](line->option, value);
	return row;
}

static bool is_step(const char *word)
{
	return !strcmp(word, "--step") || !strncmp(word, "--step=", 7);
}

/* Takes the options of a step, or of all steps, up to the program. Returns whether a program follows. */
static bool take_line_options(struct line *line, char ***to, int *count)
{
	for (; line->words.at < line->words.argc; line->words.at++) {
		const char *word = line->words.argv[line->words.at];
		if (!strcmp(word, "--")) {
			line->words.at++;
			return true;
		}
		if (is_step(word) || word[0] != '-' || !word[1])
			return word[0] != '-' || !word[1];
		if (!take_own_option(line))
			option_words_take(&line->words, to, count);
	}
	return false;
}

/* Takes a program and its arguments; in a line with steps, up to the next step. */
static void take_line_step(struct line *line, char *name, char *title)
{
	struct pack_option *option = line->option;
	struct pack_run *run = &option->runs[option->run_count];
	static char separator[] = "--", none[] = "main";
	const bool has_steps = name;
	if (option->run_count == ERI_STEPS_MAX)
		die("pack: an image can have %u steps, and this is one more", ERI_STEPS_MAX);
	run->step = name ? name : none;
	if (!eri_manifest_is_step(run->step))
		die("pack: --step '%s': give a name of letters, digits, dots, - and _", run->step);
	for (unsigned i = 0; i < option->run_count; i++)
		if (!strcmp(option->runs[i].step, run->step))
			die("pack: --step %s is given twice; give each step a name of its own", run->step);
	option_words_append(&run->argv, &run->argc, title);
	for (int i = 0; i < line->common_count; i++)
		option_words_append(&run->argv, &run->argc, line->common[i]);
	bool has_program = take_line_options(line, &run->argv, &run->argc);
	option_words_append(&run->argv, &run->argc, separator);
	int first = run->argc;
	for (; has_program && line->words.at < line->words.argc &&
	       !(has_steps && is_step(line->words.argv[line->words.at]));
	     line->words.at++)
		option_words_append(&run->argv, &run->argc, line->words.argv[line->words.at]);
	run->program = first;
	if (run->argc == first && !option->oci && !option->recording)
		die("pack: no program given%s%s; see 'eremite pack --help'", has_steps ? " for the step " : "",
		    has_steps ? run->step : "");
	option->run_count++;
}

void pack_option_insert(struct pack_run *run, char *text)
{
	char *last = text;
	option_words_append(&run->argv, &run->argc, text);
	for (int i = 1; i < run->argc; i++) {
		char *now = run->argv[i];
		run->argv[i] = last;
		last = now;
	}
	run->program++;
}

static void insert_value(struct pack_run *run, const char *option, const char *value)
{
	char *text = text_of("%s%s", option, value);
	pack_option_insert(run, text);
}

static bool sets(const struct oci_config *config, const char *name)
{
	for (unsigned i = 0; i < config->environment_count; i++)
		if (!strncmp(config->environment[i], name, strlen(name)))
			return config->environment[i][strlen(name)];
	return false;
}

/* Options that are inserted are before the user's own, which so replace them. The environment is that of `docker run`,
 * in its order: PATH and HOSTNAME if the image has none, what the image has, and HOME. */
void pack_option_container(struct pack_run *run, const char *root, const struct oci_config *config)
{
	static char no_environment[] = "--no-env",
		    path[] = "--env=PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		    host[] = "--env=HOSTNAME=eremite";
	char **rest = NULL;
	int count = 0;
	insert_value(run, "--user=", config->credentials);
	if (*config->workdir)
		insert_value(run, "--workdir=", config->workdir);
	if (!sets(config, "HOME="))
		insert_value(run, "--env=HOME=", config->home);
	for (unsigned i = config->environment_count; i--;)
		insert_value(run, "--env=", config->environment[i]);
	pack_option_insert(run, host);
	pack_option_insert(run, path);
	pack_option_insert(run, no_environment);
	insert_value(run, "--root=", root);
	const bool has_arguments = run->argc > run->program;
	for (int i = run->program; i < run->argc; i++)
		option_words_append(&rest, &count, run->argv[i]);
	run->argc = run->program;
	for (unsigned i = 0; i < (has_arguments ? config->entrypoint_count : config->argument_count); i++)
		option_words_append(&run->argv, &run->argc, config->arguments[i]);
	for (int i = 0; i < count; i++)
		option_words_append(&run->argv, &run->argc, rest[i]);
	free(rest);
}

/* Makes the run of a recording. */
static void add_replay(struct pack_run *run, char *dir)
{
	char *text = text_of("--replay=%s", dir);
	pack_option_insert(run, text);
	run->recording = dir;
	if (run->argc == run->program)
		run->argv[--run->argc] = NULL; /* the "--" before no program */
}

void pack_option_parse(struct pack_option *option, int argc, char **argv)
{
	struct line line = {.option = option,
	                    .words = {"pack", option_table_pack, help_before, help_after, argc, 1, argv}};
	char **common = NULL;
	int count = 0;
	bool has_program = take_line_options(&line, &common, &count);
	line.common = common;
	line.common_count = count;
	if ((has_program && line.words.at < argc) || option->oci || option->recording) {
		take_line_step(&line, NULL, argv[0]);
	} else {
		while (line.words.at < argc && is_step(argv[line.words.at])) {
			char *name = option_words_value(&line.words, "--step");
			line.words.at++;
			take_line_step(&line, name, argv[0]);
		}
	}
	if (!option->run_count)
		die("pack: no program given; see 'eremite pack --help'");
	if (option->oci && option->recording)
		die("pack: --from-oci and --with-recording cannot go together; leave one of them out");
	if (option->recording)
		add_replay(&option->runs[0], option->recording);
	if (!option->output)
		die("pack: no image given; give its name by -o FILE.eri");
}
