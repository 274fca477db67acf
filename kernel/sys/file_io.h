/* SPDX-License-Identifier: MIT */
/* Reading and writing of vectors, and of parts of files. */
#ifndef KERNEL_SYS_FILE_IO_H
#define KERNEL_SYS_FILE_IO_H

#include "kernel/vfs/file.h"

/** A function like file_ops.vector. */
typedef long file_io_vector(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing);

/** The function that reads or writes a vector of a file as one unit; NULL: its pieces one by one. For Linux programs
 * see kernel/linux/files/pipe_pages.c. */
file_io_vector *file_io_vector_of(const struct file *file, bool writing);

/** Makes a part of a file that is open for writing read as zeros, and frees its memory: fallocate(2). Returns 0, -EPERM
 * or -ENOMEM. */
int file_io_punch(const struct file *file, uint64_t offset, uint64_t bytes);

/** lseek(2), except for files without a position, where Linux programs get another result
 * (kernel/linux/files/anon.c). */
long file_io_seek(int fd, long offset, int whence);

#endif
