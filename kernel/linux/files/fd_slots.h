/* SPDX-License-Identifier: MIT */
/* The size of a process's descriptor table on Linux: it grows to powers of two and never shrinks. select(2) ignores
 * descriptors beyond it. */
#ifndef KERNEL_LINUX_FILES_FD_SLOTS_H
#define KERNEL_LINUX_FILES_FD_SLOTS_H

#include "kernel/vfs/fdtable.h"

/** The size in descriptors: FDSize in /proc/PID/status. */
uint32_t fd_slots(const struct fdtable *table);

/** Sets the size for the table of a forked process: enough for the open descriptors. */
void fd_slots_forked(struct fdtable *table);

/** personality.fdtable_install: also grows the size. */
void fd_slots_install(struct fdtable *table, int fd, struct file *file, bool cloexec);

/** personality.select_max: the size of the running process's table. */
int fd_slots_select_max(void);

#endif
