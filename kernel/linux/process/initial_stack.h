/* SPDX-License-Identifier: MIT */
/* The initial stack of a program (System V psABI, 3.4.1; getauxval(3)). */
#ifndef KERNEL_LINUX_PROCESS_INITIAL_STACK_H
#define KERNEL_LINUX_PROCESS_INITIAL_STACK_H

#include <stdint.h>

#include "kernel/linux/files/text.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/process/elf.h"

/** A counted array of strings in kernel memory. */
struct strings {
	char *const *at;
	unsigned count;
};

/** Maximum size of arguments and environment with their pointers: a quarter of RLIMIT_STACK, at least 128 KiB and at
 * most 6 MiB (execve(2)). */
uint64_t initial_stack_most(void);

/** Whether they fit, beside the name. Returns 0 or -E2BIG. */
int initial_stack_check(const char *name, struct strings arguments, struct strings environment);

/** Maps the main stack and puts arguments, environment and auxiliary vector on it; `name` is the executed path. *top
 * receives the initial stack pointer, and `vector` a copy of the auxiliary vector. The strings have passed
 * initial_stack_check. Returns 0, -ENOMEM, or -EFAULT when RLIMIT_STACK leaves no room. */
int initial_stack_build(const struct elf_program *program, const char *name, struct strings arguments,
                        struct strings environment, struct text *vector, uint64_t *top);

#endif
