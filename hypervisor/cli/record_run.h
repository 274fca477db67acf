/* SPDX-License-Identifier: MIT */
/* What a run does for --record and --replay before it begins and after it has ended. */
#ifndef HYPERVISOR_RECORD_RUN_H
#define HYPERVISOR_RECORD_RUN_H

#include "cli/options.h"

/** Opens the recording, and the network outside. Called before the keeper is started. */
void record_run_open(struct options *options);

/** Completes the recording, or compares the result with the recorded one: then the result may become an error or
 * RUN_DIFFER. */
void record_run_close(struct options *options, struct run_result *result);

#endif
