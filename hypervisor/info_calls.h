/* SPDX-License-Identifier: MIT */
/* `eremite info --syscalls`. */
#ifndef HYPERVISOR_INFO_CALLS_H
#define HYPERVISOR_INFO_CALLS_H

#include <stdio.h>

/** Prints what becomes of each system call of a Linux program, as docs/syscalls.md has it, one a line. */
void info_calls_print(FILE *to);

#endif
