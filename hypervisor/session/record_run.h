/* SPDX-License-Identifier: MIT */
/* What a run does for --record and --replay before it begins and after it has ended. */
#ifndef HYPERVISOR_RECORD_RUN_H
#define HYPERVISOR_RECORD_RUN_H

#include "session/session.h"

/** Called when the run begins: from now on, an error leaves the recording, which shows what happened until then. */
void record_run_begin(void);

/** Opens the recording, and the network outside. Called before the keeper is started. */
void record_run_open(struct session *session);

/** Completes the recording, or compares the result with the recorded one: then the result may become an error or
 * RUN_DIFFER. */
void record_run_close(struct session *session, struct run_result *result);

/** Completes the files with what --replay-miss=record-new adds, and has them replace the recording if the program has
 * ended by itself and the recording lacked something. Says so. Ends eremite if they cannot be written. */
void record_run_grow(struct session *session, const struct run_result *result);

#endif
