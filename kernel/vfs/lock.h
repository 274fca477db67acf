/* SPDX-License-Identifier: MIT */
/* File locks: flock(2), and the record locks of fcntl(2), owned by a process (POSIX) or an open file (F_OFD_*).
 *
 * The two families do not affect each other, as on Linux. Within one, locks of different owners conflict where they
 * overlap and one of them is exclusive. Locks of one owner replace each other. */
#ifndef KERNEL_VFS_LOCK_H
#define KERNEL_VFS_LOCK_H

#include "kernel/vfs/file.h"

/** A record lock to set, or one that was found. */
struct fdtable;

struct lock_range {
	int64_t start;
	int64_t last;     /**< INT64_MAX: to the end of the file, even if that moves */
	int type;         /**< LINUX_F_RDLCK, LINUX_F_WRLCK or LINUX_F_UNLCK */
	bool of_file;     /**< owned by the open file, not by the process */
	uint32_t process; /**< of a found lock: the process that owns it */
};

/** flock(2): type is LINUX_F_RDLCK for a shared lock, LINUX_F_WRLCK for an exclusive one, or LINUX_F_UNLCK. Returns 0,
 * -EAGAIN for a conflict without wait, -EINTR, or -ENOLCK without memory. If the new lock fails, the old one is
 * lost. */
int lock_whole(struct file *file, int type, bool wait);

/** Sets a record lock, or removes it (LINUX_F_UNLCK). Returns 0, -EAGAIN, -EINTR, -EDEADLK when a chain of waiting
 * processes leads back to the caller, or -ENOLCK. On an error the old locks stay. */
int lock_set(struct file *file, const struct lock_range *range, bool wait);

/** Finds a lock that prevents this one and stores it in *range; without one, sets its type to LINUX_F_UNLCK. A range of
 * type LINUX_F_UNLCK finds locks of its own owner instead. */
void lock_test(const struct file *file, struct lock_range *range);

/** A descriptor of this inode was closed: removes the record locks of the processes with this table, whichever
 * descriptor set them. */
void lock_closed(struct inode *inode, const struct fdtable *table);

/** An open file is destroyed: removes the locks that it owns. */
void lock_released(struct file *file);

#endif
