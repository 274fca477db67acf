/* SPDX-License-Identifier: MIT */
/* gdb keeps the terminal: it is in the process group of the command. The run is a child with a group of its own, so
 * that keys which make signals reach gdb alone, and the command waits for both. */
#include "cmdline/debug_line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"
#include "debug/debug.h"
#include "debug/debug_place.h"
#include "debug/gdb.h"
#include "engine/engine.h"
#include "run/streams/input.h"
#include "save/changes.h"
#include "session/command.h"
#include "session/program_choice.h"

/* What comes before the options of run. */
struct debug_words {
	struct gdb_start gdb;
	const char *listen; /* --listen, or NULL */
	bool help;
};

static const char usage[] =
	"Usage: eremite debug [-x FILE] [-ex COMMAND] [-batch] [--at PLACE] [--listen WHERE] [OPTION...] PROGRAM\n"
	"                     [ARGUMENT...]\n"
	"Runs a Linux program under gdb, which stops it before its first instruction.\n"
	"\n"
	"      -x FILE                gdb executes the commands in FILE.\n"
	"      -ex COMMAND            gdb executes COMMAND.\n"
	"      -batch                 gdb ends after them.\n"
	"      --at PLACE             Continue to a place of the run first: main, exit, failure, decision:N, time:T, "
	"call:N\n"
	"                             or marker:NAME.\n"
	"      --listen unix:PATH|[ADDRESS:]PORT\n"
	"                             Wait for a debugger with gdb's remote protocol in place of starting gdb.\n"
	"\n"
	"The other options are those of run; 'eremite help run' lists them. They follow these.\n";

static char *value_of(int argc, char **argv, int at)
{
	if (at + 1 >= argc)
		die("debug: %s needs a value; see 'eremite help debug'", argv[at]);
	return argv[at + 1];
}

/* Has gdb go to a place before it executes the user's commands. */
static void add_place(struct debug_words *words, const char *place)
{
	static char command[128];
	struct debug_place parsed;
	struct error error;
	char *const before[] = {(char *)"-ex", command, (char *)"-ex", (char *)"continue"};
	const unsigned count = sizeof(before) / sizeof(*before);
	const bool is_main = !strcmp(place, "main");
	if (!is_main && debug_place_parse(place, &parsed, &error))
		die("debug: --at: %s; or main", error.text);
	snprintf(command, sizeof(command), is_main ? "tbreak main" : "monitor at %s", place);
	memmove(words->gdb.options + count, words->gdb.options, words->gdb.option_count * sizeof(char *));
	memcpy(words->gdb.options, before, sizeof(before));
	words->gdb.option_count += count;
}

/* Takes the words for gdb out of the command line. Returns how many words are left. */
static int take_words(int argc, char **argv, struct debug_words *words)
{
	static const char equals[] = "--listen=", at_equals[] = "--at=";
	const char *place = NULL;
	int at = 1;
	words->gdb.options = memory_or_die(calloc((size_t)argc + 5, sizeof(char *)));
	for (; at < argc; at++) {
		char *word = argv[at];
		if (!strcmp(word, "-x") || !strcmp(word, "-ex")) {
			words->gdb.options[words->gdb.option_count++] = word;
			words->gdb.options[words->gdb.option_count++] = value_of(argc, argv, at++);
		} else if (!strcmp(word, "-batch") || !strcmp(word, "--batch")) {
			words->gdb.options[words->gdb.option_count++] = word;
		} else if (!strcmp(word, "--listen")) {
			words->listen = value_of(argc, argv, at++);
		} else if (!strncmp(word, equals, strlen(equals))) {
			words->listen = word + strlen(equals);
		} else if (!strcmp(word, "--at")) {
			place = value_of(argc, argv, at++);
		} else if (!strncmp(word, at_equals, strlen(at_equals))) {
			place = word + strlen(at_equals);
		} else {
			break;
		}
	}
	if (place && words->listen)
		die("debug: --at is for the gdb that eremite starts; type 'monitor at %s' in the debugger", place);
	if (place)
		add_place(words, place);
	words->help = at < argc && (!strcmp(argv[at], "--help") || !strcmp(argv[at], "-?"));
	argv[at - 1] = argv[0];
	return argc - at + 1;
}

/* Refuses what would have no effect, or an effect of its own. */
static void check_options(const struct session *session, const struct debug_words *words)
{
	if (program_choice_is_native(session))
		die("debug: %s is a native image; eremite debug is for Linux programs", session->run.image);
	if (session->verify)
		die("debug: --verify makes two runs; leave it out");
	if (session->run.tty && !words->listen)
		die("debug: --tty cannot be given, because gdb has the terminal; connect gdb from another one by "
		    "--listen");
	if (session->strace)
		die("debug: --strace cannot be given, because one observer at a time looks at kernel calls; give it to "
		    "eremite run");
	if (session->trace_path)
		die("debug: --trace cannot be given, because one observer at a time looks at kernel calls; give it to "
		    "eremite run");
	if (session->events_out || session->events_path)
		die("debug: --events and --events-out cannot be given; give them to eremite run");
	if (words->listen && words->gdb.option_count)
		die("debug: --listen waits for another debugger; -x, -ex and -batch are for the gdb that eremite "
		    "starts");
}

