/* SPDX-License-Identifier: MIT */
/* Each function takes one option. What several options say together is checked in options.c. */
#include "cmdline/run_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/value.h"
#include "cache/cache.h"
#include "cmdline/net_option.h"
#include "cmdline/option_words.h"
#include "cmdline/processor_option.h"
#include "cmdline/terminal_option.h"
#include "cmdline/time_option.h"
#include "cmdline/user_option.h"
#include "engine/choice.h"
#include "option/run_options.h"
#include "report/info_calls.h"
#include "sched/from_option.h"
#include "sched/preempt_option.h"
#include "session/environment.h"
#include "session/file_times.h"
#include "session/option_defaults.h"

/* Sets the name of a file; refuses a second one. */
static void set_file(const char **name, const char *option, const char *text)
{
	if (!*text)
		die("%s '': give a file", option);
	if (*name)
		die("%s is given twice; give it once", option);
	*name = text;
}

static uint64_t seed_of(const char *option, const char *text)
{
	uint64_t seed;
	if (value_number(text, &seed))
		die("%s '%s': give a number of at most 64 bits, decimal or 0x", option, text);
	return seed;
}

#define TAKES_FILE(take, member, option) \
	static void take(struct session *options, char *text) \
	{ \
		set_file(&options->member, option, text); \
	}

/* Options that only set a member, or that another file takes. */
OPTION_SETS(take_argv0, struct session, argv0, text)
OPTION_SETS(take_root, struct session, root_path, text)
OPTION_SETS(take_step, struct session, step, text)
OPTION_SETS(take_data, struct session, data, text)
TAKES_FILE(take_files_out, files_out, "--files-out")
TAKES_FILE(take_events_out, events_out, "--events-out")
TAKES_FILE(take_events, events_path, "--events")
TAKES_FILE(take_schedule, schedule_path, "--schedule")
TAKES_FILE(take_schedule_near, schedule_near, "--schedule-near")
TAKES_FILE(take_schedule_out, schedule_out, "--schedule-out")
TAKES_FILE(take_core, core_path, "--core")
TAKES_FILE(take_shared_out, shared_out, "--shared-out")
TAKES_FILE(take_record, record_path, "--record")
TAKES_FILE(take_replay, replay_path, "--replay")
TAKES_FILE(take_replay_net, replay_net_path, "--replay-net")
OPTION_SETS(take_no_env, struct session, no_env, true)
OPTION_SETS(take_strict_files, struct session, strict_files, true)
OPTION_SETS(take_tls_keylog, struct session, tls_keylog, true)
OPTION_SETS(take_verify, struct session, verify, true)
OPTION_SETS(take_no_confine, struct session, no_confine, true)
OPTION_SETS(take_no_fsgsbase, struct session, no_fsgsbase, true)
OPTION_SETS(take_quiet, struct session, verbosity, -1)
OPTION_SETS(take_verbose, struct session, verbosity, 1)
OPTION_PASSES(take_uptime, struct session, run, time_option_uptime)
OPTION_PASSES(take_cpus, struct session, run.cpu, processor_option_count)
OPTION_PASSES(take_tty, struct session, run, terminal_option_set)
OPTION_PASSES(take_net, struct session, net, net_option_net)
OPTION_PASSES(take_publish, struct session, net, net_option_publish)
OPTION_PASSES(take_net_time, struct session, net, net_option_time)
OPTION_PASSES(take_net_fault, struct session, run.faults, net_option_fault)

static void take_seed(struct session *options, char *text)
{
	options->run.seed = seed_of("--seed", text);
	options->seed_given = true;
}

/* Notes the time itself, where the host's was taken. */
static void take_epoch(struct session *options, char *text)
{
	char taken[32];
	time_option_epoch(options, text);
	option_defaults_epoch(options, taken);
	session_given_add(&options->given, "epoch", options->epoch_taken ? taken : text);
	options->epoch_given = true;
}

