/* SPDX-License-Identifier: MIT */
/* Open file descriptions (open(2), "Open file descriptions"), to which descriptors refer.
 *
 * Only the ops depend on the kind of object. The callers in kernel/sys make the checks that are the same for all kinds
 * (access mode, O_PATH, sizes). */
#ifndef KERNEL_VFS_FILE_H
#define KERNEL_VFS_FILE_H

#include "kernel/vfs/inode.h"

struct linux_iovec;

/** Changes of contents other than a write at the position. */
enum file_change {
	FILE_RESIZE,
	FILE_PUNCH,
	FILE_MAP_WRITE, /**< a writable shared mapping */
};

/** Operations of an open file. Each says what a NULL member means. */
struct file_ops {
	/** Reads or writes at *pos and advances it. NULL: -EINVAL. */
	long (*read)(struct file *file, void *to, size_t bytes, int64_t *pos);
	long (*write)(struct file *file, const void *from, size_t bytes, int64_t *pos);
	/** readv(2), writev(2) where a vector is one message; iov is in kernel memory. NULL: piece by piece. */
	long (*vector)(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing);
	/** lseek(2). NULL: -ESPIPE, also for pread(2) and pwrite(2). */
	int64_t (*seek)(struct file *file, int64_t offset, int whence);
	/** The LINUX_POLL* events that hold now. NULL: readable and writable. */
	unsigned int (*poll)(struct file *file);
	/** ioctl(2) requests specific to this kind. NULL: -ENOTTY. */
	long (*ioctl)(struct file *file, unsigned long request, void *arg);
	/** fcntl(2) commands specific to this kind. NULL: -EINVAL. */
	long (*control)(struct file *file, int command, unsigned long arg);
	/** Whether the contents may change in this way (size: with FILE_RESIZE). Returns 0 or -EPERM. NULL: they may.
	 */
	int (*may_change)(const struct file *file, enum file_change change, uint64_t size);
	/** Called when the last descriptor is closed. NULL: nothing to do. */
	void (*release)(struct file *file);
	/** Called by file_leave() when other references remain. NULL: nothing to do. */
	void (*left)(struct file *file);
	bool quiet; /**< -EPIPE is returned without SIGPIPE */
};

struct file {
	const struct file_ops *ops;
	struct inode *inode;   /**< with a reference */
	struct dentry *dentry; /**< the name by which it was opened, with a reference; NULL: none is known */
	int64_t pos;
	int flags; /**< LINUX_O_* as F_GETFL returns them */
	uint32_t refs;
	bool readable;
	bool writable;
	bool is_writer; /**< counted in inode->writers */
	union {
		struct listing *listing; /**< directories: the snapshot that getdents64 walks */
		long stream;             /**< console: 0, 1 or 2 */
		uint32_t writers_seen;   /**< pipes: writer_opens if a FIFO was opened without a writer, else 0 */
		void *object;            /**< all other kinds: belongs to the ops */
	};
};

/** For open regular files, directories, and O_PATH. */
extern const struct file_ops file_regular_ops;
extern const struct file_ops file_directory_ops;
extern const struct file_ops file_path_ops;

/** Opens an inode, on which it takes a reference, and returns the file with one reference. Calls inode_ops.open.
 * Returns 0 or a negative errno (-ENXIO: this kind of object cannot be opened). */
int file_create(struct inode *inode, int flags, struct file **out);

static inline struct file *file_get(struct file *file)
{
	file->refs++;
	return file;
}

/** Drops a reference; the last one closes the file. */
void file_put(struct file *file);

/** As file_put(), when a descriptor is closed or a message is dropped, so that nobody may reach the file any more. */
void file_leave(struct file *file);

/** open(2) without the descriptor. path is in the program's (or the kernel's) memory; the umask applies to mode.
 * Returns 0 or a negative errno. */
int file_open(int dirfd, const char *path, int flags, uint32_t mode, struct file **out);

/** Sets the position by lseek(2) on an object of this size: SEEK_SET, SEEK_CUR and SEEK_END. */
int64_t file_seek(struct file *file, int64_t offset, int whence, int64_t size);

#endif
