/* SPDX-License-Identifier: MIT */
/* The virtual file system as a whole: what is mounted at the start, a process's view of it, and the walk over /out
 * at the end.
 *
 * /      EROFS image with changes kept in memory, or an empty tmpfs
 * /dev   devices      /out   what the run leaves behind      /tmp   part of / */
#ifndef KERNEL_VFS_VFS_H
#define KERNEL_VFS_VFS_H

#include "kernel/vfs/fdtable.h"
#include "kernel/vfs/inode.h"

struct boot_info;

/** What a process knows of files. */
struct vfs_process {
	struct inode *root; /**< with a reference */
	struct inode *cwd;  /**< with a reference */
	uint32_t umask;
	uint32_t sharers; /**< further processes that have it */
	struct fdtable fds;
};

/** The process that runs. */
extern struct vfs_process *vfs_current;

/**
 * Mounts everything and opens descriptors 0, 1 and 2 on the console. 0, or a negative errno after telling on the
 * console why the root image was refused.
 */
int vfs_init(const struct boot_info *boot);

/** One object found by vfs_walk. */
struct vfs_entry {
	const char *path; /**< relative to the walk's start, ended by a NUL */
	uint32_t kind;    /**< LINUX_S_IFREG, LINUX_S_IFDIR, LINUX_S_IFLNK or another of LINUX_S_IFMT */
	uint32_t mode;    /**< permission bits */
	uint64_t bytes;   /**< of the file or the link's target; others have none */
	struct inode *inode;
};

/**
 * Visits everything below a directory: a directory before what it holds, names in byte order. Stops at the first
 * visit that returns other than 0, and returns that; or a negative errno (-ENAMETOOLONG below PATH_MAX). Allocates
 * nothing where everything is in memory already, as it is below /out. A visit changes no directory and walks nowhere.
 */
int vfs_walk(const char *path, int (*visit)(const struct vfs_entry *entry, void *context), void *context);

/**
 * Where the contents at offset (below entry->bytes) lie: memory of the direct map, or NULL for zeros, and *bytes of
 * it. 0 or a negative errno.
 */
int vfs_entry_data(const struct vfs_entry *entry, uint64_t offset, const void **data, size_t *bytes);

#endif
