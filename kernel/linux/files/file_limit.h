/* SPDX-License-Identifier: MIT */
/* personality.data_write, data_truncate and data_reserve: changes of files within RLIMIT_FSIZE. */
#ifndef KERNEL_LINUX_FILES_FILE_LIMIT_H
#define KERNEL_LINUX_FILES_FILE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

struct inode;

/** As data_write, data_truncate and data_reserve (kernel/vfs/data.h). -EFBIG, with SIGXFSZ, beyond the limit. A
 * reservation that does not fit as a whole allocates nothing. */
long file_limit_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset);
int file_limit_truncate(struct inode *inode, uint64_t size);
int file_limit_reserve(struct inode *inode, uint64_t offset, uint64_t bytes);

#endif
