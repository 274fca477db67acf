/* SPDX-License-Identifier: MIT */
/* Open file descriptions (open(2), "Open file descriptions"): what descriptors refer to.
 *
 * What kind of object is open shows only in the ops. Checks that are the same for all kinds (access mode, O_PATH,
 * sizes) are made by the callers in kernel/sys. */
#ifndef KERNEL_VFS_FILE_H
#define KERNEL_VFS_FILE_H

#include "kernel/vfs/inode.h"

struct linux_iovec;

/** How contents change otherwise than by writing at the position. */
enum file_change {
	FILE_RESIZE,
	FILE_PUNCH,
	FILE_MAP_WRITE, /**< a shared mapping that may be written to */
};

/** What can be done with an open file. A member that is NULL has the meaning named with it. */
struct file_ops {
	/** Reads or writes at *pos and moves it on. NULL: -EINVAL. */
	long (*read)(struct file *file, void *to, size_t bytes, int64_t *pos);
	long (*write)(struct file *file, const void *from, size_t bytes, int64_t *pos);
	/** readv(2), writev(2) where a vector is one message; iov is the kernel's. NULL: its pieces one by one. */
	long (*vector)(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing);
	/** lseek(2). NULL: -ESPIPE, for pread(2) and pwrite(2) too. */
	int64_t (*seek)(struct file *file, int64_t offset, int whence);
	/** LINUX_POLL* that hold now. NULL: readable and writable. */
	unsigned int (*poll)(struct file *file);
	/** Requests that ioctl(2) does not answer for every file. NULL: -ENOTTY. */
	long (*ioctl)(struct file *file, unsigned long request, void *arg);
	/** Commands that fcntl(2) has not for every file. NULL: -EINVAL. */
	long (*control)(struct file *file, int command, unsigned long arg);
	/** Whether its contents may change so (size: with FILE_RESIZE); 0 or -EPERM. NULL: they may. */
	int (*may_change)(const struct file *file, enum file_change change, uint64_t size);
	/** The last descriptor was closed. NULL: nothing to do. */
	void (*release)(struct file *file);
	bool quiet; /**< -EPIPE comes without SIGPIPE */
};

struct file {
	const struct file_ops *ops;
	struct inode *inode; /**< with a reference */
	int64_t pos;
	int flags; /**< LINUX_O_* as F_GETFL tells them */
	uint32_t refs;
	bool readable;
	bool writable;
	bool is_writer; /**< one of inode->writers */
	union {
		struct listing *listing; /**< directories: what getdents64 is going through */
		long stream;             /**< console: 0, 1 or 2 */
		uint32_t writers_seen;   /**< pipes: writer_opens when a FIFO was opened without one, else 0 */
		void *object;            /**< what only Linux programs have: by its ops */
	};
};

/** For opened regular files, directories, and O_PATH. */
extern const struct file_ops file_regular_ops;
extern const struct file_ops file_directory_ops;
extern const struct file_ops file_path_ops;

/**
 * An open file of an inode, on which it takes a reference, with one reference. Calls inode_ops.open. 0 or a
 * negative errno (-ENXIO: a kind of object that cannot be opened).
 */
int file_create(struct inode *inode, int flags, struct file **out);

static inline struct file *file_get(struct file *file)
{
	file->refs++;
	return file;
}

/** Gives a reference back; the last one closes the file. */
void file_put(struct file *file);

/**
 * open(2) without the descriptor. path is the program's (or the kernel's) memory; mode is cut by the umask.
 * 0 or a negative errno.
 */
int file_open(int dirfd, const char *path, int flags, uint32_t mode, struct file **out);

/** Sets the position for lseek on something of this size, as SEEK_SET, SEEK_CUR and SEEK_END ask. */
int64_t file_seek(struct file *file, int64_t offset, int whence, int64_t size);

#endif
