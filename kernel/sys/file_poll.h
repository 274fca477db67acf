/* SPDX-License-Identifier: MIT */
/* The range of descriptors of select(2). */
#ifndef KERNEL_SYS_FILE_POLL_H
#define KERNEL_SYS_FILE_POLL_H

/** The first descriptor number that select(2) ignores, whatever its arguments: FDTABLE_MAX in native images; for Linux
 * programs see kernel/linux/files/fd_slots.h. */
int file_poll_select_max(void);

#endif
