/* SPDX-License-Identifier: MIT */
/* Threads of Linux programs that wait in a loop without a call, a `pause` or another decision point: until a variable
 * changes. The monitor finds them by stepping (hypervisor/run/spin.h), and they make way. */
#ifndef KERNEL_LINUX_ENTRY_SPIN_H
#define KERNEL_LINUX_ENTRY_SPIN_H

#include <stdbool.h>

#include "kernel/arch/trap.h"

/** An exception, while the monitor may be stepping. Whether it was a step of its, and nothing else. */
bool spin_trap(struct trap_frame *frame);

/** From entry.S: the thread at whose frame a loop has come to where it was, with nothing changed, makes way. */
void linux_spin(struct trap_frame *frame);

#endif
