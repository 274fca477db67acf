/* SPDX-License-Identifier: MIT */
#include "cmdline/run_line.h"

#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"

/* Reports a program of the host that cannot run. Returns the exit status. */
static int refuse_program(struct session *session, int status)
{
	static struct run_result result = {.end = RUN_ERROR, .engine = "none"};
	session_open_summary(session);
	run_finish_summary(session, &result);
	return status;
}

int run_line(int argc, char **argv)
{
	static struct session session;
	static struct run_result result;
	options_parse(&session, argc, argv);
	const int refused = session_open(&session);
	if (refused)
		return refuse_program(&session, refused);
	run_say_unread_input(&session);
	session_choose_engine(&session);
	run_say_observe(&session);
	session_start(&session);
	session_run(&session, &result);
	return run_finish(&session, &result);
}
