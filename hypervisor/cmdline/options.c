/* SPDX-License-Identifier: MIT */
/* The command line of `eremite run`, by argp. Arguments after IMAGE belong to the program. */
#include "cmdline/options.h"

#include <argp.h>
#include <string.h>
#include <unistd.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/error.h"
#include "cmdline/drawn_inputs.h"
#include "cmdline/net_option.h"
#include "cmdline/option_argp.h"
#include "cmdline/option_names.h"
#include "cmdline/option_words.h"
#include "cmdline/record_option.h"
#include "cmdline/run_take.h"
#include "cmdline/schedule_option.h"
#include "cmdline/sealed_line.h"
#include "cmdline/terminal_option.h"
#include "session/environment.h"
#include "session/opening.h"
#include "session/record_files.h"

static void check_stdin(const struct session *options)
{
	if ((options->live_input || options->line_input) && options->run.tty)
		die("run: --stdin is for input that is no terminal; leave it or --tty out");
	if (options->line_input && net_is_wanted(&options->net) && !options->net.has_peers)
		die("run: --stdin=lines does not go with a network outside, with which input is live; leave it out");
}

/* Refuses `-v HOST:GUEST`, the form in which container tools take files. */
static void check_image(const struct session *options, const char *text)
{
	if (options->verbosity > 0 && strstr(text, ":/") && access(text, F_OK))
		die("run: -v takes no value: it makes eremite verbose; to show the program files of the host, give "
		    "--bind %s",
		    text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
	struct session *options = state->input;
	struct run_config *run = &options->run;
	const struct option_row *row = option_argp_row(option_table_run, key);
	if (row) {
		record_option_note(&options->given, row, text);
		run_take(options, row, text);
		return 0;
	}
	switch (key) {
	case ARGP_KEY_ARG:
		check_image(options, text);
		run->image = run->program = text;
		option_words_append(&run->arguments, (int *)&run->argument_count, text);
		while (state->next < state->argc)
			option_words_append(&run->arguments, (int *)&run->argument_count, state->argv[state->next++]);
		return 0;
	case ARGP_KEY_END:
		if (!run->image && !options->replay_path && !options->replay_net_path)
			die("run: no IMAGE given; see 'eremite run --help'");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_line(struct session *options, int argc, char **argv)
{
	const struct argp argp = {
		.options = option_argp_list(option_table_run),
		.parser = parse,
		.args_doc = "IMAGE [ARG...]",
		.doc = "Run an image as a deterministic virtual machine.",
		.children = option_argp_help,
	};
	session_init(options);
	error_t error = argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, options);
	if (error)
		die("run: %s", strerror(error));
}

/* Parses the options of a recording in place of those that were given. */
static void take_recorded(struct session *options, char *name)
{
	static struct replay replay;
	struct error error;
	const char *path = options->replay_path;
	int argc;
	run_take_check(options, "replay");
	if (replay_open(&replay, path, &error))
		die("%s", error.text);
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
	struct error error;
	const char *path = options->replay_net_path;
	int argc;
	run_take_check(options, "replay-net");
	struct record_grown grown = {0};
	if (options->adds_misses)
		record_files_lock(&grown, path);
	if (replay_open(&replay, path, &error))
		die("%s", error.text);
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

/* Refuses a recording in an image that takes something of this host: nobody here has made it. */
static void check_sealed_recording(const struct replay *replay)
{
	for (unsigned i = 0; i < replay->option_count && strcmp(replay->options[i], "--"); i++)
		if (eri_manifest_is_hosts(replay->options[i]))
			die("%s is not a sound image: its recording has %s, which is not the same on each host",
			    replay->dir, replay->options[i]);
}

/* Parses the options of a recording in an image, which has the files and the schedule that it names. */
static void take_sealed_recording(struct session *options, struct sealed_run *sealed, char *name)
{
	static struct replay replay;
	int argc;
	sealed_run_recording(sealed, options->verify, &replay);
	check_sealed_recording(&replay);
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
	opening_limit(options->run.image, options->run.timeout_s);
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
	option_names_check(&verb, option_table_run, argc, argv);
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
	run_take_check(options, "record");
	run_take_check(options, "tty");
	run_take_check(options, "events-out");
	if (options->events_from && !options->events_out)
		die("run: --events-from leaves events out of --events-out; give that, too");
	run_take_check(options, "events");
	run_take_check(options, "strace");
	run_take_check(options, "trace");
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
