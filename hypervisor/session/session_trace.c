/* SPDX-License-Identifier: MIT */
/* --trace: the files are written while the run goes on, so they have no other names meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "hostfs/host_streams.h"
#include "session/opening.h"
#include "session/program_choice.h"
#include "session/session_opened.h"

/* Without --strace the guest notes its calls for the trace alone. */
static struct strace *silent_strace(void)
{
	struct strace *strace = calloc(1, sizeof(*strace));
	if (!strace)
		die("out of memory");
	strace->is_silent = true;
	return strace;
}

void session_trace_open(struct session *session)
{
	struct trace_out *trace = &session->opened->trace;
	struct error error;
	if (!session->trace_path)
		return;
	if (program_choice_is_native(session))
		die("run: --trace is for Linux programs; %s is a native image, whose kernel calls are function calls: "
		    "give --summary to count them",
		    session->run.image);
	opening_begin(session->trace_path, session->run.timeout_s);
	const int failed = trace_out_open(trace, session->trace_path, &error);
	opening_end();
	if (failed)
		die("%s", error.text);
	if (!session->run.strace)
		session->run.strace = silent_strace();
	session->run.strace->taker = &trace->taker;
	const int fds[] = {trace->json.fd, trace->text.fd, trace->proto.fd};
	for (unsigned i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		run_config_keep(&session->run, fds[i]);
		host_streams_also(fds[i]);
	}
	session->run.trace_dir = trace->dir;
}

void session_trace_close(const struct session *session, const struct run_result *result)
{
	const struct strace *strace = session->run.strace;
	const int failed = trace_out_close(&session->opened->trace);
	if (failed)
		die("cannot write the trace to %s: %s", session->trace_path, strerror(-failed));
	if (session->strace) /* which has said it */
		return;
	if (strace->is_broken)
		say("the program has damaged the memory in which --trace notes its events; events are missing");
	else if (!strace->is_told && result->end != RUN_ERROR)
		say("the trace has no events: the kernel in this image is older than --trace; pack it again");
}
