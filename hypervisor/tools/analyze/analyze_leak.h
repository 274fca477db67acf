/* SPDX-License-Identifier: MIT */
/* A program whose runs differ although all its inputs are the same. */
#ifndef HYPERVISOR_ANALYZE_LEAK_H
#define HYPERVISOR_ANALYZE_LEAK_H

#include "analyze/analyze.h"

/** Names the first event in which two runs differ: adds what `eremite run --verify` says to the verdict. `schedule` is
 * an option of `eremite run`. */
void analyze_leak_name(struct analyze *analyze, char *schedule);

#endif
