/* SPDX-License-Identifier: MIT */
/* Where the debugger wants the program to stop beside breakpoints: at a place of the run, at system calls, at signals.
 * These functions only look. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_WANTED_H
#define KERNEL_LINUX_DEBUG_DEBUG_WANTED_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/debug.h"
#include "kernel/arch/trap.h"

/** Takes what the debugger wants from now on. Returns the number of system calls so far. */
int64_t debug_wanted_take(const struct debug_wanted *wanted);

/** Counts a system call of any process. */
void debug_wanted_count_call(const struct trap_frame *frame);

/** Why the program is to stop before a system call of its running thread; 0: it is not. */
enum debug_reason debug_wanted_before_call(const struct trap_frame *frame);

/** Why it is to stop after one that has made a process: DEBUG_AT_FORK, DEBUG_AT_VFORK; 0: it is not. */
enum debug_reason debug_wanted_child(const struct trap_frame *frame);

/** Whether it is to stop after one. */
bool debug_wanted_after_call(const struct trap_frame *frame);

/** Whether the run has reached a wanted decision or time. */
bool debug_wanted_is_reached(void);

/** Whether it is to stop before a signal, which may have a handler. */
bool debug_wanted_stops_at(uint64_t sig, bool has_handler);

#endif
