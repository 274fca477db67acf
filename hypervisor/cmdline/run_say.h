/* SPDX-License-Identifier: MIT */
/* What `eremite run` says about a run, while it goes on and when it has ended. */
#ifndef HYPERVISOR_RUN_SAY_H
#define HYPERVISOR_RUN_SAY_H

#include "session/session.h"

/** Has the run report its end, a stall and what else a user wants to know, to standard error, before it starts. The
 * session has its engine, and is the context of its observer. */
void run_say_observe(struct session *session);

/** Sets result->message to the line for the run's end, if that is not the program's own exit. */
void run_say_describe(const struct session *options, struct run_result *result);

/** Says how the run ended. */
void run_say_end(const struct session *options, const struct run_result *result);

/** Says that the program does not see standard input, if somebody seems to give it some, because its image has its own.
 */
void run_say_unread_input(const struct session *options);

#endif
