/* SPDX-License-Identifier: MIT */
/* File mappings for mmap(2). */
#ifndef KERNEL_VFS_MAPPING_H
#define KERNEL_VFS_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Maps a file at [address, address + bytes), whole pages, now unmapped. A private mapping is a copy of the file as
 * it is now; a shared one shows the file's own pages, and ends with the file: touching what lies behind is SIGSEGV.
 * 0, -EBADF, -EACCES, -ENODEV, -ENOMEM.
 */
int mapping_create(uint64_t address, uint64_t bytes, int prot, bool shared, int fd, uint64_t offset);

#endif
