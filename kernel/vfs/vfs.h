/* SPDX-License-Identifier: MIT */
/* The virtual file system as a whole: the initial mounts, a process's view of it, and the walk over /out at the end.
 *
 * - / : EROFS image with changes kept in memory, or an empty tmpfs
 * - /dev: devices
 * - /out: the files that the run leaves behind
 * - /tmp: part of / */
#ifndef KERNEL_VFS_VFS_H
#define KERNEL_VFS_VFS_H

#include "kernel/sched/process.h"
#include "kernel/vfs/fdtable.h"
#include "kernel/vfs/inode.h"

struct boot_info;

/** The file-related state of a process: process->files. */
struct vfs_process {
	struct inode *root; /**< with a reference */
	struct inode *cwd;  /**< with a reference */
	uint32_t umask;
	uint32_t sharers; /**< number of further processes that share it */
	struct fdtable fds;
};

/** Mounts everything and opens descriptors 0, 1 and 2 on the console. Returns 0, or a negative errno after printing on
 * the console why the root image was refused. */
int vfs_init(const struct boot_info *boot);

/** One object found by vfs_walk. */
struct vfs_entry {
	const char *path; /**< relative to the start of the walk, ended by a NUL */
	uint32_t kind;    /**< LINUX_S_IFREG, LINUX_S_IFDIR, LINUX_S_IFLNK or another of LINUX_S_IFMT */
	uint32_t mode;    /**< permission bits */
	uint64_t bytes;   /**< size of a file or of a link's target; else 0 */
	struct inode *inode;
};

/** Visits everything below a directory: a directory before its contents, names in byte order. Stops at the first visit
 * that does not return 0, and returns its result; or a negative errno (-ENAMETOOLONG for a path over PATH_MAX).
 * Allocates nothing if everything is in memory already, as it is below /out. A visit must neither change directories
 * nor start a walk. */
int vfs_walk(const char *path, int (*visit)(const struct vfs_entry *entry, void *context), void *context);

/** Finds the contents at offset (below entry->bytes): *data is in the direct map, or NULL for zeros; *bytes is its
 * length. Returns 0 or a negative errno. */
int vfs_entry_data(const struct vfs_entry *entry, uint64_t offset, const void **data, size_t *bytes);

#endif
