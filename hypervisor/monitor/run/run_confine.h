/* SPDX-License-Identifier: MIT */
/* The files and descriptors that a run needs after the monitor is confined (confine.h). */
#ifndef HYPERVISOR_RUN_CONFINE_H
#define HYPERVISOR_RUN_CONFINE_H

#include "base/error.h"
#include "run/run_state.h"

/**
 * Confines the monitor. Called before the first run's guest starts and before another thread exists; later runs are
 * confined already. Does nothing without a keeper, that is with --no-confine. Returns 0, or a negative errno with a
 * line in *error.
 */
int run_confine(const struct run *run, struct error *error);

#endif
