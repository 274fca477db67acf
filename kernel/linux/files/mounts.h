/* SPDX-License-Identifier: MIT */
/* What a Linux program sees beside what every program sees: files of the host, and where it starts. */
#ifndef KERNEL_LINUX_FILES_MOUNTS_H
#define KERNEL_LINUX_FILES_MOUNTS_H

#include "kernel/vfs/inode.h"

struct boot_info;

/**
 * Mounts the host's roots in their order, after vfs_init. A root at "/" takes the place of the root file system; /dev,
 * /out and an empty /tmp stay. Ends the run when something cannot be mounted.
 */
void mounts_init(const struct boot_info *boot);

/** A root of the host's that is mounted. */
struct host_mount {
	const char *path; /**< absolute */
	const struct mount *mount;
};

/** How many there are, and each in the order in which they were mounted. */
unsigned mounts_count(void);
struct host_mount mounts_get(unsigned number);

/** Where the guest's home directory, or that with its parent, is mounted over the root "/"; NULL: nowhere. */
const char *mounts_home(void);

/** Goes to the working directory that was asked for, when all is there. Ends the run when it cannot. */
void mounts_enter(void);

/**
 * Puts a directory, the root of another file system, over a name of a directory, whatever stands there. 0 or a negative
 * errno. Takes a reference.
 */
int mounts_over(struct inode *above, const char *name, struct inode *over);

/** The same over a name of the root directory. */
int mounts_over_root(const char *name, struct inode *over);

#endif
