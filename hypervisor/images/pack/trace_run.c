/* SPDX-License-Identifier: MIT */
#include "pack/trace_run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/exit_status.h"
#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"
#include "code/service/code_sealed.h"
#include "session/command.h"
#include "session/option_defaults.h"

static struct event_log event_log;
static struct code_sealed code_noted;
static struct input input;

/* Whether an option lets something in from outside that an image does not seal. */
static bool is_live(const char *option)
{
	static const char *const sealed[] = {"--bind=", "--root=", "--schedule="};
	for (unsigned i = 0; i < sizeof(sealed) / sizeof(sealed[0]); i++)
		if (!strncmp(option, sealed[i], strlen(sealed[i])))
			return false;
	return !eri_manifest_takes(option) && strcmp(option, "--net=none");
}

/* Refuses what an image cannot keep. */
static void check_pack(const struct session *session)
{
	if (session->sealed)
		die("pack: %s is a sealed image already; copy it, or give a program", session->sealed->image.path);
	if (session->run.out_dir)
		die("pack: --out=%s: the image keeps /out; leave --out out, and get the files by eremite extract "
		    "FILE.eri DIR .eremite/steps",
		    session->run.out_dir);
}

static void prepare_trace(const struct trace_run *trace, struct session *session)
{
	struct run_config *run = &session->run;
	session->is_quiet_about_program = trace->fds.names < 0;
	session->wants_identity = true;
	session->changes_spool = trace->fds.spool;
	if (trace->checked)
		sealed_run_leave_check(session->sealed, trace->checked);
	if (session->verify)
		die("pack: --verify is for eremite run; eremite verify compares an image");
	if (session->events_from)
		die("pack: the image has events of the whole run; give --events-from to eremite run");
	if (trace->fds.names >= 0)
		check_pack(session);
	for (unsigned i = 0; i < session->given.input_count && trace->fds.names >= 0 && !run->replay; i++)
		if (is_live(session->given.inputs[i]))
			die("pack: %s is an input that is not in an image; leave it out", session->given.inputs[i]);
	if (trace->fds.code >= 0) {
		code_sealed_init(&code_noted, &run->sched.points);
		run->code_noted = &code_noted;
	}
	run->want_digest = true;
	run->discard_output = trace->hide_output;
	run->copies_max = UINT64_MAX;
	run->copies[1] = trace->fds.streams[1];
	run->copies[2] = trace->fds.streams[2];
	if (!run->out_dir)
		run->out_dir = trace->out_dir;
	if (!run->input) {
		input.keep = true;
		run->input = &input;
	}
	run_config_keep(run, trace->ready ? trace->ready : -1);
	run_config_keep(run, trace->goes_on ? trace->goes_on : -1);
	run_config_keep(run, trace->fds.text);
	run_config_keep(run, trace->fds.names);
	run_config_keep(run, trace->fds.events);
	run_config_keep(run, trace->fds.code);
	run_config_keep(run, trace->fds.spool);
	run_config_keep(run, trace->fds.input);
	run_config_keep(run, trace->fds.streams[1]);
	run_config_keep(run, trace->fds.streams[2]);
}

/* Lets the other process copy what the run has read, before this one saves what the run has changed. If the other one
 * has ended, so does this one, and nothing is saved. */
static void take_turns(const struct trace_run *trace)
{
	char byte = 0;
	ssize_t got;
	if (!trace->ready)
		return;
	while (write(trace->ready, &byte, 1) < 0 && errno == EINTR)
		;
	while ((got = read(trace->goes_on, &byte, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(EXIT_EREMITE);
}

/* Notes the events of the run, for an image. */
static void log_events(const struct trace_run *trace, struct session *session)
{
	if (trace->fds.events < 0)
		return;
	session_choose_engine(session);
	int result = event_log_init(&event_log, session->engine->reserve);
	if (result)
		die("pack: cannot reserve memory for the log of events: %s", strerror(-result));
	session->run.event_log = &event_log;
}

/* The path of the host's file that a run which is not made would start, as the guest names it; NULL: the guest has none
 * of that name. */
static char *program_of(const struct session *session)
{
	static char path[PATH_MAX];
	const char *name = session->run.program;
	if (!session->run.show_host ||
	    (!strchr(name, '/') && !command_find(&session->run, &session->binds, name, path)))
		return NULL;
	if (strchr(name, '/'))
		snprintf(path, sizeof(path), "%s%s%s", *name == '/' ? "" : session->run.workdir,
		         *name == '/' ? "" : "/", name);
	return access(path, F_OK) ? NULL : path;
}

/* Writes the trace of a run that has ended by itself, or was not to be made. */
static void write_trace(const struct trace_run *trace, struct session *session, struct run_result *result)
{
	struct error error;
	if (result->not_started && !trace->no_run)
		return; /* there is no run to be repeated */
	const struct record_given *inputs = &session->given;
	struct record_given defaults = {0};
	option_defaults_list(session, &defaults);
	char *includes[trace->include_count + 1];
	unsigned include_count = 0;
	for (; include_count < trace->include_count; include_count++)
		includes[include_count] = trace->includes[include_count];
	if (trace->no_run && (includes[include_count] = program_of(session)))
		include_count++;
	const struct trace_given given = {.options = inputs->inputs,
	                                  .option_count = inputs->input_count,
	                                  .defaults = defaults.inputs,
	                                  .default_count = defaults.input_count,
	                                  .includes = includes,
	                                  .include_count = include_count,
	                                  .excludes = trace->excludes,
	                                  .no_run = trace->no_run};
	if (result->end != RUN_EXIT && result->end != RUN_SIGNAL && result->end != RUN_DEADLOCK)
		return;
	if (!trace_write(&trace->fds, &session->run, result, &given, &error)) {
		take_turns(trace);
		return;
	}
	result->end = RUN_ERROR;
	result->status = 0;
	snprintf(result->message, sizeof(result->message), "%s", error.text);
}

/* Leaves the trace of a run that is not made. */
static int leave_inputs(const struct trace_run *trace, struct session *session, struct run_result *result)
{
	struct host_files *files = session->run.host_files;
	session->run.changes = NULL;
	result->engine = "none";
	if (files && host_files_begin(files))
		die("%s", files->error.text);
	write_trace(trace, session, result);
	if (result->end == RUN_ERROR)
		die("%s", result->message);
	return 0;
}

int trace_run_make(int argc, char **argv, const struct trace_run *trace)
{
	static struct session session;
	static struct run_result result;
	options_parse(&session, argc, argv);
	prepare_trace(trace, &session);
	const int refused = session_open(&session);
	if (refused)
		return refused;
	if (trace->no_run)
		return leave_inputs(trace, &session, &result);
	log_events(trace, &session);
	run_say_observe(&session);
	session_start(&session);
	session_run(&session, &result);
	write_trace(trace, &session, &result);
	const int status = run_finish(&session, &result);
	event_log_fini(&event_log);
	code_sealed_fini(&code_noted);
	return status;
}
