/* SPDX-License-Identifier: MIT */
/* Extended attributes (xattr(7)) of inodes: those of the name space `user`, in memory. Attributes
 * that a host file has on the host are not shown. */
#ifndef KERNEL_VFS_ATTRIBUTE_H
#define KERNEL_VFS_ATTRIBUTE_H

#include <stddef.h>

#include "kernel/vfs/inode.h"

/** Maximum number of bytes of an inode's names and values. */
#define ATTRIBUTE_BYTES_MAX 131072

/** Sets an attribute to a value in the program's memory, with LINUX_XATTR_CREATE and _REPLACE in flags. Returns 0,
 * -EEXIST, -ENODATA, -EFAULT or -ENOSPC. */
int attribute_set(struct inode *inode, const char *name, const void *value, size_t bytes, int flags);

/** Copies a value to the program. Returns its size, also if `size` is 0; -ENODATA, -ERANGE or -EFAULT. */
long attribute_get(const struct inode *inode, const char *name, void *to, size_t size);

/** Copies all names to the program, each with its NUL, in the order in which they were made. Returns their size, also
 * if `size` is 0; -E2BIG if it exceeds LINUX_XATTR_SIZE_MAX; -ERANGE or -EFAULT. */
long attribute_list(const struct inode *inode, char *to, size_t size);

/** Removes an attribute. Returns 0 or -ENODATA. */
int attribute_remove(struct inode *inode, const char *name);

/** Frees all attributes of an inode that is destroyed. */
void attribute_free_all(struct inode *inode);

#endif
