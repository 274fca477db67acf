/* SPDX-License-Identifier: MIT */
/* --verify: runs the program twice and finds the first difference. */
#ifndef HYPERVISOR_VERIFY_H
#define HYPERVISOR_VERIFY_H

#include "run/run.h"

/**
 * Runs the program as run_image does, then a second time without output, and compares the runs. If they differ,
 * result->end is RUN_DIFFER and result->message names the difference; otherwise the result is the first run's.
 */
void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result);

#endif
