/* SPDX-License-Identifier: MIT */
#include "cmdline/sealed_line.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/record_option.h"
#include "option/option_table.h"

void sealed_line_say_option(const char *path, char *const *arguments, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		const char *owner = strncmp(arguments[i], "--", 2)
		                            ? NULL
		                            : option_table_owner(arguments[i] + 2, strcspn(arguments[i] + 2, "="));
		if (!owner || strcmp(owner, "run"))
			continue;
		say("%.100s follows the image, so the program gets it; for an option of eremite, type 'eremite run "
		    "%.100s ... %.200s'",
		    arguments[i], arguments[i], path);
		return;
	}
}

/* Runs a step in a child. Returns 0 in the child, and in this process its wait status, which is never 0 for a child. */
static bool is_child(int *status)
{
	pid_t parent = getpid();
	fflush(NULL);
	pid_t child = fork();
	if (!child)
		child_follow(parent);
	if (child < 0)
		die("run: cannot start a process: %s", strerror(errno));
	while (child > 0 && waitpid(child, status, 0) < 0 && errno == EINTR)
		;
	return !child;
}

const char *sealed_line_choose(struct sealed_run *sealed, const char *step, bool has_arguments)
{
	const struct eri_manifest *manifest = &sealed->image.manifest;
	int status = 0;
	if (step || manifest->step_count == 1)
		return step;
	if (has_arguments)
		die("run: the image %s has several steps; say whose arguments these are by --step NAME",
		    sealed->image.path);
	for (unsigned i = 0; i < manifest->step_count; i++) {
		if (is_child(&status))
			return manifest->steps[i].name;
		if (WIFSIGNALED(status)) {
			signal(WTERMSIG(status), SIG_DFL);
			raise(WTERMSIG(status));
		}
		if (WEXITSTATUS(status) && WEXITSTATUS(status) != manifest->steps[i].status)
			exit(WEXITSTATUS(status));
	}
	exit(WEXITSTATUS(status));
}

static void forbid(const struct record_given *given, const char *name)
{
	size_t bytes = strlen(name);
	for (unsigned i = 0; i < given->input_count; i++)
		if (!strncmp(given->inputs[i], name, bytes) && strchr("=", given->inputs[i][bytes]))
			die("run: %s cannot go with an image, which has its own files; leave it out", name);
}

/* A kernel of a release before --clock has no stubs that count time, and would leave the option without effect. */
static void forbid_clock(const struct record_given *given)
{
	for (unsigned i = 0; i < given->input_count; i++)
		if (!strncmp(given->inputs[i], "--clock=", strlen("--clock=")))
			die("run: --clock cannot go with an image, which keeps the clock that it was packed with; "
			    "leave it "
			    "out");
}

/* The option that replays the schedule of the step. */
static char *schedule_option(const struct sealed_run *sealed)
{
	char *option = text_of("--schedule=%s", sealed_run_schedule(sealed));
	return option;
}

char **sealed_line_make(struct sealed_run *sealed, const char *step, const struct record_given *given, char **arguments,
                        unsigned argument_count, char *name, int *argc)
{
	const char *path = sealed->image.path;
	sealed->step = eri_image_step(&sealed->image, step);
	if (!sealed->step)
		die("run: the image %s has no step %s; eremite info lists its steps", path, step);
	static const char *const forbidden[] = {"--root", "--file-times"};
	for (unsigned i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
		forbid(given, forbidden[i]);
	forbid_clock(given);
	sealed->overrides = memory_or_die(calloc(given->input_count + 1UL, sizeof(*sealed->overrides)));
	for (unsigned i = 0; i < given->input_count; i++)
		sealed->overrides[sealed->mark.override_count++] = given->inputs[i];
	sealed->mark.other_arguments = argument_count > 1;
	const struct eri_step *of = sealed->step;
	char **all = memory_or_die(calloc(of->option_count + of->argument_count + argument_count + 3UL, sizeof(*all)));
	unsigned count = 0;
	static char program[] = "--";
	for (unsigned i = 0; i < of->option_count; i++) {
		if (!eri_manifest_takes(of->options[i]))
			die("%s is not a sound image: its manifest has the option %s, which a run from an image cannot "
			    "have",
			    path, of->options[i]);
		all[count++] = of->options[i];
	}
	/* Standard input of a recording was live; that has a default of its own. */
	for (unsigned i = 0; i < of->default_count && !*of->log_sha256; i++)
		if (!eri_manifest_takes(of->defaults[i]))
			die("%s is not a sound image: its manifest has %s, which is no default of an input of an "
			    "image",
			    path, of->defaults[i]);
	if (*of->schedule_sha256)
		all[count++] = schedule_option(sealed);
	all[count++] = program;
	all[count++] = of->arguments[0];
	for (unsigned i = 1; i < (sealed->mark.other_arguments ? argument_count : of->argument_count); i++)
		all[count++] = sealed->mark.other_arguments ? arguments[i] : of->arguments[i];
	const struct record_kept kept = {path, of->defaults, of->default_count, all, count, *of->log_sha256};
	return record_option_merge(&kept, given, NULL, 0, name, argc);
}
