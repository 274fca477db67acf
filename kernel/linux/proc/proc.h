/* SPDX-License-Identifier: MIT */
/* /proc (proc(5)): what programs ask about themselves. All of it is told from the guest's own state; none from the
 * host's. What a file holds is settled when it is opened. */
#ifndef KERNEL_LINUX_PROC_PROC_H
#define KERNEL_LINUX_PROC_PROC_H

#include "kernel/linux/files/text.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/vfs/inode.h"

struct proc_object;
struct file;

/** One name of a tree. */
struct proc_entry {
	const char *path; /**< below the tree's root; what it lies in comes before it. NULL ends a table */
	uint32_t mode;
	const char *fixed; /**< what a file holds always, or where a link leads; NULL: what `text` says */
	/** Adds the contents of a file, or a link's target. 0 or a negative errno. */
	int (*text)(const struct proc_object *object, struct text *text);
	/** Where a magic link leads, whatever its text is. NULL: to its text. */
	int (*follow)(const struct proc_object *object, struct inode **to);
	/** Brings the names of a directory up to date, or one of them: inode_ops.refresh. NULL: they stay. */
	int (*refresh)(struct inode *dir, const char *name, size_t length);
	/** Takes what a program writes to a file, ended by a NUL. NULL: nobody may. 0 or a negative errno. */
	int (*write)(const struct proc_object *object, const char *text);
	/** Opens a file that is no text. NULL: one that is. 0 or a negative errno. */
	int (*open)(struct inode *inode, struct file *file);
};

/* Files whose contents are told, and whose are fixed; directories. */
#define PROC_TEXT(path, text) \
	{ \
		path, LINUX_S_IFREG | 0444, NULL, text, NULL, NULL, NULL, NULL \
	}
#define PROC_FIXED(path, fixed) \
	{ \
		path, LINUX_S_IFREG | 0444, fixed, NULL, NULL, NULL, NULL, NULL \
	}
#define PROC_OWN(path, fixed, text) /* nobody else may read it */ \
	{ \
		path, LINUX_S_IFREG | 0400, fixed, text, NULL, NULL, NULL, NULL \
	}
#define PROC_WRITABLE(path, text, write) \
	{ \
		path, LINUX_S_IFREG | 0644, NULL, text, NULL, NULL, write, NULL \
	}
#define PROC_DIRECTORY(path, permissions, refresh) \
	{ \
		path, LINUX_S_IFDIR | (permissions), NULL, NULL, NULL, refresh, NULL, NULL \
	}

/** What an object of /proc is about; struct inode's backing. */
struct proc_object {
	const struct proc_entry *entry;
	uint32_t process; /**< its number; 0: none */
	uint32_t number;  /**< of a thread or a descriptor; 0 where there is none of it */
};

/** What an inode of such a tree is about. */
static inline const struct proc_object *proc_object_of(const struct inode *inode)
{
	return inode->backing;
}

/** The root of a tree, with its table; NULL without memory. */
struct inode *proc_root(struct mount *mount, const struct proc_entry *root, const struct proc_entry *table);

/** Adds a name to a directory, without what may lie in it. Its inode, without a reference; NULL without memory. */
struct inode *proc_add(struct inode *dir, const char *name, const struct proc_object *about);

/** Adds all of a table below a directory; the objects are about that process and number. 0 or -ENOMEM. */
int proc_add_all(struct inode *dir, const struct proc_entry *table, uint32_t process, uint32_t number);

/** Removes a name, and what lies below it. */
void proc_remove(struct dentry *dentry);

/** Sets a link's target to what its entry says now. 0 or a negative errno. */
int proc_retarget(struct inode *link);

/** A name that is a number as Linux writes it. -1 if it is none. */
int64_t proc_number(const char *name, size_t length);

/** The entries about the system, about a process and about a thread; and those of /sys. */
extern const struct proc_entry proc_system_table[];
extern const struct proc_entry proc_process_table[];
extern const struct proc_entry proc_thread_table[];
extern const struct proc_entry proc_sys_table[];

/** proc_entry.refresh of task, and of fd and fdinfo, in a process's directory. */
int proc_task_refresh(struct inode *dir, const char *name, size_t length);
int proc_fd_refresh(struct inode *dir, const char *name, size_t length);

/** The path of an inode, as links in /proc tell it. 0, -ENAMETOOLONG or -ENOMEM, with nothing added. */
int proc_name(const struct inode *inode, struct text *text);

/** The process that an object is about; NULL: there is none any more. */
struct process *proc_process(const struct proc_object *object);

/** The name of the thread that an object is about, or of its process, which there is. */
const char *proc_thread_name(const struct proc_object *object);

/** Whether an inode is a process's directory in /proc; *process is NULL when that has been waited for. */
bool proc_is_process(const struct inode *inode, struct linux_process **process);

/** Mounts /proc and /sys. 0 or a negative errno. */
int proc_init(void);

#endif
