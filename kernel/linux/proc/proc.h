/* SPDX-License-Identifier: MIT */
/* /proc (proc(5)): information for programs about themselves. It comes from the guest's state only, never from the
 * host. The contents of a file are fixed when it is opened. */
#ifndef KERNEL_LINUX_PROC_PROC_H
#define KERNEL_LINUX_PROC_PROC_H

#include "kernel/linux/files/text.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/vfs/inode.h"

struct proc_object;
struct file;

/** One name of a tree. */
struct proc_entry {
	const char *path; /**< relative to the tree's root; a directory comes before its entries. NULL ends a table */
	uint32_t mode;
	const char *fixed; /**< constant contents of a file, or target of a link; NULL: `text` makes them */
	/** Adds the contents of a file, or a link's target. Returns 0 or a negative errno. */
	int (*text)(const struct proc_object *object, struct text *text);
	/** The inode that a magic link leads to, whatever its text is. NULL: the link follows its text. */
	int (*follow)(const struct proc_object *object, struct inode **to);
	/** Updates the names of a directory, or one of them: inode_ops.refresh. NULL: they never change. */
	int (*refresh)(struct inode *dir, const char *name, size_t length);
	/** Handles text that a program writes to a file; it is ended by a NUL. Returns 0 or a negative errno. NULL: not
	 * writable. */
	int (*write)(const struct proc_object *object, const char *text);
	/** Opens a file that is not text. Returns 0 or a negative errno. NULL: the file is text. */
	int (*open)(struct inode *inode, struct file *file);
	/** A directory's st_nlink. NULL: two more than it has directories. */
	uint64_t (*links)(const struct inode *inode);
	/** st_size. NULL: that of the file system's other objects (proc_attributes.c). */
	uint64_t (*size)(const struct inode *inode);
};

/* Entries for files with generated and with constant contents, and for directories. */
#define PROC_TEXT(path_, text_) \
	{ \
		.path = path_, .mode = LINUX_S_IFREG | 0444, .text = text_ \
	}
#define PROC_FIXED(path_, fixed_) \
	{ \
		.path = path_, .mode = LINUX_S_IFREG | 0444, .fixed = fixed_ \
	}
#define PROC_OWN(path_, fixed_, text_) /* readable by its owner only */ \
	{ \
		.path = path_, .mode = LINUX_S_IFREG | 0400, .fixed = fixed_, .text = text_ \
	}
#define PROC_WRITABLE(path_, text_, write_) \
	{ \
		.path = path_, .mode = LINUX_S_IFREG | 0644, .text = text_, .write = write_ \
	}
#define PROC_TUNABLE(path_, fixed_, text_) /* writable on Linux, while this file system is mounted read-only */ \
	{ \
		.path = path_, .mode = LINUX_S_IFREG | 0644, .fixed = fixed_, .text = text_ \
	}
#define PROC_DIRECTORY(path_, permissions, refresh_) \
	{ \
		.path = path_, .mode = LINUX_S_IFDIR | (permissions), .refresh = refresh_ \
	}
#define PROC_LINK(path_, fixed_) \
	{ \
		.path = path_, .mode = LINUX_S_IFLNK | 0777, .fixed = fixed_ \
	}

/** The subject of an object in /proc or /sys; it is the inode's backing. */
struct proc_object {
	const struct proc_entry *entry;
	uint32_t process; /**< process number; 0: none */
	uint32_t number;  /**< number of a thread or a descriptor; 0: none */
};

/** The subject of an inode in /proc or /sys. */
static inline const struct proc_object *proc_object_of(const struct inode *inode)
{
	return inode->backing;
}

/** Makes the root of a tree from its table; NULL without memory. */
struct inode *proc_root(struct mount *mount, const struct proc_entry *root, const struct proc_entry *table);

/** Adds a name to a directory, without entries below it. Returns its inode, without a reference; NULL without memory.
 */
struct inode *proc_add(struct inode *dir, const char *name, const struct proc_object *about);

/** Adds all entries of a table below a directory; their subject is this process and number. Returns 0 or -ENOMEM. */
int proc_add_all(struct inode *dir, const struct proc_entry *table, uint32_t process, uint32_t number);

/** Removes a name and everything below it. */
void proc_remove(struct dentry *dentry);

/** Sets a link's target to the text that its entry generates now. Returns 0 or a negative errno. */
int proc_retarget(struct inode *link);

/** Parses a name that is a number in Linux's notation. -1: it is not a number. */
int64_t proc_number(const char *name, size_t length);

/** The entries of the system, of a process and of a thread, and those of /sys. */
extern const struct proc_entry proc_system_table[];
extern const struct proc_entry proc_process_table[];
extern const struct proc_entry proc_thread_table[];
extern const struct proc_entry proc_sys_table[];

/** proc_entry.refresh of `task`, and of `fd` and `fdinfo`, in a process's directory. */
int proc_task_refresh(struct inode *dir, const char *name, size_t length);
int proc_fd_refresh(struct inode *dir, const char *name, size_t length);

/** proc_entry.size of `fd`: the number of open descriptors, as since Linux 6.2. */
uint64_t proc_fd_size(const struct inode *inode);

/** Adds the path of an inode, as links in /proc show it. Returns 0, or -ENAMETOOLONG or -ENOMEM with nothing added. */
int proc_name(const struct inode *inode, struct text *text);

/** struct inode_ops, stat: attributes as Linux has them. */
void proc_attributes(const struct inode *inode, struct linux_stat *st);

/** proc_entry.links of /proc itself, of a process's `task`, of directories in /proc/sys, and of those of processors. */
uint64_t proc_links_root(const struct inode *inode);
uint64_t proc_links_task(const struct inode *inode);
uint64_t proc_links_one(const struct inode *inode);
uint64_t proc_links_processors(const struct inode *inode);

/** The process that is an object's subject; NULL: it no longer exists. */
struct process *proc_process(const struct proc_object *object);

/** The name of the thread that is an object's subject, or of its process, which must exist. */
const char *proc_thread_name(const struct proc_object *object);

/** Whether an inode is a process's directory in /proc. *process is NULL when the process has been waited for. */
bool proc_is_process(const struct inode *inode, struct linux_process **process);

/** Mounts /proc and /sys. Returns 0 or a negative errno. */
int proc_init(void);

#endif
