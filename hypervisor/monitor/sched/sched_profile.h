/* SPDX-License-Identifier: MIT */
/* Reads profiles of runs: how many decision points each thread has passed, from a summary that --summary=json:FILE has
 * written.
 */
#ifndef HYPERVISOR_SCHED_PROFILE_H
#define HYPERVISOR_SCHED_PROFILE_H

#include <stdint.h>

#include "base/error.h"

/**
 * Reads at most `max` counts, of threads 1, 2, ..., into counts[]; 0 for a thread that the summary omits. Returns their
 * number, at least 1, or a negative errno with one line in *error.
 */
int sched_profile_read(const char *path, uint64_t *counts, unsigned max, struct error *error);

#endif
