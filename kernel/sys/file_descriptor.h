/* SPDX-License-Identifier: MIT */
/* What fcntl(2) says of an open file's owner, who is sent signals: for native images, nothing. That of Linux programs
 * is in kernel/linux/signal/async.c. */
#ifndef KERNEL_SYS_FILE_DESCRIPTOR_H
#define KERNEL_SYS_FILE_DESCRIPTOR_H

#include "kernel/vfs/file.h"

/** O_ASYNC is set or cleared by a descriptor. 0 or -ENOMEM. */
int file_descriptor_set_async(int fd, struct file *file, bool on);

/** The commands F_SETOWN to F_GETOWN_EX. */
long file_descriptor_owner(struct file *file, int command, unsigned long arg);

/** ioctl(2), but that FIOASYNC only sets the flag. */
long file_descriptor_ioctl(int fd, unsigned long request, void *arg);

#endif
