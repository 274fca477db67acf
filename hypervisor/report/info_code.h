/* SPDX-License-Identifier: MIT */
/* The output of `eremite info` for a Linux program or library: a line for each instruction that cannot run unchanged.
 */
#ifndef HYPERVISOR_INFO_CODE_H
#define HYPERVISOR_INFO_CODE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "code/code_scan.h"

/**
 * Scans an untrusted file, and prints each such instruction and what will be done about it. Also prints the decision
 * points in `points`. Returns 0, or a negative errno with one line in *error.
 */
int info_code_print(FILE *to, const char *path, const uint8_t *file, uint64_t bytes, const struct code_points *points,
                    struct error *error);

#endif
