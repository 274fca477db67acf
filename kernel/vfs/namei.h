/* SPDX-License-Identifier: MIT */
/* Changes of names: creating, linking, removing, renaming, with Linux's checks and errors in Linux's order.
 *
 * Paths are in the program's (or the kernel's) memory. All functions return 0 or a negative errno. */
#ifndef KERNEL_VFS_NAMEI_H
#define KERNEL_VFS_NAMEI_H

#include "kernel/vfs/path.h"

/** Creates an object where a path walk found none. mode has the type and permissions; the umask is already applied.
 * *out has no reference of its own. */
int namei_create(const struct path *path, uint32_t mode, struct inode **out);

/** A new inode for a directory, with the properties inherited from it and one reference; NULL without memory. */
struct inode *namei_make(struct inode *dir, uint32_t mode);

/** A new regular file without a name in a directory: O_TMPFILE. *out has a reference. */
int namei_create_unnamed(struct inode *dir, uint32_t mode, bool linkable, struct inode **out);

/** Adds an existing object to a directory, while a file system is set up. */
int namei_attach(struct inode *dir, const char *name, size_t length, struct inode *inode);

/** mkdirat(2): an empty directory. This and the following return 0 or a negative errno; paths are in the program's
 * memory. */
int namei_mkdir(int dirfd, const char *path, uint32_t mode);

/** mknod(2). Devices cannot be made: -EPERM, as for a process without CAP_MKNOD. */
int namei_mknod(int dirfd, const char *path, uint32_t mode, uint64_t number);

/** symlinkat(2). */
int namei_symlink(const char *target, int dirfd, const char *path);

/** linkat(2), with its flags AT_SYMLINK_FOLLOW and AT_EMPTY_PATH. */
int namei_link(int from_fd, const char *from, int to_fd, const char *to, int flags);

/** unlinkat(2) without and with AT_REMOVEDIR. An object is destroyed with its last name and its last reference. */
int namei_unlink(int dirfd, const char *path);
int namei_rmdir(int dirfd, const char *path);

/** renameat2(2), with RENAME_NOREPLACE and RENAME_EXCHANGE. */
int namei_rename(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags);

/** Removes a name from its directory, after dentry_removable; its object has one link less. */
void namei_detach(struct dentry *dentry);

#endif
