/* SPDX-License-Identifier: MIT */
/* Executing programs: execve(2). */
#ifndef KERNEL_LINUX_PROCESS_EXECVE_H
#define KERNEL_LINUX_PROCESS_EXECVE_H

#include "kernel/arch/trap.h"
#include "kernel/linux/process/initial_stack.h"

/** Replaces the running program, if any, by another, with *frame at its start. The strings must be in kernel memory.
 * Returns 0, or a negative errno of execve(2) when the old program continues. When neither can run, the run ends. */
int execve_program(const char *path, struct strings arguments, struct strings environment, struct trap_frame *frame);

/** personality.inode_contents_writable: -ETXTBSY for a file that a process executes. */
int execve_contents_writable(const struct inode *inode);

#endif
