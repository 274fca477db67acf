/* SPDX-License-Identifier: MIT */
#include "cmdline/run_finish.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "cmdline/run_say.h"
#include "report/changes_report.h"
#include "report/summary.h"

void run_finish_summary(struct session *session, const struct run_result *result)
{
	FILE *file = session_summary(session), *to = file ? file : stderr;
	if (session->summary == SUMMARY_NONE)
		return;
	int error = session->summary == SUMMARY_JSON ? summary_json(to, &session->run, result)
	                                             : summary_text(to, &session->run, result);
	error = session_put_summary(session, error);
	if (error)
		die("cannot write the summary to %s: %s",
		    session->summary_file ? session->summary_file : "standard error", strerror(-error));
}

/* Warns if a program compares times of files but does not see the times of edits. */
static void warn_of_times(const struct session *session)
{
	static const char *const names[] = {"make", "gmake", "ninja"};
	const char *program = session->run.program, *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (session->save_path && !session->run.host_file_times && !strcmp(name, names[i]))
			say("%s did not see the times at which files were edited; after an edit, add --file-times=host",
			    name);
}

static void say_changes(const struct session *session, const struct run_result *result)
{
	const bool is_stopped = result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
	if (session->verbosity >= 0 && changes_report(session_changes(session), is_stopped, session->verbosity > 0))
		warn_of_times(session);
}

int run_finish(struct session *session, struct run_result *result)
{
	session_keep(session, result);
	run_say_describe(session, result);
	say_changes(session, result);
	run_say_end(session, result);
	run_finish_summary(session, result);
	session_close(session, result);
	if (result->end == RUN_INTERRUPTED) { /* the caller sees the signal */
		signal(result->status, SIG_DFL);
		raise(result->status);
	}
	return session_status(result);
}