static void say_target(const char *target)
{
	say("waiting for a debugger: gdb -ex 'set sysroot /' -ex 'target remote %s'", target);
}

/* The program's path on this host, by which gdb finds its symbols. NULL: it is elsewhere, such as in an image. */
static const char *find_program(const struct session *session, char path[PATH_MAX])
{
	static char found[PATH_MAX];
	const char *name = session->run.program;
	if (!session->run.show_host)
		return NULL;
	if (command_is_searched(name))
		name = command_find(&session->run, &session->binds, name, found) ? found : NULL;
	return name ? realpath(name, path) : NULL;
}

/* Whether nothing of a run stays that the same run, made again, would find. */
static bool can_restart(const struct run_config *run)
{
	return !run->recording && !run->replay && !run->net && !run->tty && !run->out_dir && !run->schedule_out &&
	       !run->shared_notes && !run->race_log && !run->save_plan && !(run->changes && run->changes->takes_all);
}

static void connect_debugger(struct session *session, const struct debug_words *words, struct debug *debug)
{
	static char path[PATH_MAX];
	struct error error;
	debug->fd = -1;
	debug->program = find_program(session, path);
	debug->is_private = !words->listen;
	const int failed = words->listen ? gdb_listen(debug, words->listen, say_target, &error)
	                                 : gdb_connect(debug, &words->gdb, &error);
	if (failed)
		die("%s", error.text);
	session->run.debug = debug;
	run_config_keep(&session->run, debug->fd);
}

/* Called when the session has opened all that a run leaves or reads. */
static void allow_restart(struct session *session, struct debug *debug)
{
	static struct input input = {.keep = true};
	debug->may_restart = can_restart(&session->run);
	if (!debug->may_restart)
		return;
	session->engine->open(ENGINE_RUNS_MAX);
	if (!session->run.input)
		session->run.input = &input;
}

static int make_run(int argc, char **argv, const struct debug_words *words)
{
	static struct session session;
	static struct run_result result;
	static struct debug debug;
	options_parse(&session, argc, argv);
	const int refused = session_open(&session);
	if (refused)
		return refused;
	check_options(&session, words);
	run_say_unread_input(&session);
	session_choose_engine(&session);
	connect_debugger(&session, words, &debug);
	session_start(&session);
	allow_restart(&session, &debug);
	session_run(&session, &result);
	for (unsigned runs = 2; debug.restarts && result.end == RUN_INTERRUPTED; runs++) {
		debug_restart(&debug);
		debug.may_restart = runs < ENGINE_RUNS_MAX;
		input_rewind(session.run.input);
		session_run(&session, &result);
	}
	if (debug.has_changed)
		say("the debugger has changed the program: another run has another result");
	if (!debug.was_stopped && result.end != RUN_ERROR && !result.not_started)
		say("the program did not stop: the kernel in this image is older than eremite debug; pack it again");
	return run_finish(&session, &result);
}

/* The run, in its own process group, without the terminal's input, which gdb reads. */
static int make_run_apart(int argc, char **argv, struct debug_words *words)
{
	words->gdb.group = getpgrp();
	words->gdb.input = isatty(STDIN_FILENO) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (words->gdb.input >= 0)
		dup2(nothing, STDIN_FILENO);
	else
		words->gdb.input = nothing;
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	return make_run(argc, argv, words);
}

/* Waits until the run and gdb have ended. Returns the status of the run. */
static int await_both(pid_t run)
{
	int status, run_status = 0;
	pid_t ended;
	signal(SIGINT, SIG_IGN); /* gdb's */
	signal(SIGQUIT, SIG_IGN);
	while ((ended = waitpid(-1, &status, 0)) > 0 || errno == EINTR)
		if (ended == run)
			run_status = status;
	if (!WIFSIGNALED(run_status))
		return WEXITSTATUS(run_status);
	return EXIT_SIGNAL_BASE + WTERMSIG(run_status);
}

int debug_line(int argc, char **argv)
{
	struct debug_words words = {.gdb.input = -1};
	const int left = take_words(argc, argv, &words);
	if (words.help) {
		fputs(usage, stdout);
		return 0;
	}
	argv += argc - left;
	if (words.listen)
		return make_run(left, argv, &words);
	fflush(stdout);
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* gdb's parent may end before it */
	const pid_t run = fork();
	if (run < 0)
		die("cannot start a process: %s", strerror(errno));
	return run ? await_both(run) : make_run_apart(left, argv, &words);
}
