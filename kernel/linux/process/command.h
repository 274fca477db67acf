/* SPDX-License-Identifier: MIT */
/* The first program of a run, found and executed as a shell does with a command (POSIX, "Command Search and
 * Execution"). execve(2) has neither the search nor the fallback to a shell. */
#ifndef KERNEL_LINUX_PROCESS_COMMAND_H
#define KERNEL_LINUX_PROCESS_COMMAND_H

#include "kernel/arch/trap.h"
#include "kernel/linux/process/initial_stack.h"

/* Exit statuses of shells for programs that they cannot execute. */
#define COMMAND_NOT_FOUND 127
#define COMMAND_NOT_EXECUTABLE 126

/** Executes a program. A name without a slash is searched in the working directory and then in the environment's PATH.
 * A text file that is not a program is run by /bin/sh. Returns 0, or the exit status after a line on standard error has
 * said why. */
int command_execute(const char *name, struct strings arguments, struct strings environment, struct trap_frame *frame);

#endif
