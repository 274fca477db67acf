/* SPDX-License-Identifier: MIT */
/* The core file of a run (--core). */
#ifndef HYPERVISOR_RUN_CORE_H
#define HYPERVISOR_RUN_CORE_H

#include "run/run_state.h"

/** Has the guest of a run that has failed send its core file to run_config.core. All digests are closed by then. */
void run_collect_core(struct run *run);

#endif