static void take_memory(struct session *options, char *text)
{
	struct run_config *run = &options->run;
	if (value_size(text, &run->memory_bytes))
		die("--memory '%s': give a size such as 64M or 2G", text);
	if (run->memory_bytes < LAYOUT_RAM_MIN || run->memory_bytes > LAYOUT_RAM_MAX)
		die("--memory %s: a guest can have 16M to 256G", text);
	run->memory_bytes &= ~(BLOCK_SIZE - 1);
}

static void take_cpu(struct session *options, char *text)
{
	processor_option_model(&options->run.cpu, text);
	options->cpu_given = true;
}

static void take_layout_seed(struct session *options, char *text)
{
	options->run.has_layout_seed = strcmp(text, LAYOUT_FROM_SEED) != 0;
	options->run.layout_seed = options->run.has_layout_seed ? seed_of("--layout-seed", text) : 0;
}

static void take_engine(struct session *options, char *text)
{
	options->engine = !strcmp(text, "auto") ? NULL : engine_named(text);
	if (!options->engine && strcmp(text, "auto"))
		die("--engine '%s': give auto, kvm or process", text);
}

static void take_env(struct session *options, char *text)
{
	struct error error;
	if (environment_set(&options->run, text, &error))
		die("%s", error.text);
}

static void take_stdin(struct session *options, char *text)
{
	options->live_input = !strcmp(text, "live");
	options->line_input = !strcmp(text, "lines");
	if (!options->live_input && !options->line_input)
		die("--stdin '%s': give lines, or live to see what has come and no more", text);
}

static void take_out(struct session *options, char *text)
{
	if (!*text)
		die("--out '': give a directory");
	options->run.out_dir = text;
}

static void take_save(struct session *options, char *text)
{
	if (text && !*text)
		die("--save '': give a directory, or --save alone for the current one");
	set_file(&options->save_path, "--save", text ? text : ".");
}

static void take_bind(struct session *options, char *text)
{
	struct error error;
	if (binds_add(&options->binds, text, &error))
		die("%s", error.text);
}

static void take_replace(struct session *options, char *text)
{
	struct error error;
	if (binds_replace(&options->binds, text, &error))
		die("%s", error.text);
}

static void take_workdir(struct session *options, char *text)
{
	options->workdir_given = true;
	if (!binds_is_guest_path(text))
		die("--workdir '%s': give an absolute path without . or .. in it", text);
	options->run.workdir = text;
}

static void take_user(struct session *options, char *text)
{
	struct error error;
	if (user_option_read(text, &options->run.user, &error))
		die("run: %s", error.text);
	options->run.has_user = true;
}

static void take_events_from(struct session *options, char *text)
{
	if (value_number(text, &options->events_from) || !options->events_from)
		die("--events-from '%s': give the number of an event, from 1", text);
}

/* Calls and file are separated by the first colon. */
static void take_strace(struct session *options, char *text)
{
	struct error error;
	const char *calls = text ? text : "", *colon = strchr(calls, ':');
	free(options->strace);
	options->strace = memory_or_die(calloc(1, sizeof(*options->strace)));
	if (colon && !colon[1])
		die("--strace=%s: give the name of a file after the colon, or leave it out", calls);
	if (strace_filter_read(&options->strace->filter, calls, colon ? (size_t)(colon - calls) : strlen(calls),
	                       &error))
		die("--strace=%s: %s", calls, error.text);
	options->strace->file = colon ? colon + 1 : NULL;
}

static void take_trace(struct session *options, char *text)
{
	if (!*text)
		die("--trace '': give a directory");
	set_file(&options->trace_path, "--trace", text);
}

static void take_file_times(struct session *options, char *text)
{
	if (!file_times_take(&options->run, text))
		die("--file-times '%s': give content, bytecode, epoch, host or a time like 2000-01-01T00:00:00Z", text);
	options->file_times_given = true;
}

static void take_unknown_syscall(struct session *options, char *text)
{
	unsigned kind = 0;
	while (kind < UNKNOWN_KINDS && strcmp(text, info_calls_unknown[kind]))
		kind++;
	if (kind == UNKNOWN_KINDS)
		die("--unknown-syscall '%s': give probe (calls that programs probe fail, others end the run), stop "
		    "(each ends the run) or enosys (each fails)",
		    text);
	options->run.unknown_calls = (enum unknown_calls)kind;
}

