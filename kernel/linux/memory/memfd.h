/* SPDX-License-Identifier: MIT */
/* Files in memory that are in no directory: memfd_create(2). */
#ifndef KERNEL_LINUX_MEMORY_MEMFD_H
#define KERNEL_LINUX_MEMORY_MEMFD_H

#include "kernel/vfs/inode.h"

/** The name given to memfd_create(2); NULL for other inodes. */
const char *memfd_name(const struct inode *inode);

#endif
