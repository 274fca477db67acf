/* SPDX-License-Identifier: MIT */
/* File mappings for mmap(2). */
#ifndef KERNEL_VFS_MAPPING_H
#define KERNEL_VFS_MAPPING_H

#include "kernel/mm/vm.h"

/** Prepares a mapping of a file from an offset on, for vm_map_object. /dev/zero is mapped as anonymous memory
 * (backing->ops is NULL). Returns 0, -EBADF, -EACCES, -ENODEV, or -EOVERFLOW when the mapping would end beyond the
 * largest file. */
int mapping_open(int fd, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing);

struct file;

/** mapping_open for an open file, without a descriptor. */
int mapping_of(struct file *file, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing);

#endif
