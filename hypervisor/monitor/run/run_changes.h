/* SPDX-License-Identifier: MIT */
/* The last part of a run: collects the changes of its program. */
#ifndef HYPERVISOR_RUN_CHANGES_H
#define HYPERVISOR_RUN_CHANGES_H

#include "run/run_state.h"

/**
 * Has the guest, whose program has ended, report its changes into run_config.changes. If the report does not finish,
 * the changes stay incomplete; the run then fails if they were to be saved.
 */
void run_collect_changes(struct run *run);

#endif
