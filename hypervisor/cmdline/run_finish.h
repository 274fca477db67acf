/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_RUN_FINISH_H
#define HYPERVISOR_RUN_FINISH_H

#include "session/session.h"

/** Ends a session after its run, and says how it ended. Returns the exit status of eremite. */
int run_finish(struct session *session, struct run_result *result);

/** Writes the summary, if one is wanted. */
void run_finish_summary(struct session *session, const struct run_result *result);

#endif
