/* SPDX-License-Identifier: MIT */
/* Options of `eremite pack` are taken out of the line; all others are left to the parser of `eremite run`, which the
 * child calls. */
#include "cli/image/pack_option.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/option_list.h"

/* Work on the line. */
struct line {
	struct pack_option *option;
	int argc, at;
	char **argv;
	char **common; /* options of all steps */
	int common_count;
};

static const char help[] =
	"Usage: eremite pack -o FILE.eri [OPTION...] -- PROGRAM [ARG...]\n"
	"       eremite pack -o FILE.eri [OPTION...] --step NAME [OPTION...] -- PROGRAM [ARG...] --step NAME ...\n"
	"Run a program once, and seal the run into an image: the program, the files that it read, its arguments, seeds "
	"and\n"
	"options, what it wrote, and its digest. The output and the exit status are the run's.\n\n"
	"  -o, --output=FILE      The image to be made\n"
	"      --include=PATH     Put this file or directory of the host into the image, too; repeatable\n"
	"      --exclude=PATTERN  Leave the contents of matching files out (glob(7); * matches slashes); repeatable\n"
	"      --external=PATTERN Leave matching files out, but keep their size and SHA-256; whoever runs the image "
	"supplies\n"
	"                         them by --data; repeatable\n"
	"      --with-recording=DIR  Seal a recording of eremite run --record: the run repeats offline. PROGRAM is "
	"left out\n"
	"      --from-oci=IMAGE[:TAG]  Seal an image of a container: an OCI layout, or an archive of docker save. ARGs "
	"replace\n"
	"                         its command\n"
	"      --no-run           Do not run the program: the image has no digest, and only the files of --include or "
	"--root\n"
	"      --check-portable   List the instructions in what was packed whose results depend on the processor\n"
	"      --strict           The same, and make no image if there are any\n"
	"      --compress         Compress the image\n"
	"      --step=NAME        Begin another step, which sees what earlier ones have saved\n"
	"  -q, --quiet            Do not say what was packed\n\n"
	"All options of 'eremite run' that are inputs of a run can be given, too; see 'eremite run --help'.\n";

static void append(char ***array, int *count, char *text)
{
	char **grown = realloc(*array, ((size_t)*count + 2) * sizeof(**array));
	if (!grown)
		die("out of memory");
	grown[(*count)++] = text;
	grown[*count] = NULL;
	*array = grown;
}

/* If the word is this option, returns its value, which may be the next word. */
static char *value_of(struct line *line, const char *name)
{
	char *word = line->argv[line->at];
	size_t bytes = strlen(name);
	if (strncmp(word, name, bytes) || (word[bytes] && word[bytes] != '=' && name[1] == '-'))
		return NULL;
	if (word[bytes] == '=' && name[1] == '-')
		return word + bytes + 1;
	if (word[bytes])
		return word + bytes;
	if (line->at + 1 >= line->argc)
		die("pack: %s needs a value; see 'eremite pack --help'", name);
	return line->argv[++line->at];
}

/* The entry of an option of `eremite run`, or NULL. */
static const struct argp_option *entry_of(const char *word)
{
	const struct argp_option *entry = option_list;
	size_t bytes = strcspn(word, "=");
	for (; entry->name || entry->key; entry++)
		if (word[1] == '-' ? entry->name && strlen(entry->name) == bytes - 2 &&
		                             !strncmp(word + 2, entry->name, bytes - 2)
		                   : entry->key == word[1])
			return entry;
	return NULL;
}

/* Takes an option of `eremite run`, with its value. */
static void take_run_option(struct line *line, char ***to, int *count)
{
	char *word = line->argv[line->at];
	const struct argp_option *entry = entry_of(word);
	append(to, count, word);
	bool has_value = word[1] == '-' ? strchr(word, '=') != NULL : word[2] != 0;
	if (entry && entry->arg && !(entry->flags & OPTION_ARG_OPTIONAL) && !has_value && line->at + 1 < line->argc)
		append(to, count, line->argv[++line->at]);
}

static void set_output(struct pack_option *option, char *text)
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
	if (asprintf(&text, "%s/%s", here, path) < 0)
		die("out of memory");
	return text;
}

static bool take_own_option(struct line *line)
{
	struct pack_option *option = line->option;
	const char *word = line->argv[line->at];
	char *text;
	if ((text = value_of(line, "--output")) || (text = value_of(line, "-o")))
		set_output(option, text);
	else if ((text = value_of(line, "--include")))
		append(&option->includes, (int *)&option->include_count, absolute(text));
	else if ((text = value_of(line, "--exclude")))
		append(&option->excludes, (int *)&option->exclude_count, text);
	else if ((text = value_of(line, "--external")))
		append(&option->externals, (int *)&option->external_count, text);
	else if ((text = value_of(line, "--with-recording")))
		option->recording = text;
	else if ((text = value_of(line, "--from-oci")))
		option->oci = text;
	else if (!strcmp(word, "--no-run"))
		option->no_run = true;
	else if (!strcmp(word, "--check-portable"))
		option->check_portable = true;
	else if (!strcmp(word, "--strict"))
		option->check_portable = option->strict = true;
	else if (!strcmp(word, "--compress"))
		option->compress = true;
	else if (!strcmp(word, "-q") || !strcmp(word, "--quiet"))
		option->is_quiet = true;
	else if (!strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "-?"))
		exit(fputs(help, stdout) < 0);
	else
		return false;
	return true;
}

