/* SPDX-License-Identifier: MIT */
/* Inodes: the objects of every file system, all of them in memory and of one type.
 *
 * A file system that has its objects elsewhere (EROFS) or makes them up (/proc) fills inodes in through
 * struct inode_ops when they are looked up; from then on the inode is the truth, and changes to it are never
 * written back. That is the whole of copy-up. */
#ifndef KERNEL_VFS_INODE_H
#define KERNEL_VFS_INODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"

#define INODE_DIRENT_BYTES 20 /* what a name adds to st_size of a directory on Linux's tmpfs */

struct dentry;
struct file;
struct file_lock;
struct inode;
struct listing;
struct pipe;

/** A mounted file system: what its objects have in common. */
struct mount {
	uint64_t dev;      /**< st_dev */
	uint64_t next_ino; /**< number of the next object created */
	int64_t magic;     /**< f_type of statfs(2) */
	struct inode *root;
	uint64_t made;  /**< objects with numbers from here on were created by the program (changes.h) */
	bool read_only; /**< -EROFS */
};

/**
 * Who is told of what happens to an inode's open files, beside those who wait for it: sets of epoll(7), which only
 * Linux programs have.
 */
struct inode_watches {
	/** LINUX_POLL* that hold now and did not, or whose cause came again. */
	void (*changed)(struct inode_watches *watches, unsigned int events);
	/** An open file is closed. */
	void (*closed)(struct inode_watches *watches, const struct file *file);
};

/** What an object was at the start, that a file system has elsewhere. */
struct inode_origin {
	uint64_t handle; /**< of the host's object; -1: it is not the host's */
	uint32_t mode;
	uint32_t uid, gid;
};

/** What a file system with objects elsewhere does. Each may be NULL when the inode does not need it. */
struct inode_ops {
	/**
	 * Adds the dentry of one name to a directory and stores it in *found; NULL there when there is none. Behind the
	 * name is a NUL, or a slash and the rest of a path: what will be looked up next, in all likelihood.
	 */
	int (*lookup)(struct inode *dir, const char *name, size_t length, struct dentry **found);
	/** Adds the dentries of all names that the directory does not have yet. */
	int (*populate)(struct inode *dir);
	/** Has the dentry of a name (NULL: of all), before it is looked up, be what holds now; of complete directories.
	 */
	int (*refresh)(struct inode *dir, const char *name, size_t length);
	/** Makes the inode of a dentry of this directory: sets dentry->inode, with a reference. */
	int (*load)(struct inode *dir, struct dentry *dentry);
	/** Where the backing data at offset lies; *bytes is cut to what lies there in one piece. NULL: a hole. */
	int (*map)(struct inode *inode, uint64_t offset, const void **data, size_t *bytes);
	/** Gives a new open file its operations; without it, regular files and directories are opened. */
	int (*open)(struct inode *inode, struct file *file);
	/** The inode that a magic link leads to, without a reference. */
	int (*follow)(struct inode *link, struct inode **to);
	/** What the object was, of file systems whose changes are told at the end (changes.h). */
	struct inode_origin (*origin)(const struct inode *inode);
	/** Gives backing and what else the ops allocated back. */
	void (*destroy)(struct inode *inode);
};

/** Contents of a regular file, see data.h. */
struct inode_data {
	uint64_t *slots; /**< one for each 2 MiB of the file; points to slot0 while there is only one */
	uint64_t slot_count;
	uint64_t slot0;
	uint64_t frames;        /**< 4 KiB frames held */
	uint64_t backing_bytes; /**< below this offset a missing frame stands for the backing's data, not zeros */
	uint32_t mappings;      /**< mappings of it: mm must hear of changes */
	bool mapped_writable;   /**< a mapping may have written, also behind the end in the last page */
	bool changed;           /**< since the start */
	bool written;           /**< by calls, since somebody cleared this (kernel/linux/patch/patch.c) */
};

/** Contents of a directory, see dentry.h. */
struct inode_dir {
	struct dentry *first, *last; /**< children, in order of creation */
	uint64_t count;              /**< children that dentries stand for */
	struct listing *listing;     /**< the children sorted, or NULL when they changed since */
	struct dentry *gone;         /**< names that the backing has and the directory has no more */
	struct inode *parent;        /**< with a reference; a root is its own parent, without one */
	bool complete;               /**< every name of the backing has a dentry or was removed */
	bool removed;
};

struct inode {
	const struct inode_ops *ops;
	struct mount *mount;
	void *backing;         /**< for ops */
	struct dentry *dentry; /**< the last name it got; NULL once that is removed, and for a root */
	uint64_t ino;
	uint32_t refs;    /**< dentries, open files, working directories, child directories */
	uint32_t writers; /**< of a regular file: what open(2) has opened for writing; such a file is not executed */
	uint32_t mode;
	uint32_t nlink;
	uint32_t uid;
	uint32_t gid;
	bool linkable;                 /**< made by O_TMPFILE: linkat(2) may give it its first name */
	struct inode_watches *watches; /**< NULL: nobody watches */
	struct file_lock *locks; /**< see lock.h; each belongs to an open file or to a process that has one open */
	uint64_t rdev;
	uint64_t size;
	int64_t atime_ns, mtime_ns, ctime_ns, btime_ns; /**< since 1970 */
	union {
		struct inode_data data; /**< S_IFREG */
		struct inode_dir dir;   /**< S_IFDIR */
		const char *target;     /**< S_IFLNK: size bytes, no NUL; the inode's own unless it has a backing */
		struct pipe *pipe;      /**< S_IFIFO */
	};
};

/** A new object of a mounted file system, with one reference, no links and all times now; NULL without memory. */
struct inode *inode_create(struct mount *mount, uint32_t mode);

/** An inode of which only mount, mode and number are set, with one reference; for inode_ops.load. */
struct inode *inode_alloc(struct mount *mount, uint32_t mode, uint64_t ino);

static inline struct inode *inode_get(struct inode *inode)
{
	inode->refs++;
	return inode;
}

/** Gives a reference back; takes NULL. The last one destroys the inode. */
void inode_put(struct inode *inode);

/** Whether what changes an object, or names in a directory, is refused for its whole file system: 0 or -EROFS. */
int inode_writable(const struct inode *inode);

/** The same of new contents, for open(2) and truncate(2): also -ETXTBSY, of a file that a Linux program executes. */
int inode_contents_writable(const struct inode *inode);

/** Tells those who watch; before those who wait are woken, who may wait for what the others make of it. */
static inline void inode_tell(const struct inode *inode, unsigned int events)
{
	if (inode->watches)
		inode->watches->changed(inode->watches, events);
}

/** Sets ctime, or mtime and ctime, to now. */
void inode_changed(struct inode *inode);
void inode_modified(struct inode *inode);

/**
 * The time that a file gets now. As of Linux's coarse clock many files have one: those of 4 ms, or up to
 * inode_time_step. So files that are copied together stay as old as each other (make(1)).
 */
int64_t inode_time(void);

/** From now on files get later times than this one, in nanoseconds since 1970: make(1) must not take them for older. */
void inode_time_after(int64_t ns);

/** A process has ended or executed a program: files get a later time from then on, as when it had taken time. */
void inode_time_step(void);

/** Sets atime to now as the mount option relatime does (mount(8)). */
void inode_accessed(struct inode *inode);

/** Whether the program may do all of LINUX_R_OK, W_OK and X_OK in want: 0, -EACCES or -EROFS. It runs as root. */
int inode_permission(const struct inode *inode, int want);

/** Fills in what stat(2) tells. */
void inode_stat(const struct inode *inode, struct linux_stat *st);

#endif
