/* SPDX-License-Identifier: MIT */
/* Watchpoints of the debugger: pages with watched bytes cannot be written to while the program runs. A store there
 * faults, is executed alone, and the bytes are compared. Stores by system calls are compared when the call ends. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_WATCH_H
#define KERNEL_LINUX_DEBUG_DEBUG_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Adds and removes a watchpoint. Return 0, -ENOSPC, -EINVAL for too many bytes, or -ENOENT. */
int debug_watch_add(uint64_t address, uint64_t bytes);
int debug_watch_remove(uint64_t address, uint64_t bytes);
void debug_watch_forget(void);

/** Makes the pages read-only, unless a store is under way; makes them writable again. */
void debug_watch_guard(void);
void debug_watch_lift(void);

/** Whether the exception is a store to a guarded page. Guards are off until debug_watch_end. */
bool debug_watch_faults(const struct trap_frame *frame);

/** The store has been made. */
void debug_watch_end(void);

/** Whether watched bytes have changed since the last call; their address. */
bool debug_watch_changed(uint64_t *address);

#endif
