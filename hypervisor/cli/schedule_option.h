/* SPDX-License-Identifier: MIT */
/* The options of `eremite run` about schedules, after they are parsed. */
#ifndef HYPERVISOR_SCHEDULE_OPTION_H
#define HYPERVISOR_SCHEDULE_OPTION_H

#include "cli/options.h"

/** Checks --sched and the related options together, and sets the policy that they mean. Ends eremite if they do not go
 * together. */
void schedule_option_check(struct options *options);

/** Reads the schedule that the run replays or follows, if any. Ends eremite on an error. */
void schedule_option_read(struct options *options);

/** Finds main() of a Linux program for --from main, in the host's file `program`; NULL: the program is only in the
 * guest. On an error it prints a message and exits with EXIT_EREMITE. */
void schedule_option_find_main(struct options *options, const char *program);

#endif
