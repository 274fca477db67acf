/* SPDX-License-Identifier: MIT */
/* Changes to names: creating, linking, removing, renaming; with the checks and errors of Linux in their order.
 *
 * Paths are memory of the program (or the kernel). All return 0 or a negative errno. */
#ifndef KERNEL_VFS_NAMEI_H
#define KERNEL_VFS_NAMEI_H

#include "kernel/vfs/path.h"

/**
 * Creates an object where a path walk found none. mode has the type and permissions, umask already taken off.
 * *out has no reference of its own.
 */
int namei_create(const struct path *path, uint32_t mode, struct inode **out);

/** A new regular file without a name in a directory: O_TMPFILE. *out has a reference. */
int namei_create_unnamed(struct inode *dir, uint32_t mode, bool linkable, struct inode **out);

/** Adds an object that exists to a directory, as a new file system is set up. */
int namei_attach(struct inode *dir, const char *name, size_t length, struct inode *inode);

int namei_mkdir(int dirfd, const char *path, uint32_t mode);

/** mknod(2). Devices cannot be made: -EPERM, as for a process without CAP_MKNOD. */
int namei_mknod(int dirfd, const char *path, uint32_t mode, uint64_t number);

int namei_symlink(const char *target, int dirfd, const char *path);
int namei_link(int from_fd, const char *from, int to_fd, const char *to, int flags);
int namei_unlink(int dirfd, const char *path);
int namei_rmdir(int dirfd, const char *path);
int namei_rename(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags);

#endif
