/* SPDX-License-Identifier: MIT */
/* Threads of Linux programs that wait for a variable in a loop without a system call, a `pause` or another decision
 * point. The monitor finds them by stepping (hypervisor/monitor/run/spin.h), and they give way to others. */
#ifndef KERNEL_LINUX_ENTRY_SPIN_H
#define KERNEL_LINUX_ENTRY_SPIN_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** Handles an exception while the monitor may be stepping. Returns whether it was only a step of the monitor. */
bool spin_trap(struct trap_frame *frame);

/** Emulates RDTSC or RDTSCP, of `length` bytes, whose first was replaced by a trap. After many reads in a loop that
 * does nothing else, other threads run first, and time passes sooner. */
void spin_stamp(struct trap_frame *frame, unsigned length, bool is_rdtscp);

/** Does the work of RDTSC or RDTSCP, which became a jump, for entry.S: as spin_stamp, and what is due happens. The
 * frame is the one on the thread's kernel stack, with the vector that the last entry left. Returns whether all of it
 * must be restored, not only the registers that a function does not preserve. */
bool spin_stamp_read(struct trap_frame *frame, bool is_rdtscp);

/** Called by entry.S: gives way, because the loop of the thread with this frame has completed an iteration that changed
 * nothing, or because it only reads the time stamp. */
void linux_spin(struct trap_frame *frame);

#endif
