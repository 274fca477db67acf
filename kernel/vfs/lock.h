/* SPDX-License-Identifier: MIT */
/* File locks: flock(2), and the record locks of fcntl(2), owned by a process (POSIX) or an open file (F_OFD_*).
 *
 * The two families do not see each other, as on Linux. Within one, locks of different owners conflict where they
 * overlap and one of them is exclusive; locks of one owner replace each other. */
#ifndef KERNEL_VFS_LOCK_H
#define KERNEL_VFS_LOCK_H

#include "kernel/vfs/file.h"

/** A record lock, as asked for or as found. */
struct lock_range {
	int64_t start;
	int64_t last;     /**< INT64_MAX: to the end of the file, wherever that is */
	int type;         /**< LINUX_F_RDLCK, LINUX_F_WRLCK or LINUX_F_UNLCK */
	bool of_file;     /**< owned by the open file, not by the process */
	uint32_t process; /**< of one that was found: who set it */
};

/**
 * flock(2): type is LINUX_F_RDLCK for a shared lock, LINUX_F_WRLCK for an exclusive one, LINUX_F_UNLCK. 0, -EAGAIN
 * for a conflict without wait, -EINTR, -ENOLCK without memory. The old lock is lost when the new one is not had.
 */
int lock_whole(struct file *file, int type, bool wait);

/** Sets or (LINUX_F_UNLCK) removes a record lock: 0, -EAGAIN, -EINTR, -EDEADLK when a process would wait for itself by
 * way of others, or -ENOLCK; the old locks stay unless 0. */
int lock_set(struct file *file, const struct lock_range *range, bool wait);

/**
 * Finds a lock that keeps this one from being set and stores it in *range, or LINUX_F_UNLCK as its type. A range of
 * type LINUX_F_UNLCK finds locks of its own owner instead.
 */
void lock_test(const struct file *file, struct lock_range *range);

/** The process closed a descriptor of this inode: its record locks go, whichever descriptor set them. */
void lock_closed(struct inode *inode);

/** An open file goes, and all it owns. */
void lock_released(struct file *file);

#endif
