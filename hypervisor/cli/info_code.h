/* SPDX-License-Identifier: MIT */
/* What `eremite info` says of a Linux program or library: a line for each instruction that cannot run as it is. */
#ifndef HYPERVISOR_INFO_CODE_H
#define HYPERVISOR_INFO_CODE_H

#include <stdint.h>
#include <stdio.h>

#include "code/code_scan.h"

/**
 * Scans a file, nothing of which is trusted, and prints what was found and what will be done. Also
 * the decision points that are wanted. 0, or a negative errno with one line in error[].
 */
int info_code_print(FILE *to, const char *path, const uint8_t *file, uint64_t bytes, const struct code_points *points,
                    char error[256]);

#endif
