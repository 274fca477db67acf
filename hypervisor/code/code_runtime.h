/* SPDX-License-Identifier: MIT */
/* Distinguishes the libraries of C, C++ and Fortran from a program and its own libraries: --preempt own. */
#ifndef HYPERVISOR_CODE_RUNTIME_H
#define HYPERVISOR_CODE_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "code/code_scan.h"
#include "guest/elf_file.h"

/** Whether a file calls itself, by its DT_SONAME, a library of a language's runtime, or the dynamic loader. */
bool code_runtime_is(const struct elf_file *elf);

/** Returns the points that are wanted in an untrusted file: without stores if `own` excludes it. */
struct code_points code_runtime_points(const uint8_t *file, uint64_t bytes, const struct code_points *points);

#endif
