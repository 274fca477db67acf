/* SPDX-License-Identifier: MIT */
/* The last part of a run: what its program has changed. */
#ifndef HYPERVISOR_RUN_CHANGES_H
#define HYPERVISOR_RUN_CHANGES_H

#include "run/run_state.h"

/**
 * Has the guest, which has come to its end, fill run_config.changes. Without an end of its telling they stay
 * incomplete; where they were to be saved the run has failed then.
 */
void run_collect_changes(struct run *run);

#endif
