/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "library/cjson.h"
#include "base/die.h"
#include "confine/confine_files.h"
#include "hostfs/host_streams.h"
#include "save/save_apply.h"
#include "session/keeper_serve.h"
#include "session/opening.h"
#include "session/program_choice.h"
#include "session/record_run.h"
#include "session/session_opened.h"
#include "session/shared_out.h"

/* Opens an output file, if one was given. */
static void open_save(const struct session *session, struct save *save, const char *path, const char *what)
{
	if (!path)
		return;
	opening_begin(path, session->run.timeout_s);
	int error = save_open(save, path);
	opening_end();
	if (error)
		die("cannot write the %s to %s: %s", what, path, strerror(-error));
}

/* The monitor writes to the file itself, not to the stream. */
static void open_core(struct session *session)
{
	struct save *save = &session->opened->core;
	if (!session->core_path)
		return;
	if (program_choice_is_native(session))
		die("run: --core is for Linux programs; %s is a native image, whose report shows the stack",
		    session->run.image);
	open_save(session, save, session->core_path, "core file");
	session->opened->core_out = (struct core_out){.fd = fileno(save->to), .is_regular = save->dir >= 0};
	session->run.core = &session->opened->core_out;
}

void session_outputs_open_summary(struct session *session)
{
	struct error error;
	if (session->summary == SUMMARY_JSON && cjson_load(&error))
		die("%s", error.text);
	if (session->summary != SUMMARY_NONE && session->summary_file)
		open_save(session, &session->opened->summary, session->summary_file, "summary");
}

void session_outputs_open(struct session *session)
{
	struct session_opened *opened = session->opened;
	open_save(session, &opened->schedule, session->schedule_out, "schedule");
	open_save(session, &opened->files_list, session->files_out, "list of files");
	open_save(session, &opened->accesses, session->shared_out, "list of accesses");
	open_save(session, &opened->events, session->events_out, "events");
	open_core(session);
}

void session_outputs_check(const struct session *session)
{
	const struct {
		const char *name, *path;
		bool is_alone; /* no other option may name it */
	} files[] = {
		{"--summary", session->summary_file, true},
		{"--files-out", session->files_out, true},
		{"--events-out", session->events_out, true},
		{"--core", session->core_path, true},
		{"--strace", session->strace ? session->strace->file : NULL, true},
		{"--schedule", session->schedule_path, false},
		{"--schedule-near", session->schedule_near, false},
		{"--schedule-out", session->schedule_out, false}, /* which may replace the schedule that it follows */
		{"--shared-out", session->shared_out, false},
		{"--events", session->events_path, false},
	};
	const unsigned count = sizeof(files) / sizeof(files[0]);
	for (unsigned i = 0; i < count && files[i].is_alone; i++)
		for (unsigned j = i + 1; files[i].path && j < count; j++)
			if (files[j].path && save_is_same(files[i].path, files[j].path))
				die("run: %s and %s are given the same file, %s; give two files", files[j].name,
				    files[i].name, files[i].path);
}

