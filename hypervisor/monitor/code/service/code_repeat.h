/* SPDX-License-Identifier: MIT */
/* Repeats a file's search for a sample of its stores (--preempt sites), from its analysis. */
#ifndef HYPERVISOR_CODE_REPEAT_H
#define HYPERVISOR_CODE_REPEAT_H

#include <stdint.h>

#include "base/error.h"
#include "code/service/code_analysis.h"

/**
 * Draws from an analysis as `points` says, or takes the accesses of points->shared, and makes the patches of the file
 * with them. `atomics` must be that of the analysis. Takes notes and undecided bytes out of the analysis, which
 * code_analysis_fini still has to free. Returns 0 and a result, which code_scan_fini frees, or what code_scan_elf
 * returns.
 */
int code_repeat(const uint8_t *file, uint64_t bytes, struct code_analysis *analysis, const struct code_points *points,
                struct code_scan *scan, struct error *error);

#endif
