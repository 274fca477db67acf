/* SPDX-License-Identifier: MIT */
/* What a session has open between session_open and session_close. */
#ifndef HYPERVISOR_SESSION_OPENED_H
#define HYPERVISOR_SESSION_OPENED_H

#include "base/save.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_files.h"
#include "hostfs/host_recall.h"
#include "root/root.h"
#include "save/changes.h"
#include "save/core_out.h"
#include "save/save_dir.h"
#include "save/save_plan.h"
#include "session/session.h"
#include "session/verify.h"
#include "trace/trace_out.h"

struct session_opened {
	struct root root;
	struct host_files files;
	struct host_ahead ahead;
	struct host_recall recall; /**< requests of an earlier run of the same program */
	struct changes changes;
	struct save_plan plan;
	struct save_dir dir; /**< with --save */
	struct save summary, schedule, files_list, accesses, events, core;
	struct core_out core_out;          /**< with --core */
	struct trace_out trace;            /**< with --trace */
	struct verify_sealed events_given; /**< of --events */
};

/** Open what the run reads. End eremite on an error. */
void session_inputs_choose_cpu(struct session *session);
void session_inputs_open_root(struct session *session);
void session_inputs_open_files(struct session *session);
void session_inputs_recall(struct session *session);

/** Checks that root and image did not change. The result does not belong to changed ones. */
void session_inputs_check(const struct session *session, struct run_result *result);

/** Keeps the list of requests, so that the next run can be answered before it asks. */
void session_inputs_keep(const struct session *session, const struct run_result *result);

/** Closes what was opened of the host. */
void session_inputs_close(struct session *session);

/** Refuses options that name one file twice, if one of them writes it. */
void session_outputs_check(const struct session *session);

/** Opens the file of the summary, before the run, so that a bad path does not waste one. */
void session_outputs_open_summary(struct session *session);

/** Opens the other files that the run writes. */
void session_outputs_open(struct session *session);

/** Opens the output of --strace, which a native image is refused. */
void session_outputs_open_strace(struct session *session);

/** Opens the directory of --trace, after the output of --strace. */
void session_trace_open(struct session *session);

/** Ends the files in it, and says what is missing in them. */
void session_trace_close(const struct session *session, const struct run_result *result);

/** Prepares the changes of the program, and --save's directory. */
void session_outputs_open_changes(struct session *session);
void session_outputs_close_changes(struct session *session);

/** Starts the keeper, which acts for the confined monitor. With --no-confine, only warns. */
void session_outputs_start_keeper(struct session *session);

/** Applies the changes of a program that has ended by itself. */
void session_outputs_save(const struct session *session, struct run_result *result);

/** Puts the files that the run has written into place. A run that failed leaves none. */
void session_outputs_close(struct session *session, const struct run_result *result);

#endif
