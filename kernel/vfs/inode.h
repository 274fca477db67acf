/* SPDX-License-Identifier: MIT */
/* Inodes: the objects of every file system, all of them in memory and of one type.
 *
 * A file system that stores its objects elsewhere (EROFS) or generates them (/proc) fills in inodes through struct
 * inode_ops when they are looked up. From then on the inode is the truth, and changes are never written back. This is
 * all of copy-up. */
#ifndef KERNEL_VFS_INODE_H
#define KERNEL_VFS_INODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"

#define INODE_DIRENT_BYTES 20 /* bytes that a name adds to st_size of a directory on Linux's tmpfs */

struct attribute;
struct dentry;
struct file;
struct file_lock;
struct inode;
struct listing;
struct notify_marks;
struct pipe;

/** A mounted file system: the data that its objects share. */
struct mount {
	uint64_t dev;      /**< st_dev */
	uint64_t next_ino; /**< number of the next object created */
	int64_t magic;     /**< f_type of statfs(2) */
	struct inode *root;
	uint64_t made;    /**< objects with this number or a higher one were created by the program (changes.h) */
	bool read_only;   /**< changes fail with -EROFS */
	bool fixed_names; /**< programs cannot make, remove or rename objects, as in devpts */
};

/** Observers of an inode's open files, beside the waiters: watches.h. */
struct inode_watches {
	/** Reports LINUX_POLL* events that now hold and did not before, or whose cause occurred again. */
	void (*changed)(struct inode_watches *watches, unsigned int events);
	/** An open file is closed. */
	void (*closed)(struct inode_watches *watches, const struct file *file);
};

/** The state at the start of an object that its file system stores elsewhere. */
struct inode_origin {
	uint64_t handle; /**< of the host's object; -1: not an object of the host */
	uint32_t mode;
	uint32_t uid, gid;
};

/** Operations of a file system that stores objects elsewhere. Each may be NULL when the inode does not need it. */
struct inode_ops {
	/** Adds the dentry of one name to a directory and stores it in *found; NULL when the name does not exist. A NUL
	 * follows the name, or a slash and the rest of a path, which will probably be looked up next. */
	int (*lookup)(struct inode *dir, const char *name, size_t length, struct dentry **found);
	/** Adds the dentries of all names that the directory lacks. */
	int (*populate)(struct inode *dir);
	/** Updates the dentry of a name (NULL: of all) before a lookup. For complete directories. */
	int (*refresh)(struct inode *dir, const char *name, size_t length);
	/** Makes the inode of a dentry of this directory: sets dentry->inode, with a reference. */
	int (*load)(struct inode *dir, struct dentry *dentry);
	/** Finds the backing data at offset; *bytes is reduced to what is contiguous there. *data NULL: a hole. The
	 * data stay valid during the next call for another place; the call after that may free them. */
	int (*map)(struct inode *inode, uint64_t offset, const void **data, size_t *bytes);
	/** Whether map would find the data at offset without a request to the host. NULL: always. */
	bool (*resident)(const struct inode *inode, uint64_t offset);
	/** Sets the operations of a new open file. NULL: only regular files and directories can be opened. */
	int (*open)(struct inode *inode, struct file *file);
	/** The inode that a magic link leads to, without a reference. */
	int (*follow)(struct inode *link, struct inode **to);
	/** Whether the backing permits access to an object: 0 or -EACCES. `want` is that of inode_permission. NULL: it
	 * permits all. */
	int (*permission)(struct inode *inode, int want);
	/** The object's original state, for file systems whose changes are reported at the end (changes.h). */
	struct inode_origin (*origin)(const struct inode *inode);
	/** Replaces attributes that are not the inode's own. */
	void (*stat)(const struct inode *inode, struct linux_stat *st);
	/** Frees the backing and all else that the ops allocated. */
	void (*destroy)(struct inode *inode);
};

/** Contents of a regular file, see data.h. */
struct inode_data {
	uint64_t *slots; /**< one for each 2 MiB of the file; points to slot0 while there is only one */
	uint64_t slot_count;
	uint64_t slot0;
	uint64_t frames;        /**< 4 KiB frames held */
	uint64_t backing_bytes; /**< below this offset a missing frame means the backing's data; elsewhere zeros */
	uint32_t mappings;      /**< number of mappings; if not 0, changes must be reported to mm */
	bool pinned;            /**< the backing's data stay where they are: the monitor has their addresses */
	bool mapped_writable;   /**< a mapping may have written, also beyond the end in the last page */
	bool changed;           /**< since the start */
	bool written;           /**< by calls, since the flag was cleared (kernel/linux/patch/patch.c) */
};

