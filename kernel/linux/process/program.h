/* SPDX-License-Identifier: MIT */
/* What a process has executed, for /proc to tell: file, arguments, environment. As they were at execve(2): what the
 * program then writes over them is not seen. */
#ifndef KERNEL_LINUX_PROCESS_PROGRAM_H
#define KERNEL_LINUX_PROCESS_PROGRAM_H

#include "kernel/linux/files/text.h"
#include "kernel/linux/process/initial_stack.h"
#include "kernel/vfs/inode.h"

struct program {
	unsigned refs;         /**< processes */
	struct inode *file;    /**< with a reference */
	struct text arguments; /**< each with its NUL */
	struct text environment;
	struct text auxiliary; /**< the vector that the program was given (getauxval(3)) */
};

/** With one reference; NULL without memory. */
struct program *program_create(struct inode *file, struct strings arguments, struct strings environment);

/** Takes a reference, and gives it back; NULL is taken. */
struct program *program_get(struct program *program);
void program_put(struct program *program);

#endif
