/* SPDX-License-Identifier: MIT */
/* Reports of what happens to files, for inotify(7): a mark on an inode gets the events of the object and, on a
 * directory, those of the directory's entries. Without marks a report costs one test. */
#ifndef KERNEL_VFS_NOTIFY_H
#define KERNEL_VFS_NOTIFY_H

#include "kernel/lib/list.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/path.h"

/** Events, with the values of inotify(7). */
enum notify_event {
	NOTIFY_ACCESS = 0x1,
	NOTIFY_MODIFY = 0x2,
	NOTIFY_ATTRIB = 0x4,
	NOTIFY_CLOSE_WRITE = 0x8,
	NOTIFY_CLOSE_NOWRITE = 0x10,
	NOTIFY_OPEN = 0x20,
	NOTIFY_MOVED_FROM = 0x40,
	NOTIFY_MOVED_TO = 0x80,
	NOTIFY_CREATE = 0x100,
	NOTIFY_DELETE = 0x200,
	NOTIFY_DELETE_SELF = 0x400,
	NOTIFY_MOVE_SELF = 0x800,
	NOTIFY_ISDIR = 0x40000000,
};

/** A name in a marked directory. */
struct notify_name {
	const char *text; /**< need not end with a NUL */
	size_t length;
};

struct notify_mark {
	struct list of_inode;
	struct inode *inode;
	uint32_t mask;    /**< enum notify_event */
	bool no_unlinked; /**< ignores what happens through a removed name: IN_EXCL_UNLINK */
	/** An event of the mask occurred; `name` is NULL for the marked object itself. May remove this mark. */
	void (*happened)(struct notify_mark *mark, uint32_t mask, uint32_t cookie, const struct notify_name *name);
	/** The object is gone, after NOTIFY_DELETE_SELF. Must remove the mark. */
	void (*gone)(struct notify_mark *mark);
};

/** The marks of an inode, which hold one reference on it. */
struct notify_marks {
	struct list marks;
};

/** The number of marks of all inodes. */
extern unsigned int notify_count;

/** Adds a mark whose other members are set. Returns 0 or -ENOMEM. */
int notify_add(struct notify_mark *mark, struct inode *inode);

/** Removes a mark; may destroy the inode. */
void notify_remove(struct notify_mark *mark);

/** notify_file, notify_object, notify_entry, notify_self and notify_moved with marks. */
void notify_report_file(const struct file *file, uint32_t event);
void notify_report_object(struct inode *inode, const struct file *file, uint32_t event);
void notify_report_entry(const struct inode *dir, const struct notify_name *name, bool is_dir, uint32_t event,
                         uint32_t cookie);
void notify_report_self(struct inode *inode, uint32_t event);
void notify_report_moved(const struct path *from, const struct path *to, struct inode *moved, struct inode *replaced);

/** Reports that an inode without names is referred to only by its marks. May destroy the inode. */
void notify_unused(struct inode *inode);

/** Something happened through an open file, to its object. */
static inline void notify_file(const struct file *file, uint32_t event)
{
	if (notify_count)
		notify_report_file(file, event);
}

/** An object's attributes or size were changed by a descriptor (file), or, if file is NULL, by a path: then the newest
 * name is reported. */
static inline void notify_object(struct inode *inode, const struct file *file, uint32_t event)
{
	if (notify_count)
		notify_report_object(inode, file, event);
}

/** A name appeared in a directory, or disappeared. */
static inline void notify_entry(const struct inode *dir, const char *name, size_t length, uint32_t mode, uint32_t event)
{
	if (notify_count)
		notify_report_entry(dir, &(struct notify_name){name, length}, LINUX_S_ISDIR(mode), event, 0);
}

/** Something happened to an object that its directory does not report. */
static inline void notify_self(struct inode *inode, uint32_t event)
{
	if (notify_count)
		notify_report_self(inode, event);
}

/** An object was renamed and replaced another one (NULL: none). */
static inline void notify_moved(const struct path *from, const struct path *to, struct inode *moved,
                                struct inode *replaced)
{
	if (notify_count)
		notify_report_moved(from, to, moved, replaced);
}

#endif
