/* SPDX-License-Identifier: MIT */
/* Executing programs: execve(2). */
#ifndef KERNEL_LINUX_PROCESS_EXECVE_H
#define KERNEL_LINUX_PROCESS_EXECVE_H

#include "kernel/arch/trap.h"
#include "kernel/linux/process/initial_stack.h"

/**
 * Puts a program in the place of the one that runs, if any, with *frame at its beginning. The strings must be the
 * kernel's. 0, or a negative errno of execve(2) when the old program goes on; when neither can, the run ends.
 */
int execve_program(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame);

#endif
