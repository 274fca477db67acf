/* SPDX-License-Identifier: MIT */
/* The command line of `eremite run`, by argp. Arguments after IMAGE belong to the program. */
#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "base/commit.h"
#include "base/die.h"
#include "base/value.h"
#include "cache/cache.h"
#include "cli/drawn_inputs.h"
#include "session/environment.h"
#include "cli/net_option.h"
#include "cli/option_list.h"
#include "cli/option_names.h"
#include "cli/processor_option.h"
#include "cli/record_option.h"
#include "cli/schedule_option.h"
#include "cli/terminal_option.h"
#include "cli/time_option.h"
#include "cli/user_option.h"
#include "engine/choice.h"
#include "guest/cpu_host.h"
#include "report/info_calls.h"
#include "sched/from_option.h"
#include "sched/preempt_option.h"
#include "cli/image/sealed_line.h"
#include "session/option_defaults.h"
#include "session/record_files.h"

/* Appends to a growing NULL-terminated array. */
static void append(char ***array, unsigned *count, char *string)
{
	char **grown = realloc(*array, (*count + 2) * sizeof(**array));
	if (!grown)
		die("out of memory");
	grown[(*count)++] = string;
	grown[*count] = NULL;
	*array = grown;
}

static void set_environment(struct run_config *run, char *setting)
{
	char error[256];
	if (environment_set(run, setting, error))
		die("%s", error);
}

static void set_memory(struct run_config *run, const char *text)
{
	if (value_size(text, &run->memory_bytes))
		die("--memory '%s': give a size such as 64M or 2G", text);
	if (run->memory_bytes < LAYOUT_RAM_MIN || run->memory_bytes > LAYOUT_RAM_MAX)
		die("--memory %s: a guest can have 16M to 256G", text);
	run->memory_bytes &= ~(BLOCK_SIZE - 1);
}

static void set_stdin(struct session *options, const char *text)
{
	options->live_input = !strcmp(text, "live");
	options->line_input = !strcmp(text, "lines");
	if (!options->live_input && !options->line_input)
		die("--stdin '%s': give lines, or live to see what has come and no more", text);
}

static void check_stdin(const struct session *options)
{
	if ((options->live_input || options->line_input) && options->run.tty)
		die("run: --stdin is for input that is no terminal; leave it or --tty out");
	if (options->line_input && net_is_wanted(&options->net) && !options->net.has_peers)
		die("run: --stdin=lines does not go with a network outside, with which input is live; leave it out");
}

static void set_summary(struct session *options, const char *text)
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

static void set_sched(struct session *options, const char *text)
{
	char error[256];
	if (!strcmp(text, "help")) {
		sched_option_help(stdout);
		exit(0);
	}
	if (options->sched_given)
		die("--sched is given twice; give it once");
	options->sched_given = true;
	if (sched_option_parse(text, &options->run.sched, error))
		die("%s", error);
}

/* Sets the name of a file; refuses a second one. */
static void set_file(const char **name, const char *option, const char *text)
{
	if (!*text)
		die("%s '': give a file", option);
	if (*name)
		die("%s is given twice; give it once", option);
	*name = text;
}

static void set_unknown_syscall(struct run_config *run, const char *text)
{
	unsigned kind = 0;
	while (kind < UNKNOWN_KINDS && strcmp(text, info_calls_unknown[kind]))
		kind++;
	if (kind == UNKNOWN_KINDS)
		die("--unknown-syscall '%s': give probe (calls that programs probe fail, others end the run), stop "
		    "(each ends the run) or enosys (each fails)",
		    text);
	run->unknown_calls = (enum unknown_calls)kind;
}

static void set_file_times(struct run_config *run, const char *text)
{
	run->file_time_ns = strcmp(text, "epoch") ? DEFAULT_FILE_TIME_NS : 0;
	if (strcmp(text, "bytecode") && strcmp(text, "epoch") && strcmp(text, "host") &&
	    value_time(text, &run->file_time_ns))
		die("--file-times '%s': give bytecode, epoch, host or a time like 2000-01-01T00:00:00Z", text);
	run->file_times = text;
	run->host_file_times = !strcmp(text, "host");
}

static void set_engine(struct session *options, const char *text)
{
	options->engine = !strcmp(text, "auto") ? NULL : engine_named(text);
	if (!options->engine && strcmp(text, "auto"))
		die("--engine '%s': give auto, kvm or process", text);
}

static uint64_t seed_of(const char *option, const char *text)
{
	uint64_t seed;
	if (value_number(text, &seed))
		die("%s '%s': give a number of at most 64 bits, decimal or 0x", option, text);
	return seed;
}

