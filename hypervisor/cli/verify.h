/* SPDX-License-Identifier: MIT */
/* --verify: the same run twice, and where they part. */
#ifndef HYPERVISOR_VERIFY_H
#define HYPERVISOR_VERIFY_H

#include "run/run.h"

/**
 * Runs as run_image does, then a second time without output, and compares. Where the runs differ the result ends
 * with RUN_DIFFER and a message that names what differs; else it is the first run's.
 */
void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result);

#endif
