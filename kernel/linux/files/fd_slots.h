/* SPDX-License-Identifier: MIT */
/* How many descriptors Linux's table of a process would have room for: it grows to powers of two, and never shrinks.
 * select(2) does not look at what is behind it. */
#ifndef KERNEL_LINUX_FILES_FD_SLOTS_H
#define KERNEL_LINUX_FILES_FD_SLOTS_H

#include "kernel/vfs/fdtable.h"

/** The number: FDSize in /proc/PID/status. */
uint32_t fd_slots(const struct fdtable *table);

/** A table has become that of a forked process: there is room for what is open. */
void fd_slots_forked(struct fdtable *table);

#endif
