/* SPDX-License-Identifier: MIT */
/* The program that a process executes, for /proc: file, arguments, environment. These are the values at execve(2); the
 * program's later changes to them are not shown. */
#ifndef KERNEL_LINUX_PROCESS_PROGRAM_H
#define KERNEL_LINUX_PROCESS_PROGRAM_H

#include "kernel/linux/files/text.h"
#include "kernel/linux/process/initial_stack.h"
#include "kernel/vfs/inode.h"

struct program {
	unsigned refs;         /**< number of processes */
	struct inode *file;    /**< with a reference */
	struct text arguments; /**< each ended by a NUL */
	struct text environment;
	struct text auxiliary; /**< the program's auxiliary vector (getauxval(3)) */
};

/** Creates a program with one reference; NULL without memory. */
struct program *program_create(struct inode *file, struct strings arguments, struct strings environment);

/** Takes a reference; drops it. Both accept NULL. */
struct program *program_get(struct program *program);
void program_put(struct program *program);

#endif
