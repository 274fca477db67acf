/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "abi/boot.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "base/jitter.h"
#include "engine/choice.h"
#include "engine/process/bases.h"
#include "session/events.h"
#include "session/file_times.h"
#include "session/keeper_serve.h"
#include "session/opening.h"
#include "session/option_defaults.h"
#include "session/program_choice.h"
#include "session/record_run.h"
#include "session/schedule_input.h"
#include "session/session_opened.h"
#include "session/shared_out.h"
#include "session/verify.h"

void session_init(struct session *session)
{
	memset(session, 0, sizeof(*session));
	session->run.memory_bytes = DEFAULT_MEMORY;
	session->run.epoch_ns = DEFAULT_EPOCH_NS;
	file_times_take(&session->run, DEFAULT_FILE_TIMES);
	session->run.uptime_s = UPTIME_DEFAULT_S;
	session->run.cpu.processors = DEFAULT_CPUS;
	session->run.seed = DEFAULT_SEED;
	session->run.sched.boot.seed = DEFAULT_SCHED_SEED;
	session->run.faults.seed = DEFAULT_FAULT_SEED;
	session->run.unknown_calls = DEFAULT_UNKNOWN_CALLS;
	session->net.jumps = DEFAULT_NET_JUMPS;
}

int session_open(struct session *session)
{
	session->opened = calloc(1, sizeof(*session->opened));
	if (!session->opened)
		die("out of memory");
	session->opened->dir = (struct save_dir){.fd = -1, .spool = -1};
	session->wants_identity |= session->summary != SUMMARY_NONE;
	signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe then fails with EPIPE, in every thread */
	if (session->no_fsgsbase)
		bases_forgo_fsgsbase();
	if (session->jitter)
		jitter_begin(session->jitter_seed);
	const int refused = program_choice_make(session);
	if (refused)
		return refused;
	session_inputs_choose_cpu(session);
	option_defaults_complete(session);
	session_outputs_check(session);
	schedule_input_read(session);
	session_inputs_open_root(session);
	session_outputs_open_summary(session);
	record_run_open(session);
	session_outputs_open_strace(session); /* before files that a program may look at */
	session_trace_open(session);
	session_inputs_open_files(session);
	session_outputs_open_changes(session);
	session_inputs_recall(session);
	session_outputs_open(session);
	if (session->events_path)
		events_read(session->events_path, &session->opened->events_given);
	session->run.root = &session->opened->root;
	return 0;
}

void session_start(struct session *session)
{
	opening_limit_end();
	session_choose_engine(session);
	record_run_begin();
	session_outputs_start_keeper(session);
	if (session->schedule_out)
		session->run.schedule_out = session->opened->schedule.to;
	if (session->shared_out)
		shared_out_begin(session);
}

void session_choose_engine(struct session *session)
{
	if (!session->engine)
		session->engine = engine_automatic();
}

void session_run(struct session *session, struct run_result *result)
{
	if (session->verify)
		verify_run(&session->run, session->engine, result);
	else if (session->sealed_events)
		verify_sealed_run(&session->run, session->engine, session->sealed_events, result);
	else if (session->events_path)
		verify_sealed_run(&session->run, session->engine, &session->opened->events_given, result);
	else if (session->events_out)
		events_run(session, session->opened->events.to, result);
	else
		run_image(&session->run, session->engine, result);
	session_inputs_check(session, result);
	if (!session->leaves_recording)
		record_run_close(session, result);
}

void session_keep(struct session *session, struct run_result *result)
{
	session_outputs_save(session, result);
	session_outputs_close(session, result);
}

void session_close(struct session *session, const struct run_result *result)
{
	root_close(&session->opened->root);
	session->engine->close();
	/* A run that was cut short made fewer requests than the next one will make. */
	if (session->run.host_files && (result->end == RUN_EXIT || result->end == RUN_SIGNAL))
		session_inputs_keep(session, result);
	keeper_dismiss();
	session_inputs_close(session);
	session_outputs_close_changes(session);
	keeper_end();
	if (session->sealed)
		sealed_run_close(session->sealed);
	free((void *)session->opened->events_given.events);
	free(session->opened);
	session->opened = NULL;
}

void session_open_summary(struct session *session)
{
	session_outputs_open_summary(session);
}

const struct changes *session_changes(const struct session *session)
{
	return &session->opened->changes;
}

FILE *session_summary(const struct session *session)
{
	return session->opened->summary.to;
}

int session_put_summary(struct session *session, int error)
{
	struct save *save = &session->opened->summary;
	if (save->to && error)
		save_abandon(save);
	else if (save->to)
		error = keeper_put_file(save, KEEPER_SUMMARY);
	return error;
}

int session_status(const struct run_result *result)
{
	if (result->reader_gone)
		return EXIT_SIGNAL_BASE + SIGPIPE;
	switch (result->end) {
	case RUN_EXIT:
		return result->status;
	case RUN_SIGNAL:
		return EXIT_SIGNAL_BASE + result->status;
	case RUN_DEADLOCK:
		return EXIT_DEADLOCK;
	case RUN_TIMEOUT:
	case RUN_REPLAYED:
		return EXIT_TIMEOUT;
	case RUN_DIFFER:
	case RUN_SCHEDULE:
		return EXIT_DIFFER;
	case RUN_INTERRUPTED:
		return EXIT_SIGNAL_BASE + result->status;
	default:
		return EXIT_EREMITE;
	}
}
