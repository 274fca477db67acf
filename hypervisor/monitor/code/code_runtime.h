/* SPDX-License-Identifier: MIT */
/* Distinguishes the libraries of C, C++ and Fortran from a program and its own libraries: --preempt own. */
#ifndef HYPERVISOR_CODE_RUNTIME_H
#define HYPERVISOR_CODE_RUNTIME_H

#include <stdint.h>

#include "code/code_scan.h"

/** Returns the points that are wanted in an untrusted file: without stores if `own` excludes it. */
struct code_points code_runtime_points(const uint8_t *file, uint64_t bytes, const struct code_points *points);

#endif
