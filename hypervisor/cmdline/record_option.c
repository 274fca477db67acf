/* SPDX-License-Identifier: MIT */
#include "cmdline/record_option.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/run_take.h"
#include "record/record_log.h"
#include "session/environment.h"
#include "session/option_defaults.h"
#include "session/record_about.h"
#include "session/redact_option.h"
#include "session/session.h"

#define PROGRAM "--" /* in a recording's options: program and arguments follow */

static void append(char ***array, unsigned *count, char *string)
{
	char **grown = memory_or_die(realloc(*array, (*count + 2) * sizeof(**array)));
	grown[(*count)++] = string;
	grown[*count] = NULL;
	*array = grown;
}

static char *option_text(const char *name, const char *value)
{
	return text_of(value ? "--%s=%s" : "--%s", name, value);
}

void record_option_note(struct record_given *given, const struct option_row *row, const char *text)
{
	char *copied;
	if (row->traits & (OPTION_KEPT_BY_ITSELF | OPTION_KEPT_NOWHERE))
		return;
	if (!option_table_is_input(row)) {
		append(&given->others, &given->other_count, option_text(row->name, text));
		return;
	}
	if (!strcmp(row->name, "env") && !strchr(text, '=')) { /* the value is the input */
		const char *value = getenv(text);
		if (!value)
			return;
		copied = text_of("--env=%s=%s", text, value);
	} else {
		copied = option_text(row->name, text);
	}
	append(&given->inputs, &given->input_count, copied);
}

/* The row of an option as a recording has it, --NAME or --NAME=VALUE; NULL: eremite run has no such option. */
static const struct option_row *row_of(const char *text)
{
	return strncmp(text, "--", 2) ? NULL : option_table_find(option_table_run, text + 2, strcspn(text + 2, "="));
}

/* Whether a string is an input, as a recording has it. Anyone can write a recording: it must not choose where eremite
 * writes. */
static bool is_input_option(const char *text)
{
	const struct option_row *row = row_of(text);
	return row && option_table_is_input(row);
}

/* The number of options before the program. */
static unsigned count_options(const char *from, char **options, unsigned option_count)
{
	unsigned count = 0;
	for (; count < option_count && strcmp(options[count], PROGRAM); count++)
		if (!is_input_option(options[count]))
			die("%s has %s, which is no input of a run: it was not made by eremite", from, options[count]);
	if (count + 1 >= option_count)
		die("%s names no program", from);
	return count;
}

/* Whether an option was kept as it was given, or with what it leaves out (option_defaults_complete). */
static bool is_kept_as(const char *kept, const char *given)
{
	static const char *const completed[] = {"--sched=", "--net-fault=", "--file-times="};
	const size_t bytes = strlen(given);
	for (unsigned i = 0; i < sizeof(completed) / sizeof(completed[0]); i++)
		if (!strncmp(given, completed[i], strlen(completed[i])) && !strncmp(kept, given, bytes) &&
		    (kept[bytes] == ':' || kept[bytes] == ','))
			return true;
	return !strcmp(kept, given);
}

/* Refuses an input that the recording was not given. */
static void check_input(const struct replay *replay, unsigned count, const char *input)
{
	size_t name = strcspn(input, "=");
	const char *recorded = NULL;
	for (unsigned i = 0; i < count; i++) {
		if (is_kept_as(replay->options[i], input))
			return;
		if (!strncmp(replay->options[i], input, name) && strchr("=", replay->options[i][name]))
			recorded = replay->options[i];
	}
	for (unsigned i = 0; i < replay->default_count; i++) {
		if (is_kept_as(replay->defaults[i], input) && input[name])
			return;
		if (!strncmp(replay->defaults[i], input, name) && replay->defaults[i][name] == '=' &&
		    strncmp(input, "--env=", 6))
			recorded = replay->defaults[i];
	}
	if (recorded)
		die("run: the recording %s has %s, not %s; leave it out", replay->dir, recorded, input);
	die("run: the recording %s was made without %.*s; leave it out", replay->dir, (int)name, input);
}

static void check_program(const struct replay *replay, unsigned first, char **arguments, unsigned count)
{
	unsigned recorded = replay->option_count - first;
	for (unsigned i = 0; i < count || (count && i < recorded); i++) {
		const char *now = i < count ? arguments[i] : "nothing";
		const char *was = i < recorded ? replay->options[first + i] : "nothing";
		if (i < count && i < recorded && !strcmp(now, was))
			continue;
		die("run: the recording %s is of another %s: %s, not %s; leave the program out, or give the recorded "
		    "one",
		    replay->dir, i ? "argument" : "program", was, now);
	}
}

static bool has_option(char *const *options, unsigned count, const char *name)
{
	unsigned i = 0;
	while (i < count && strcmp(options[i], PROGRAM) && strncmp(options[i], name, strlen(name)))
		i++;
	return i < count && strcmp(options[i], PROGRAM);
}

/* The default that 0.9.0 did not keep of a recorded run, as it was in 0.9.0. */
static char net_time[] = "--net-time=wall";

static void append_unkept(char ***line, unsigned *all, const struct record_kept *kept)
{
	if (kept->has_recording && !has_option(kept->defaults, kept->default_count, "--net-time=") &&
	    !has_option(kept->options, kept->option_count, "--net-time="))
		append(line, all, net_time);
}

/* Appends the kept defaults that nothing replaces. They come first, as defaults of the environment do. */
static void append_defaults(char ***line, unsigned *all, const struct record_kept *kept,
                            const struct record_given *given)
{
	for (unsigned i = 0; i < kept->default_count; i++) {
		if (!option_defaults_takes(kept->defaults[i]))
			die("%s has %s, which is no default of an input: it was not made by eremite", kept->from,
			    kept->defaults[i]);
		if (!option_defaults_gives_way(given, kept->defaults[i]))
			append(line, all, kept->defaults[i]);
	}
	append_unkept(line, all, kept);
}