/** Contents of a directory, see dentry.h. */
struct inode_dir {
	struct dentry *first, *last; /**< children, in order of creation */
	uint64_t count;              /**< number of children */
	struct listing *listing;     /**< the children sorted; NULL after a change */
	struct dentry *gone;         /**< names of the backing that were removed from the directory */
	struct inode *parent;        /**< with a reference; a root is its own parent, without a reference */
	bool complete;               /**< every name of the backing has a dentry or was removed */
	bool unsearchable; /**< the backing denies look-ups: a name that no dentry has is not known to be missing */
	bool removed;
};

struct inode {
	const struct inode_ops *ops;
	struct mount *mount;
	void *backing;         /**< for ops */
	struct dentry *dentry; /**< the newest name; NULL once that is removed, and for a root */
	uint64_t ino;
	uint32_t refs;    /**< dentries, open files, working directories, child directories */
	uint32_t writers; /**< regular files: number of opens for writing; such a file cannot be executed */
	uint32_t mode;
	uint32_t nlink;
	uint32_t uid;
	uint32_t gid;
	bool linkable;                 /**< made by O_TMPFILE: linkat(2) may give it its first name */
	struct inode_watches *watches; /**< NULL: no observers */
	struct notify_marks *marks;    /**< NULL: none */
	struct attribute *attributes;  /**< attribute.h; NULL: none */
	struct file_lock *locks; /**< see lock.h; each belongs to an open file or to a process that has the file open */
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

/** A new object of a mounted file system, with one reference, no links and all times set to now; NULL without memory.
 */
struct inode *inode_create(struct mount *mount, uint32_t mode);

/** An inode with only mount, mode and number set, and one reference; for inode_ops.load. */
struct inode *inode_alloc(struct mount *mount, uint32_t mode, uint64_t ino);

static inline struct inode *inode_get(struct inode *inode)
{
	inode->refs++;
	return inode;
}

/** Drops a reference; takes NULL. The last one destroys the inode. */
void inode_put(struct inode *inode);

/** Whether the file system permits changes to an object, or to names in a directory: 0 or -EROFS. */
int inode_writable(const struct inode *inode);

/** Reports events to the observers. Call it before waking the waiters, because they may wait for an observer's
 * reaction. */
static inline void inode_tell(const struct inode *inode, unsigned int events)
{
	if (inode->watches)
		inode->watches->changed(inode->watches, events);
}

/** Sets ctime, or mtime and ctime, to now. */
void inode_changed(struct inode *inode);
void inode_modified(struct inode *inode);

/** The time that a changed file gets now. Like Linux's coarse clock it is the same for many files: for 4 ms, or until
 * inode_time_step. So files that are copied together keep equal times (make(1)). */
int64_t inode_time(void);

/** From now on gives files later times than this one, in nanoseconds since 1970, so that make(1) does not take them for
 * older. */
void inode_time_after(int64_t ns);

/** Gives files a later time from now on. Called when a process ends or executes a program, as if that had taken time.
 */
void inode_time_step(void);

/** Sets atime to now by the rules of the mount option relatime (mount(8)). */
void inode_accessed(struct inode *inode);

#define INODE_RESIZE 8 /* with LINUX_W_OK: the contents change without an open file */

/** Whether the program has all the access in want (LINUX_R_OK, W_OK, X_OK, INODE_RESIZE): 0, -EACCES or -EROFS. It runs
 * as root, but the backing may deny access. */
int inode_permission(struct inode *inode, int want);

/** Whether names may be looked up in a directory: 0 or -EACCES. */
static inline int inode_search(struct inode *dir)
{
	return dir->dir.unsearchable ? inode_permission(dir, LINUX_X_OK) : 0;
}

/** Whether the program may do what only the owner may: 0 or -EPERM. It does not own what the backing denies it. */
int inode_ownership(struct inode *inode);

/** Fills in a struct stat (stat(2)). */
void inode_stat(const struct inode *inode, struct linux_stat *st);

#endif
