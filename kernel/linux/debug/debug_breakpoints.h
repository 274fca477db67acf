/* SPDX-License-Identifier: MIT */
/* Breakpoints of the debugger. A page of code with breakpoints is replaced by a copy in the debugger's area while the
 * program runs, so that no byte of the guest's memory changes, and a page that another process shares stays as it is.
 * The copies are removed before the kernel looks at page tables. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_BREAKPOINTS_H
#define KERNEL_LINUX_DEBUG_DEBUG_BREAKPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Adds a breakpoint, or gives one other conditions (debug_condition.h). Without room for them it has none. Returns 0,
 * -ENOSPC, -EFAULT for an address where none can be, or -EINVAL. */
int debug_breakpoints_add(uint64_t address, const uint8_t *conditions, size_t bytes);

/** Removes one. Returns 0 or -ENOENT. */
int debug_breakpoints_remove(uint64_t address);
void debug_breakpoints_forget(void);

/** Makes the running thread, which is at a breakpoint, continue if the breakpoint's conditions are false. Returns
 * whether they are. */
bool debug_breakpoints_pass(struct trap_frame *frame);

/** Puts all breakpoints into the program's code, as far as it is mapped. */
void debug_breakpoints_insert(void);

/** Removes them from it. */
void debug_breakpoints_lift(void);

/** Makes the exception of a breakpoint, which is an instruction that ring 3 may not execute (CODE_TRAP), that of int3.
 */
void debug_breakpoints_settle(struct trap_frame *frame);

/** Whether a breakpoint is in the code at an address, which may be in a stub. */
bool debug_breakpoints_at(uint64_t address);

#endif
