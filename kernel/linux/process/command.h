/* SPDX-License-Identifier: MIT */
/* The program that a run starts with, found and run as a shell finds and runs a command (POSIX, "Command Search and
 * Execution"). execve(2) does neither. */
#ifndef KERNEL_LINUX_PROCESS_COMMAND_H
#define KERNEL_LINUX_PROCESS_COMMAND_H

#include "kernel/arch/trap.h"
#include "kernel/linux/process/initial_stack.h"

/* What shells say of programs that they cannot execute. */
#define COMMAND_NOT_FOUND 127
#define COMMAND_NOT_EXECUTABLE 126

/**
 * Executes a program: a path, or a name, which is searched in the working directory and then in the environment's PATH.
 * A text file that is no program is run by /bin/sh. 0, or the status to end with, when a line on standard error has
 * said why.
 */
int command_execute(const char *name, struct strings arguments, struct strings environment, struct trap_frame *frame);

#endif
