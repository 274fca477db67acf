/* SPDX-License-Identifier: MIT */
/* The owner of an open file, who is sent signals (fcntl(2)). Native images have none; for Linux programs
 * kernel/linux/signal/async.c implements it. */
#ifndef KERNEL_SYS_FILE_DESCRIPTOR_H
#define KERNEL_SYS_FILE_DESCRIPTOR_H

#include "kernel/vfs/file.h"

/** Sets or clears O_ASYNC on a descriptor. Returns 0 or -ENOMEM. */
int file_descriptor_set_async(int fd, struct file *file, bool on);

/** The commands F_SETOWN to F_GETOWN_EX. */
long file_descriptor_owner(struct file *file, int command, unsigned long arg);

/** ioctl(2), except that FIOASYNC only sets the flag. */
long file_descriptor_ioctl(int fd, unsigned long request, void *arg);

#endif