static bool is_step(const char *word)
{
	return !strcmp(word, "--step") || !strncmp(word, "--step=", 7);
}

static bool is_name(const char *name)
{
	return *name && strlen(name) < 100 && strcmp(name, ".") && strcmp(name, "..") &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == strlen(name);
}

/* Takes the options of a step, or of all steps, up to the program. Returns whether a program follows. */
static bool take_options(struct line *line, char ***to, int *count)
{
	for (; line->at < line->argc; line->at++) {
		const char *word = line->argv[line->at];
		if (!strcmp(word, "--")) {
			line->at++;
			return true;
		}
		if (is_step(word) || word[0] != '-' || !word[1])
			return word[0] != '-' || !word[1];
		if (!take_own_option(line))
			take_run_option(line, to, count);
	}
	return false;
}

/* Takes a program and its arguments; in a line with steps, up to the next step. */
static void take_step(struct line *line, char *name, char *title)
{
	struct pack_option *option = line->option;
	struct pack_run *run = &option->runs[option->run_count];
	static char separator[] = "--", none[] = "main";
	const bool has_steps = name;
	if (option->run_count == ERI_STEPS_MAX)
		die("pack: an image can have %u steps, and this is one more", ERI_STEPS_MAX);
	run->step = name ? name : none;
	if (!is_name(run->step))
		die("pack: --step '%s': give a name of letters, digits, dots, - and _", run->step);
	for (unsigned i = 0; i < option->run_count; i++)
		if (!strcmp(option->runs[i].step, run->step))
			die("pack: --step %s is given twice; give each step a name of its own", run->step);
	append(&run->argv, &run->argc, title);
	for (int i = 0; i < line->common_count; i++)
		append(&run->argv, &run->argc, line->common[i]);
	bool has_program = take_options(line, &run->argv, &run->argc);
	append(&run->argv, &run->argc, separator);
	int first = run->argc;
	for (; has_program && line->at < line->argc && !(has_steps && is_step(line->argv[line->at])); line->at++)
		append(&run->argv, &run->argc, line->argv[line->at]);
	run->program = first;
	if (run->argc == first && !option->oci && !option->recording)
		die("pack: no program given%s%s; see 'eremite pack --help'", has_steps ? " for the step " : "",
		    has_steps ? run->step : "");
	option->run_count++;
}

void pack_option_insert(struct pack_run *run, char *text)
{
	char *last = text;
	append(&run->argv, &run->argc, text);
	for (int i = 1; i < run->argc; i++) {
		char *now = run->argv[i];
		run->argv[i] = last;
		last = now;
	}
	run->program++;
}

void pack_option_container(struct pack_run *run, char *root, const struct oci_config *config)
{
	char *text, **rest = NULL;
	int count = 0;
	for (unsigned i = config->environment_count; i--;) {
		if (asprintf(&text, "--env=%s", config->environment[i]) < 0)
			die("out of memory");
		pack_option_insert(run, text);
	}
	if (*config->workdir) {
		if (asprintf(&text, "--workdir=%s", config->workdir) < 0)
			die("out of memory");
		pack_option_insert(run, text);
	}
	pack_option_insert(run, root);
	const bool has_arguments = run->argc > run->program;
	for (int i = run->program; i < run->argc; i++)
		append(&rest, &count, run->argv[i]);
	run->argc = run->program;
	for (unsigned i = 0; i < (has_arguments ? config->entrypoint_count : config->argument_count); i++)
		append(&run->argv, &run->argc, config->arguments[i]);
	for (int i = 0; i < count; i++)
		append(&run->argv, &run->argc, rest[i]);
	free(rest);
}

/* Makes the run of a recording. */
static void add_replay(struct pack_run *run, char *dir)
{
	char *text;
	if (asprintf(&text, "--replay=%s", dir) < 0)
		die("out of memory");
	pack_option_insert(run, text);
	run->recording = dir;
	if (run->argc == run->program)
		run->argv[--run->argc] = NULL; /* the "--" before no program */
}

void pack_option_parse(struct pack_option *option, int argc, char **argv)
{
	struct line line = {.option = option, .argc = argc, .at = 1, .argv = argv};
	char **common = NULL;
	int count = 0;
	bool has_program = take_options(&line, &common, &count);
	line.common = common;
	line.common_count = count;
	if ((has_program && line.at < argc) || option->oci || option->recording) {
		take_step(&line, NULL, argv[0]);
	} else {
		while (line.at < argc && is_step(argv[line.at])) {
			char *name = value_of(&line, "--step");
			line.at++;
			take_step(&line, name, argv[0]);
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