/* Returns a kept option, with the seed that 0.9.0 left out of --net-fault, and whose value in 0.9.0 was 0. */
static char *complete_kept(char *option)
{
	if (strncmp(option, "--net-fault=", 12) || strstr(option, "=seed=") || strstr(option, ",seed="))
		return option;
	return text_of("%s,seed=0", option);
}

bool record_option_is_completed(const char *kept, const char *option)
{
	const size_t bytes = kept ? strlen(kept) : 0;
	if (!kept)
		return !strcmp(option, net_time);
	return !strncmp(kept, "--net-fault=", 12) && !strncmp(option, kept, bytes) &&
	       !strcmp(option + bytes, ",seed=0");
}

char **record_option_replay(const struct replay *replay, const struct record_given *given, char **arguments,
                            unsigned argument_count, char *name, int *argc)
{
	unsigned count, all = 0;
	char **line = NULL;
	struct replay_block block;
	record_about_check_contract(replay); /* first: this eremite may not know its options */
	count = count_options(replay->dir, replay->options, replay->option_count);
	if (replay_find(replay, RECORD_ADDED, &block))
		die("run: the recording %s has exchanges of several runs (--replay-miss=record-new), so no run repeats "
		    "it; "
		    "--replay-net uses it",
		    replay->dir);
	for (unsigned i = 0; i < given->input_count; i++)
		check_input(replay, count, given->inputs[i]);
	check_program(replay, count + 1, arguments, argument_count);
	const struct record_kept kept = {replay->dir, replay->defaults, replay->default_count, replay->options, count,
	                                 true};
	append(&line, &all, name);
	append_defaults(&line, &all, &kept, &(struct record_given){0});
	for (unsigned i = 0; i < count; i++)
		append(&line, &all, complete_kept(replay->options[i]));
	for (unsigned i = 0; i < given->other_count; i++)
		append(&line, &all, given->others[i]);
	for (unsigned i = count; i < replay->option_count; i++)
		append(&line, &all, replay->options[i]);
	*argc = (int)all;
	return line;
}

/* Whether an option that was given replaces a recorded one: of the same name, or another one of the schedule. */
static bool replaces(const char *given, const char *recorded)
{
	const struct option_row *row = row_of(given), *other = row_of(recorded);
	if (row->traits & other->traits & OPTION_KEPT_AS_SCHEDULE)
		return true;
	return row == other && !(row->traits & OPTION_KEPT_ADDS);
}

static bool is_replaced(const struct record_given *given, const char *recorded)
{
	for (unsigned i = 0; i < given->input_count; i++)
		if (replaces(given->inputs[i], recorded))
			return true;
	return false;
}

char **record_option_peers(const struct replay *replay, const struct record_given *given, char **arguments,
                           unsigned argument_count, char *name, int *argc)
{
	const struct record_kept kept = {replay->dir,     replay->defaults,     replay->default_count,
	                                 replay->options, replay->option_count, false};
	return record_option_merge(&kept, given, arguments, argument_count, name, argc);
}

char **record_option_merge(const struct record_kept *kept, const struct record_given *given, char **arguments,
                           unsigned argument_count, char *name, int *argc)
{
	char **options = kept->options;
	unsigned count = count_options(kept->from, options, kept->option_count), all = 0;
	static char program[] = PROGRAM;
	char **line = NULL;
	append(&line, &all, name);
	append_defaults(&line, &all, kept, given);
	for (unsigned i = 0; i < count; i++)
		if (!is_replaced(given, options[i]))
			append(&line, &all, complete_kept(options[i]));
	for (unsigned i = 0; i < given->input_count; i++)
		append(&line, &all, given->inputs[i]);
	for (unsigned i = 0; i < given->other_count; i++)
		append(&line, &all, given->others[i]);
	append(&line, &all, program);
	for (unsigned i = 0; i < argument_count; i++)
		append(&line, &all, arguments[i]);
	for (unsigned i = count + 1; i < kept->option_count && !argument_count; i++)
		append(&line, &all, options[i]);
	*argc = (int)all;
	return line;
}

void record_option_check_miss(const struct session *options)
{
	if (!net_has_sockets(&options->net))
		return;
	if (!options->net.has_route)
		die("run: --replay-miss=%s sends to the network what the recording has no answer to; permit it by "
		    "--net "
		    "host",
		    options->adds_misses ? "record-new" : "passthrough");
	if (options->verify)
		die("run: --verify cannot go with --replay-miss=%s, because the network may answer otherwise the "
		    "second "
		    "time; leave one of them out",
		    options->adds_misses ? "record-new" : "passthrough");
}

void record_option_check(struct session *options)
{
	static char variable[] = "SSLKEYLOGFILE", setting[] = "SSLKEYLOGFILE=/out/" SESSION_KEYLOG;
	struct error error;
	if (options->redact && !options->record_path && !options->adds_misses)
		die("run: --redact says what --record does not keep; give that, too, or leave it out");
	if (!options->tls_keylog)
		return;
	if (!options->record_path)
		die("run: --tls-keylog adds keys to what --record keeps; give that, too, or leave it out");
	run_take_check(options, "redact");
	if (environment_get(&options->run, variable))
		die("run: --tls-keylog sets SSLKEYLOGFILE; leave it out of --env");
	if (environment_set(&options->run, setting, &error))
		die("%s", error.text);
	session_given_add(&options->given, "env", setting);
}
