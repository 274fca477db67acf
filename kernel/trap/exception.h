/* SPDX-License-Identifier: MIT */
/* Handling of exceptions. */
#ifndef KERNEL_TRAP_EXCEPTION_H
#define KERNEL_TRAP_EXCEPTION_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** *trap_handler: emulates an instruction, makes memory present, fails an access of the kernel to program memory, or
 * makes the exception a signal. */
void exception_handle(struct trap_frame *frame);

/** If set, looks at each page fault before everything else. Returns whether the access can be repeated. */
extern bool (*exception_first)(struct trap_frame *frame);

#endif
