/* SPDX-License-Identifier: MIT */
/* The initial stack of a program (System V psABI, 3.4.1; getauxval(3)). */
#ifndef KERNEL_LINUX_PROCESS_INITIAL_STACK_H
#define KERNEL_LINUX_PROCESS_INITIAL_STACK_H

#include <stdint.h>

#include "kernel/linux/files/text.h"
#include "kernel/linux/memory/space.h"
#include "kernel/linux/process/elf.h"

/** Maximum size of arguments and environment with their pointers: a quarter of the stack (execve(2)). */
#define STACK_STRINGS_MAX (LINUX_STACK_BYTES / 4)

/** A counted array of strings in kernel memory. */
struct strings {
	char *const *at;
	unsigned count;
};

/** Maps the main stack and puts arguments, environment and auxiliary vector on it; `name` is the executed path. *top
 * receives the initial stack pointer, and `vector` a copy of the auxiliary vector. Returns 0, -E2BIG when the strings
 * exceed STACK_STRINGS_MAX, or -ENOMEM. */
int initial_stack_build(const struct elf_program *program, const char *name, struct strings arguments,
                        struct strings environment, struct text *vector, uint64_t *top);

#endif
