/* SPDX-License-Identifier: MIT */
/* Path walk (path_resolution(7)). Nothing in a struct path holds a reference: a result is valid only until the next
 * call that may remove names. */
#ifndef KERNEL_VFS_PATH_H
#define KERNEL_VFS_PATH_H

#include "kernel/vfs/inode.h"

#define PATH_FOLLOW 1U /* follow a symbolic link in the last component */
#define PATH_KEEP 2U   /* only note a trailing slash: for calls that create, remove or rename */
#define PATH_EMPTY 4U  /* an empty path means dirfd itself: AT_EMPTY_PATH */
#define PATH_NULL 8U   /* a null pointer also means dirfd itself, as for the stat calls since Linux 6.11 */

/** The kind of the last component. */
enum path_last {
	PATH_NORMAL,
	PATH_ROOT, /**< no last component: "/" */
	PATH_DOT,
	PATH_DOTDOT,
	PATH_OBJECT, /**< dirfd itself, or the target of a magic link: no name */
};

struct path {
	struct inode *parent;  /**< directory of the last component; NULL for PATH_ROOT and PATH_OBJECT */
	struct dentry *dentry; /**< PATH_NORMAL, when the name exists */
	struct inode *inode;   /**< the object that the path names; NULL when the last component does not exist */
	enum path_last last;
	bool slash;    /**< the last component was followed by a slash */
	bool too_long; /**< the last component exceeds NAME_MAX; only with PATH_KEEP, whose callers report it late */
	uint8_t length;
	uint32_t hash;                 /**< of the name, see dentry_hash */
	char name[LINUX_NAME_MAX + 1]; /**< PATH_NORMAL: the last component, no NUL */
};

/** Walks a path in the program's (or the kernel's) memory. A missing last component is an error only if it must be a
 * directory. Returns 0 or a negative errno. */
int path_walk(int dirfd, const char *user_path, unsigned int flags, struct path *path);

/** The errno for a path that names nothing: -ENOENT or -ENAMETOOLONG. */
int path_missing(const struct path *path);

/** Walks to an object that must exist: a missing last component is an error. */
int path_find(int dirfd, const char *user_path, unsigned int flags, struct inode **inode);

/** Copies the absolute path of a directory. Returns its length with the NUL, -ERANGE when it does not fit,
 * -ENAMETOOLONG when it would fit no buffer, or -ENOENT when the directory was removed. */
long path_of_directory(const struct inode *dir, char *buf, size_t size);

/** The top of all directories, which is the root of each process without chroot(2). No reference of its own. */
struct inode *path_top(void);

#endif
