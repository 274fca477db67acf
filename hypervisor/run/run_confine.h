/* SPDX-License-Identifier: MIT */
/* What a run needs behind the walls (confine.h). */
#ifndef HYPERVISOR_RUN_CONFINE_H
#define HYPERVISOR_RUN_CONFINE_H

#include "run/run_state.h"

/**
 * Confines the monitor, before the first run's guest and before there is another thread; later runs are confined
 * already. Nothing without a keeper, which means --no-confine. 0, or a negative errno with a line in error[].
 */
int run_confine(const struct run *run, char error[256]);

#endif
