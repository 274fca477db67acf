/* SPDX-License-Identifier: MIT */
/* File mappings for mmap(2). */
#ifndef KERNEL_VFS_MAPPING_H
#define KERNEL_VFS_MAPPING_H

#include "kernel/mm/vm.h"

/**
 * What a mapping of a file shows from an offset on, for vm_map_object; /dev/zero is as if there were no file
 * (backing->ops is NULL). 0, -EBADF, -EACCES, -ENODEV, or -EOVERFLOW when it would end beyond the largest file.
 */
int mapping_open(int fd, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing);

struct file;

/** The same of a file that is open, whichever way. */
int mapping_of(struct file *file, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing);

#endif
