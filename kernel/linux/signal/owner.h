/* SPDX-License-Identifier: MIT */
/* Signals for the owner of an open pipe, FIFO, terminal or socket (fcntl(2), F_SETOWN and O_ASYNC): SIGIO, or the
 * signal chosen by F_SETSIG, when data or room arrive, and SIGURG for urgent data. */
#ifndef KERNEL_LINUX_SIGNAL_OWNER_H
#define KERNEL_LINUX_SIGNAL_OWNER_H

#include "kernel/vfs/file.h"

/** personality.file_set_async: sets or clears O_ASYNC on a descriptor. Returns 0 or -ENOMEM. */
int owner_set_async(int fd, struct file *file, bool on);

/** personality.file_owner: the commands F_SETOWN to F_GETSIG of fcntl(2). */
long owner_control(struct file *file, int command, unsigned long arg);

#endif