static void take_sched(struct session *options, char *text)
{
	struct error error;
	if (!strcmp(text, "help")) {
		sched_option_help(stdout);
		exit(0);
	}
	if (options->sched_given)
		die("--sched is given twice; give it once");
	options->sched_given = true;
	if (sched_option_parse(text, &options->run.sched, &error))
		die("%s", error.text);
}

static void take_sched_seed(struct session *options, char *text)
{
	options->run.sched.boot.seed = seed_of("--sched-seed", text);
	options->sched_seed_given = true;
}

static void take_from(struct session *options, char *text)
{
	struct error error;
	if (from_option_parse(text, &options->run.sched.from, &error))
		die("--from %s", error.text);
}

static void take_preempt(struct session *options, char *text)
{
	struct error error;
	if (preempt_option_parse(text, &options->run.sched.points, &error))
		die("--preempt %s", error.text);
}

static void take_clock(struct session *options, char *text)
{
	const bool is_work = !strcmp(text, "work");
	if (!is_work && strcmp(text, "calls"))
		die("--clock '%s': give calls or work", text);
	options->run.sched.points.ticks = is_work;
	options->clock_given = true;
}

static void take_redact(struct session *options, char *text)
{
	option_words_append(&options->redact, (int *)&options->redact_count, text);
}

static void take_replay_miss(struct session *options, char *text)
{
	net_option_miss(&options->net, text);
	options->miss_given = true;
	options->adds_misses = !strcmp(text, "record-new");
}

static void take_timeout(struct session *options, char *text)
{
	if (value_seconds(text, &options->run.timeout_s))
		die("--timeout '%s': give seconds, more than 0", text);
}

static void take_cache(struct session *, char *text)
{
	cache_use(text);
}

static void take_cache_size(struct session *, char *text)
{
	if (cache_limit(text))
		die("--cache-size '%s': give a size of at least one byte, such as 500M or 4G", text);
}

static void take_no_cache(struct session *, char *)
{
	cache_use("");
}

static void take_summary(struct session *options, char *text)
{
	options->summary = SUMMARY_TEXT;
	if (!text)
		return;
	if (!strncmp(text, "json", 4) && (text[4] == 0 || (text[4] == ':' && text[5]))) {
		options->summary = SUMMARY_JSON;
		options->summary_file = text[4] ? text + 5 : NULL;
		return;
	}
	die("--summary=%s: give --summary, --summary=json or --summary=json:FILE", text);
}

static void take_jitter(struct session *options, char *text)
{
	if (value_number(text, &options->jitter_seed))
		die("--jitter '%s': give a number of at most 64 bits, decimal or 0x", text);
	options->jitter = true;
}

void run_take(struct session *options, const struct option_row *row, char *text)
{
	static void (*const takes[])(struct session *, char *) = {RUN_OPTIONS(OPTION_TAKE)};
	const size_t index = (size_t)(row - option_table_run);
	_Static_assert(sizeof(takes) / sizeof(takes[0]) <= 64, "record_given.rows has a bit for each option");
	options->given.rows |= 1UL << index;
	takes[index](options, text);
}

#define CONFLICT(option, other, why) {option, other, why},

static bool is_row_given(const struct session *options, const char *name)
{
	const struct option_row *row = option_table_find(option_table_run, name, strlen(name));
	return options->given.rows >> (row - option_table_run) & 1;
}

void run_take_check(const struct session *options, const char *name)
{
	static const struct {
		const char *option, *other, *why;
	} conflicts[] = {RUN_CONFLICTS(CONFLICT)};
	for (unsigned i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++) {
		const char *option = conflicts[i].option, *other = conflicts[i].other;
		if ((!strcmp(option, name) || !strcmp(other, name)) && is_row_given(options, option) &&
		    is_row_given(options, other))
			die("run: --%s cannot go with --%s%s; leave one of them out", option, other, conflicts[i].why);
	}
}
