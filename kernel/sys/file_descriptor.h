/* SPDX-License-Identifier: MIT */
/* Calls on descriptors that the personalities extend. */
#ifndef KERNEL_SYS_FILE_DESCRIPTOR_H
#define KERNEL_SYS_FILE_DESCRIPTOR_H

#include "kernel/vfs/file.h"

/** personality.file_owner where open files have no owner. */
long file_descriptor_no_owner(struct file *file, int command, unsigned long arg);

/** ioctl(2), except that FIOASYNC only sets the flag. */
long file_descriptor_ioctl(int fd, unsigned long request, void *arg);

#endif
