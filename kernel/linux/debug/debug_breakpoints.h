/* SPDX-License-Identifier: MIT */
/* Breakpoints of the debugger. A page of code with breakpoints is replaced by a copy in the debugger's area while the
 * program runs, so that no byte of the guest's memory changes, and a page that another process shares stays as it is.
 * The copies are removed before the kernel looks at page tables. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_BREAKPOINTS_H
#define KERNEL_LINUX_DEBUG_DEBUG_BREAKPOINTS_H

#include <stdbool.h>
#include <stdint.h>

/** Adds and removes a breakpoint. Return 0, -ENOSPC, -EFAULT for an address where none can be, or -ENOENT. */
int debug_breakpoints_add(uint64_t address);
int debug_breakpoints_remove(uint64_t address);

/** Puts all breakpoints into the program's code, as far as it is mapped. */
void debug_breakpoints_insert(void);

/** Removes them from it. */
void debug_breakpoints_lift(void);

/** Whether a breakpoint is in the code at an address, which may be in a stub. */
bool debug_breakpoints_at(uint64_t address);

#endif
