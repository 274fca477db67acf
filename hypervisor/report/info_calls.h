/* SPDX-License-Identifier: MIT */
/* Names of system calls, and how each is handled: `eremite info --syscalls`. */
#ifndef HYPERVISOR_INFO_CALLS_H
#define HYPERVISOR_INFO_CALLS_H

#include <stdint.h>
#include <stdio.h>

#include "run/run.h"

/** Prints one line for each system call of a Linux program: how it is handled, as in docs/syscalls.md. */
void info_calls_print(FILE *to);

/** Names of enum unknown_calls, as --unknown-syscall takes them. */
extern const char *const info_calls_unknown[UNKNOWN_KINDS];

/** Writes the names of the calls whose bits are set (struct run_stats), separated by ", "; "" if none is set. */
void info_calls_name(const uint64_t *bits, char *text, size_t bytes);

#endif
