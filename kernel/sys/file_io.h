/* SPDX-License-Identifier: MIT */
/* How vectors are read and written. */
#ifndef KERNEL_SYS_FILE_IO_H
#define KERNEL_SYS_FILE_IO_H

#include "kernel/vfs/file.h"

/** As file_ops.vector. */
typedef long file_io_vector(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing);

/** What reads or writes a vector of a file as one; NULL: its pieces one by one. That of Linux programs is in
 * kernel/linux/files/pipe_pages.c. */
file_io_vector *file_io_vector_of(const struct file *file, bool writing);

/** Has a part of a file that is open for writing be zeros, and forgets what it was: fallocate(2). 0, -EPERM or -ENOMEM.
 */
int file_io_punch(const struct file *file, uint64_t offset, uint64_t bytes);

/** lseek(2), but for what Linux gives a place that stays where it is (kernel/linux/files/anon.c). */
long file_io_seek(int fd, long offset, int whence);

#endif
