/* SPDX-License-Identifier: MIT */
/* Open files without a name that represent a kernel object: eventfd(2), epoll(7), timerfd_create(2). */
#ifndef KERNEL_VFS_ANON_H
#define KERNEL_VFS_ANON_H

#include "kernel/vfs/file.h"

/** Opens a file with these operations and their object; on an error the caller keeps the object. flags: access mode and
 * LINUX_O_NONBLOCK. Each file has an inode of its own, on which it can be observed. Links in /proc show `name` after
 * "anon_inode:"; the caller keeps the name. Returns 0 or -ENOMEM. */
int anon_open(const char *name, const struct file_ops *ops, void *object, int flags, struct file **out);

/** The name of an inode that anon_open made; NULL for other inodes. */
const char *anon_name(const struct inode *inode);

/** anon_open with an inode of the given mount and mode. */
int anon_open_on(struct mount *mount, uint32_t mode, const struct file_ops *ops, void *object, int flags,
                 struct file **out);

/** Installs the file, with the caller's reference, at the lowest free descriptor, which is returned. -EMFILE drops the
 * reference. */
long anon_install(struct file *file, bool cloexec);

/** The file of a descriptor, without a reference; NULL: not open, or O_PATH. */
struct file *anon_get(int fd);

/** Reports to observers and pollers that these events hold. */
void anon_tell(const struct inode *inode, unsigned int events);

#endif