/* The file is written while the run goes on, as strace(1) does, so it has no other name meanwhile. */
void session_outputs_open_strace(struct session *session)
{
	struct strace *strace = session->strace;
	if (!strace)
		return;
	if (program_choice_is_native(session))
		die("run: --strace is for Linux programs; %s is a native image, whose kernel calls are function calls: "
		    "give --summary to count them",
		    session->run.image);
	strace->out.fd = STDERR_FILENO;
	if (strace->file) {
		opening_begin(strace->file, session->run.timeout_s);
		strace->out.fd = open(strace->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		opening_end();
		if (strace->out.fd < 0)
			die("cannot write the kernel calls to %s: %s", strace->file, strerror(errno));
		run_config_keep(&session->run, strace->out.fd);
		host_streams_also(strace->out.fd);
	}
	session->run.strace = strace;
}

/* Says what is missing in the lines. */
static void close_strace(const struct session *session, const struct run_result *result)
{
	const struct strace *strace = session->strace;
	if (strace->file)
		close(strace->out.fd);
	if (strace->out.error)
		die("cannot write the kernel calls to %s: %s", strace->file ? strace->file : "standard error",
		    strerror(strace->out.error));
	if (strace->is_broken)
		say("the program has damaged the memory in which --strace notes its calls; calls are missing");
	else if (!strace->is_told && result->end != RUN_ERROR)
		say("no kernel calls are shown: the kernel in this image is older than --strace; pack it again");
}

/* Puts a file that the run has written into place. A run that failed leaves none. */
static void close_out(struct save *save, enum keeper_save which, bool has_failed, const char *what, const char *path)
{
	if (has_failed) {
		save_abandon(save);
		return;
	}
	int error = keeper_put_file(save, which);
	if (error)
		die("cannot write the %s to %s: %s", what, path, strerror(-error));
}

/* Writes the list of files that were read. */
static void close_files_out(const struct session *session, const struct run_result *result)
{
	struct save *save = &session->opened->files_list;
	bool has_failed = result->end == RUN_ERROR;
	int error = has_failed ? 0 : host_notes_write(&session->opened->files.notes, save->to);
	if (error) {
		save_abandon(save);
		die("cannot write the list of files to %s: %s", session->files_out, strerror(-error));
	}
	close_out(save, KEEPER_FILES, has_failed, "list of files", session->files_out);
}

/* All changes are wanted, not only those below --save's directory; what is saved comes from the same file. */
static void take_all_changes(struct session *session)
{
	struct changes *changes = &session->opened->changes;
	struct save_dir *dir = &session->opened->dir;
	changes->takes_all = true;
	changes->spool = session->changes_spool;
	session->run.changes = changes;
	if (!changes->dir)
		return;
	close(dir->spool);
	dir->spool = fcntl(session->changes_spool, F_DUPFD_CLOEXEC, 0);
	if (dir->spool < 0)
		die("cannot open another descriptor: %s", strerror(errno));
}

void session_outputs_open_changes(struct session *session)
{
	struct changes *changes = &session->opened->changes;
	struct save_dir *dir = &session->opened->dir;
	struct error error;
	if (session->sealed && !program_choice_is_native(session))
		changes->guest_dir = session->run.workdir ? session->run.workdir : "/";
	if (session->save_path) {
		if (program_choice_is_native(session))
			die("run: --save is for Linux programs; %s is a native image, which leaves files in /out: give "
			    "--out DIR",
			    session->run.image);
		if (save_dir_open(dir, session->save_path, &error))
			die("%s", error.text);
		const bool is_shown = session->sealed || save_dir_is_shown(dir, session->run.host_files);
		if (!is_shown && session->run.show_host && !strncmp(dir->real, BINDS_TMP "/", sizeof(BINDS_TMP)))
			die("run: --save=%s: the program has a /tmp of its own, in which it is not shown this "
			    "directory; add "
			    "--bind %s:%s",
			    session->save_path, dir->real, dir->real);
		if (!is_shown)
			die("run: --save=%s: the program is not shown this directory, or cannot change it; show it by "
			    "--bind",
			    session->save_path);
		changes->dir = dir;
		session->run.save_plan = &session->opened->plan;
	}
	if (session->save_path || session->verbosity >= 0 || session->summary == SUMMARY_JSON)
		session->run.changes = changes;
	if (session->changes_spool)
		take_all_changes(session);
	changes->here = getcwd(NULL, 0);
}

void session_outputs_close_changes(struct session *session)
{
	save_plan_fini(&session->opened->plan);
	changes_fini(&session->opened->changes);
	save_dir_close(&session->opened->dir);
}

void session_outputs_save(const struct session *session, struct run_result *result)
{
	struct save_plan *plan = &session->opened->plan;
	struct error error;
	if (!session->save_path || (result->end != RUN_EXIT && result->end != RUN_SIGNAL))
		return;
	if (save_plan_check(plan, &error) || save_apply(plan, &error)) {
		result->end = RUN_ERROR;
		result->status = 0;
		snprintf(result->message, sizeof(result->message), "%s", error.text);
	}
}

void session_outputs_start_keeper(struct session *session)
{
	struct error error;
	struct run_config *run = &session->run;
	struct session_opened *opened = session->opened;
	struct save *const saves[KEEPER_SAVES] = {&opened->summary,        &opened->schedule,  &opened->files_list,
	                                          &opened->accesses,       &opened->events,    &opened->core,
	                                          &session->grown.capture, &session->grown.log};
	if (session->no_confine) {
		say("warning: --no-confine: a hostile program that breaks into eremite can do all that you can do; "
		    "leave it out for programs that you do not trust");
		return;
	}
	if (session->verbosity > 0 && confine_files_version())
		say("the monitor is confined to its system calls and, by Landlock %d, to its files",
		    confine_files_version());
	else if (session->verbosity > 0)
		say("the monitor is confined to its system calls; this host's kernel has no Landlock, which would "
		    "confine it to its files");
	if (keeper_start(saves, opened->dir.fd, &error))
		die("%s", error.text);
	for (unsigned i = 0; i < KEEPER_SAVES; i++) {
		if (!saves[i]->to)
			continue;
		run_config_keep(run, fileno(saves[i]->to));
		run_config_keep(run, saves[i]->dir);
		saves[i]->name[0] = 0; /* the keeper removes an unfinished file */
	}
}

/* Puts the core file into place, if the run has left one. */
static void close_core(const struct session *session, const struct run_result *result)
{
	struct save *save = &session->opened->core;
	const struct core_out *core = &session->opened->core_out;
	const char *path = session->core_path;
	if (core->error) {
		save_abandon(save);
		die("cannot write the core file to %s: %s", path, strerror(-core->error));
	}
	close_out(save, KEEPER_CORE, !core->is_complete || result->end == RUN_ERROR, "core file", path);
}

void session_outputs_close(struct session *session, const struct run_result *result)
{
	struct session_opened *opened = session->opened;
	bool has_failed = result->end == RUN_ERROR || result->end == RUN_SCHEDULE;
	if (session->schedule_out)
		close_out(&opened->schedule, KEEPER_SCHEDULE, has_failed, "schedule", session->schedule_out);
	if (session->shared_out) {
		shared_out_write(session, opened->accesses.to);
		close_out(&opened->accesses, KEEPER_SHARED, has_failed, "list of accesses", session->shared_out);
	}
	if (session->events_out)
		close_out(&opened->events, KEEPER_EVENTS, has_failed, "events", session->events_out);
	if (session->core_path)
		close_core(session, result);
	record_run_grow(session, result);
	if (session->files_out)
		close_files_out(session, result);
	if (session->strace)
		close_strace(session, result);
	if (session->trace_path)
		session_trace_close(session, result);
}
