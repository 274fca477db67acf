/* SPDX-License-Identifier: MIT */
#include "verify/event_run.h"

#include <stdlib.h>

#include "base/exit_status.h"
#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"
#include "session/verify.h"

int event_run_make(int argc, char **argv, const struct stat *checked, bool is_steady)
{
	static struct session session;
	static struct run_result result;
	struct eri_block block;
	options_parse(&session, argc, argv);
	sealed_run_leave_check(session.sealed, checked);
	session.is_quiet_about_program = true;
	session.wants_identity = true;
	session.leaves_recording = true; /* its events are compared */
	if (session_open(&session))
		return EXIT_EREMITE;
	run_say_observe(&session);
	session_start(&session);
	sealed_run_events(session.sealed, &block);
	session.sealed_events =
		&(const struct verify_sealed){.events = block.data, .bytes = block.bytes, .is_steady = is_steady};
	session_run(&session, &result);
	free(block.copy);
	return run_finish(&session, &result);
}
