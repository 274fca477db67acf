/* SPDX-License-Identifier: MIT */
/* The schedule that a run replays or follows, and where its policy begins. */
#ifndef HYPERVISOR_SCHEDULE_INPUT_H
#define HYPERVISOR_SCHEDULE_INPUT_H

#include "session/session.h"

/** Reads the schedule that the run replays or follows, if any. Ends eremite on an error. */
void schedule_input_read(struct session *session);

/** Finds main() of a Linux program for --from main, in the host's file `program`; NULL: the program is only in the
 * guest. On an error it prints a message and exits with EXIT_EREMITE. */
void schedule_input_find_main(struct session *session, const char *program);

#endif
