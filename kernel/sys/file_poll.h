/* SPDX-License-Identifier: MIT */
/* What select(2) depends on. */
#ifndef KERNEL_SYS_FILE_POLL_H
#define KERNEL_SYS_FILE_POLL_H

/** The number of the first descriptor that select(2) does not look at, whatever it was told: of native images
 * FDTABLE_MAX, of Linux programs kernel/linux/files/fd_slots.h. */
int file_poll_select_max(void);

#endif
