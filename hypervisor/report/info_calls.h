/* SPDX-License-Identifier: MIT */
/* Names of system calls, and what becomes of them: `eremite info --syscalls`. */
#ifndef HYPERVISOR_INFO_CALLS_H
#define HYPERVISOR_INFO_CALLS_H

#include <stdint.h>
#include <stdio.h>

#include "run/run.h"

/** Prints what becomes of each system call of a Linux program, as docs/syscalls.md has it, one a line. */
void info_calls_print(FILE *to);

/** Names of enum unknown_calls, as --unknown-syscall has them. */
extern const char *const info_calls_unknown[UNKNOWN_KINDS];

/** Names the calls whose bits are set (struct run_stats), with ", " between two; "" for none. */
void info_calls_name(const uint64_t *bits, char *text, size_t bytes);

#endif
