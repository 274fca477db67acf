/* SPDX-License-Identifier: MIT */
/* The additional mounts of Linux programs, with the host's files, and their working directory. */
#ifndef KERNEL_LINUX_FILES_MOUNTS_H
#define KERNEL_LINUX_FILES_MOUNTS_H

#include "kernel/vfs/inode.h"

struct boot_info;

/** Mounts the host's roots in order, after vfs_init. A root at "/" replaces the root file system; /dev, /out and an
 * empty /tmp stay. Ends the run when a root cannot be mounted. */
void mounts_init(const struct boot_info *boot);

/** A mounted root of the host. */
struct host_mount {
	const char *path; /**< absolute */
	const struct mount *mount;
};

/** The number of mounted roots, and each of them in the order of mounting. */
unsigned mounts_count(void);
struct host_mount mounts_get(unsigned number);

/** The place where the guest's home directory, or its parent with it, is mounted over the root "/"; NULL: not
 * mounted. */
const char *mounts_home(void);

/** Changes to the requested working directory, after all mounts. Ends the run on an error. */
void mounts_enter(void);

/** Mounts a directory or a file of another file system over a name in a directory, whatever the name refers to. Takes
 * a reference. Returns 0 or a negative errno. */
int mounts_over(struct inode *above, const char *name, struct inode *over);

/** mounts_over for a name in the root directory. */
int mounts_over_root(const char *name, struct inode *over);

#endif
