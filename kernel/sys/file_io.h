/* SPDX-License-Identifier: MIT */
/* Reading and writing of vectors, and of parts of files. */
#ifndef KERNEL_SYS_FILE_IO_H
#define KERNEL_SYS_FILE_IO_H

#include "kernel/personality.h"
#include "kernel/vfs/file.h"

/** personality.file_vector where each file has its own: file_ops.vector. */
file_io_vector *file_io_own_vector(const struct file *file, bool writing);

/** Makes a part of a file that is open for writing read as zeros, and frees its memory: fallocate(2). Returns 0, -EPERM
 * or -ENOMEM. */
int file_io_punch(const struct file *file, uint64_t offset, uint64_t bytes);

/** lseek(2), except for files without a position, where Linux programs get another result
 * (kernel/linux/files/anon.c). */
long file_io_seek(int fd, long offset, int whence);

#endif
