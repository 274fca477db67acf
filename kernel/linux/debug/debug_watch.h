/* SPDX-License-Identifier: MIT */
/* Watchpoints of the debugger: pages with watched bytes cannot be written to while the program runs. A store there
 * faults, is executed alone, and the bytes are compared. Stores by system calls are compared when the call ends.
 * Where reads are watched, the page is absent for the program, and present again during system calls, because the
 * kernel would take it for one that does not exist yet. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_WATCH_H
#define KERNEL_LINUX_DEBUG_DEBUG_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/debug.h"
#include "kernel/arch/trap.h"

/** Adds and removes a watchpoint. Return 0, -ENOSPC, -EINVAL for too many bytes or another kind, or -ENOENT. */
int debug_watch_add(enum debug_watch kind, uint64_t address, uint64_t bytes);
int debug_watch_remove(enum debug_watch kind, uint64_t address, uint64_t bytes);
void debug_watch_forget(void);

/** Guards the pages, unless an access is under way; makes them as they were. */
void debug_watch_guard(void);
void debug_watch_lift(void);

/** Whether any reads are watched. */
bool debug_watch_hides(void);

/** Whether the exception is an access to a guarded page. Guards are off until debug_watch_end. */
bool debug_watch_faults(const struct trap_frame *frame);

/** The access has been made. */
void debug_watch_end(void);

/** Whether a watchpoint is to stop the program: its bytes have changed or were accessed since the last call. Only while
 * no page is guarded. */
bool debug_watch_hits(struct debug_stop *stop);

#endif