static error_t parse_files(int key, char *text, struct session *options)
{
	char error[256];
	switch (key) {
	case KEY_BIND:
		if (binds_add(&options->binds, text, error))
			die("%s", error);
		return 0;
	case KEY_REPLACE:
		if (binds_replace(&options->binds, text, error))
			die("%s", error);
		return 0;
	case KEY_SAVE:
		if (text && !*text)
			die("--save '': give a directory, or --save alone for the current one");
		set_file(&options->save_path, "--save", text ? text : ".");
		return 0;
	case KEY_WORKDIR:
		options->workdir_given = true;
		if (!binds_is_guest_path(text))
			die("--workdir '%s': give an absolute path without . or .. in it", text);
		options->run.workdir = text;
		return 0;
	case KEY_USER:
		if (user_option_read(text, &options->run.user, error))
			die("run: %s", error);
		options->run.has_user = true;
		return 0;
	case KEY_FILES_OUT:
		set_file(&options->files_out, "--files-out", text);
		return 0;
	case KEY_EVENTS_OUT:
		set_file(&options->events_out, "--events-out", text);
		return 0;
	case KEY_EVENTS:
		set_file(&options->events_path, "--events", text);
		return 0;
	case KEY_STRICT_FILES:
		options->strict_files = true;
		return 0;
	case KEY_STEP:
		options->step = text;
		return 0;
	case KEY_DATA:
		options->data = text;
		return 0;
	case KEY_FILE_TIMES:
		set_file_times(&options->run, text);
		return 0;
	case KEY_CPU:
		processor_option_model(&options->run.cpu, text);
		options->cpu_given = true;
		return 0;
	case KEY_CPUS:
		processor_option_count(&options->run.cpu, text);
		return 0;
	case KEY_LAYOUT_SEED:
		options->run.has_layout_seed = strcmp(text, LAYOUT_FROM_SEED) != 0;
		options->run.layout_seed = options->run.has_layout_seed ? seed_of("--layout-seed", text) : 0;
		return 0;
	case KEY_UNKNOWN_SYSCALL:
		set_unknown_syscall(&options->run, text);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_sched(int key, char *text, struct session *options)
{
	char error[256];
	switch (key) {
	case KEY_SCHED:
		set_sched(options, text);
		return 0;
	case KEY_SCHED_SEED:
		options->run.sched.boot.seed = seed_of("--sched-seed", text);
		options->sched_seed_given = true;
		return 0;
	case KEY_FROM:
		if (from_option_parse(text, &options->run.sched.from, error))
			die("--from %s", error);
		return 0;
	case KEY_PREEMPT:
		if (preempt_option_parse(text, &options->run.sched.points, error))
			die("--preempt %s", error);
		return 0;
	case KEY_SCHEDULE:
		set_file(&options->schedule_path, "--schedule", text);
		return 0;
	case KEY_SCHEDULE_NEAR:
		set_file(&options->schedule_near, "--schedule-near", text);
		return 0;
	case KEY_SCHEDULE_OUT:
		set_file(&options->schedule_out, "--schedule-out", text);
		return 0;
	case KEY_SHARED_OUT:
		set_file(&options->shared_out, "--shared-out", text);
		return 0;
	default:
		return parse_files(key, text, options);
	}
}

/* Parses options of the monitor, which are no inputs of the run. */
static error_t parse_monitor(int key, char *text, struct session *options)
{
	switch (key) {
	case KEY_ENGINE:
		set_engine(options, text);
		return 0;
	case KEY_VERIFY:
		options->verify = true;
		return 0;
	case KEY_NO_FSGSBASE:
		options->no_fsgsbase = true;
		return 0;
	case KEY_JITTER:
		if (value_number(text, &options->jitter_seed))
			die("--jitter '%s': give a number of at most 64 bits, decimal or 0x", text);
		options->jitter = true;
		return 0;
	case KEY_CACHE:
	case KEY_NO_CACHE:
		cache_use(key == KEY_CACHE ? text : "");
		return 0;
	case KEY_CACHE_SIZE:
		if (cache_limit(text))
			die("--cache-size '%s': give a size of at least one byte, such as 500M or 4G", text);
		return 0;
	case KEY_NO_CONFINE:
		options->no_confine = true;
		return 0;
	default:
		return parse_sched(key, text, options);
	}
}

/* Refuses `-v HOST:GUEST`, the form in which container tools take files. */
static void check_image(const struct session *options, const char *text)
{
	if (options->verbosity > 0 && strstr(text, ":/") && access(text, F_OK))
		die("run: -v takes no value: it makes eremite verbose; to show the program files of the host, give "
		    "--bind %s",
		    text);
}

static error_t parse_network(int key, char *text, struct session *options)
{
	switch (key) {
	case KEY_NET:
		net_option_net(&options->net, text);
		return 0;
	case KEY_PUBLISH:
		net_option_publish(&options->net, text);
		return 0;
	case KEY_RECORD:
		set_file(&options->record_path, "--record", text);
		return 0;
	case KEY_REDACT:
		append(&options->redact, &options->redact_count, text);
		return 0;
	case KEY_TLS_KEYLOG:
		options->tls_keylog = true;
		return 0;
	case KEY_REPLAY:
		set_file(&options->replay_path, "--replay", text);
		return 0;
	case KEY_REPLAY_NET:
		set_file(&options->replay_net_path, "--replay-net", text);
		return 0;
	case KEY_REPLAY_MISS:
		net_option_miss(&options->net, text);
		options->miss_given = true;
		options->adds_misses = !strcmp(text, "record-new");
		return 0;
	case KEY_NET_FAULT:
		net_option_fault(&options->run.faults, text);
		return 0;
	case KEY_NET_TIME:
		net_option_time(&options->net, text);
		return 0;
	default:
		return parse_monitor(key, text, options);
	}
}

/* Notes the time itself, where the host's was taken. */
static void set_epoch(struct session *options, const char *text)
{
	char taken[32];
	time_option_epoch(options, text);
	option_defaults_epoch(options, taken);
	session_given_add(&options->given, "epoch", options->epoch_taken ? taken : text);
	options->epoch_given = true;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct session *options = state->input;
	struct run_config *run = &options->run;
	if (key != KEY_EPOCH)
		record_option_note(&options->given, option_list, key, text);
	switch (key) {
	case KEY_SEED:
		run->seed = seed_of("--seed", text);
		options->seed_given = true;
		return 0;
	case KEY_EPOCH:
		set_epoch(options, text);
		return 0;
	case KEY_UPTIME:
		time_option_uptime(run, text);
		return 0;
	case KEY_MEMORY:
		set_memory(run, text);
		return 0;
	case KEY_ARGV0:
		options->argv0 = text;
		return 0;
	case 'e':
		set_environment(run, text);
		return 0;
	case KEY_NO_ENV:
		options->no_env = true;
		return 0;
	case KEY_TTY:
		terminal_option_set(run, text);
		return 0;
	case KEY_STDIN:
		set_stdin(options, text);
		return 0;
	case KEY_ROOT:
		options->root_path = text;
		return 0;
	case KEY_OUT:
		if (!*text)
			die("--out '': give a directory");
		run->out_dir = text;
		return 0;
	case KEY_TIMEOUT:
		if (value_seconds(text, &run->timeout_s))
			die("--timeout '%s': give seconds, more than 0", text);
		return 0;
	case KEY_SUMMARY:
		set_summary(options, text);
		return 0;
	case 'q':
		options->verbosity = -1;
		return 0;
	case 'v':
		options->verbosity = 1;
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case ARGP_KEY_ARG:
		check_image(options, text);
		run->image = run->program = text;
		append(&run->arguments, &run->argument_count, text);
		while (state->next < state->argc)
			append(&run->arguments, &run->argument_count, state->argv[state->next++]);
		return 0;
	case ARGP_KEY_END:
		if (!run->image && !options->replay_path && !options->replay_net_path)
			die("run: no IMAGE given; see 'eremite run --help'");
		return 0;
	default:
		return parse_network(key, text, options);
	}
}

/* Refuses what a run cannot do that is compared with another one. */
static void check_events(const struct session *options)
{
	const char *other = options->verify         ? "--verify"
	                    : options->record_path  ? "--record"
	                    : options->replay_path  ? "--replay"
	                    : options->save_path    ? "--save"
	                    : options->run.out_dir  ? "--out"
	                    : options->schedule_out ? "--schedule-out"
	                    : options->shared_out   ? "--shared-out"
	                    : options->events_out   ? "--events-out"
	                    : options->adds_misses  ? "--replay-miss=record-new"
	                                            : NULL;
	if (options->events_path && other)
		die("run: --events compares, and keeps nothing of the run, so %s cannot go with it; leave one of them "
		    "out",
		    other);
	if (options->events_out && options->verify)
		die("run: --events-out cannot go with --verify, which makes two runs; leave one of them out");
}

static void parse_line(struct session *options, int argc, char **argv)
{
	static const struct argp argp = {
		option_list, parse, "IMAGE [ARG...]", "Run an image as a deterministic virtual machine.", NULL,
		NULL,        NULL};
	session_init(options);
	error_t error = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, options);
	if (error)
		die("run: %s", strerror(error));
}

/* Parses the options of a recording in place of those that were given. */
static void take_recorded(struct session *options, char *name)
{
	static struct replay replay;
	char error[256];
	const char *path = options->replay_path;
	int argc;
	if (options->record_path)
		die("run: --record cannot go with --replay, which records nothing new; leave one of them out");
	if (options->verify)
		die("run: --verify cannot go with --replay, which compares with the recorded run; leave one of them "
		    "out");
	if (replay_open(&replay, path, error))
		die("%s", error);
	char **argv = record_option_replay(&replay, &options->given, options->run.arguments,
	                                   options->run.argument_count, name, &argc);
	parse_line(options, argc, argv);
	options->replay_path = path;
	options->run.replay = &replay;
}

/* Parses the options of a recording, except those that were given, and takes its peers. */
static void take_recorded_peers(struct session *options, char *name)
{
	static struct replay replay;
	char error[256];
	const char *path = options->replay_net_path;
	int argc;
	if (options->record_path || options->replay_path)
		die("run: --replay-net cannot go with %s; leave one of them out",
		    options->record_path ? "--record" : "--replay");
	struct record_grown grown = {0};
	if (options->adds_misses)
		record_files_lock(&grown, path);
	if (replay_open(&replay, path, error))
		die("%s", error);
	char **argv = record_option_peers(&replay, &options->given, options->run.arguments, options->run.argument_count,
	                                  name, &argc);
	parse_line(options, argc, argv);
	if (!net_is_wanted(&options->net))
		die("run: the recording %s was made without a network, so it has no peers; --replay repeats it", path);
	options->replay_net_path = path;
	options->net.replay = &replay;
	options->net.has_peers = true;
	options->grown = grown;
	record_option_check_miss(options);
}

/* Parses the options of a recording in an image, which has the files and the schedule that it names. */
static void take_sealed_recording(struct session *options, struct sealed_run *sealed, char *name)
{
	static struct replay replay;
	int argc;
	sealed_run_recording(sealed, options->verify, &replay);
	char **argv = record_option_replay(&replay, &options->given, NULL, 0, name, &argc);
	parse_line(options, argc, argv);
	options->root_path = NULL;
	options->schedule_path = sealed_run_schedule(sealed);
	options->binds.count = 0;
	options->replay_path = sealed->image.path;
	options->run.replay = &replay;
}

/* Parses the options of an image, except those that were given. */
static void take_sealed(struct session *options, char *name)
{
	static struct sealed_run sealed;
	int argc;
	const struct record_given given = options->given;
	if (options->record_path || options->replay_path || options->replay_net_path)
		die("run: --record, --replay and --replay-net cannot go with an image; leave them out");
	sealed_run_open(&sealed, options->run.image);
	if (options->verbosity >= 0)
		sealed_line_say_option(options->run.image, options->run.arguments, options->run.argument_count);
	const char *step = sealed_line_choose(&sealed, options->step, options->run.argument_count > 1);
	char **argv = sealed_line_make(&sealed, step, &given, options->run.arguments, options->run.argument_count, name,
	                               &argc);
	if (*sealed.step->log_sha256)
		take_sealed_recording(options, &sealed, name);
	else
		parse_line(options, argc, argv);
	options->sealed = &sealed;
}

void options_parse(struct session *options, int argc, char **argv)
{
	static const char *const own[] = {"help", "usage", "version", NULL}; /* argp's */
	static const struct option_verb verb = {"run", own, true, false};
	argp_program_version = commit_version;
	argp_err_exit_status = EXIT_EREMITE;
	option_names_check(&verb, option_list, argc, argv);
	parse_line(options, argc, argv);
	const bool epoch_taken = options->epoch_taken;
	if (options->replay_path && !options->replay_net_path)
		take_recorded(options, argv[0]);
	if (options->replay_net_path)
		take_recorded_peers(options, argv[0]);
	if (options->run.image && eri_image_is(options->run.image))
		take_sealed(options, argv[0]);
	else if (options->step || options->data || binds_replace_any(&options->binds))
		die("run: --step, --data and --replace are for sealed images, and %s is not one", options->run.program);
	if (options->miss_given && !options->replay_net_path)
		die("run: --replay-miss says what --replay-net does; give that, too, or leave it out");
	record_option_check(options);
	if (options->verify && options->record_path)
		die("run: --record cannot go with --verify, which makes two runs; leave one of them out");
	if (options->run.tty && options->verify)
		die("run: --verify cannot go with --tty, because you would have to type the same twice; leave one of "
		    "them out");
	check_events(options);
	check_stdin(options);
	if (options->run.tty)
		terminal_option_open(options);
	if (!options->no_env && environment_add_defaults(&options->run))
		die("out of memory");
	if (net_has_sockets(&options->net) && !options->replay_path)
		net_option_rules(&options->net);
	drawn_inputs_draw(options);
	if (options->record_path || options->adds_misses)
		drawn_inputs_note(options);
	options->epoch_taken |= epoch_taken;
	schedule_option_check(options);
	options->run.want_digest =
		options->verify || options->summary != SUMMARY_NONE || options->record_path || options->replay_path;
}
