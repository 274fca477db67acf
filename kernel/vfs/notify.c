/* SPDX-License-Identifier: MIT */
/* Marks of inodes and the order of their events, which is Linux's: the directory first, then the object. */
#include "kernel/vfs/notify.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/dentry.h"

unsigned int notify_count;

static uint32_t last_cookie;

int notify_add(struct notify_mark *mark, struct inode *inode)
{
	if (!inode->marks) {
		inode->marks = kmalloc(sizeof(*inode->marks));
		if (!inode->marks)
			return -ENOMEM;
		list_init(&inode->marks->marks);
		inode_get(inode);
	}
	mark->inode = inode;
	list_add_last(&inode->marks->marks, &mark->of_inode);
	notify_count++;
	return 0;
}

void notify_remove(struct notify_mark *mark)
{
	struct inode *inode = mark->inode;
	assert(notify_count > 0);
	notify_count--;
	list_remove(&mark->of_inode);
	mark->inode = NULL;
	if (!list_is_empty(&inode->marks->marks))
		return;
	kfree(inode->marks);
	inode->marks = NULL;
	inode_put(inode);
}

/* Reports an event to the marks of an inode. A mark may remove itself, which ends the walk with the last one. */
static void tell_marks(const struct inode *inode, uint32_t mask, uint32_t cookie, const struct notify_name *name,
                       bool unlinked)
{
	if (!inode->marks)
		return;
	struct list *end = &inode->marks->marks, *link = end->next, *next;
	for (bool is_last = false; !is_last && link != end; link = next) {
		struct notify_mark *mark = list_entry(link, struct notify_mark, of_inode);
		next = link->next;
		is_last = next == end;
		if ((mark->mask & mask & ~(uint32_t)NOTIFY_ISDIR) && !(unlinked && mark->no_unlinked))
			mark->happened(mark, mask, cookie, name);
	}
}

/* An event of an object for its directory and then for itself. */
static void tell_both(const struct inode *dir, const struct dentry *dentry, struct inode *inode, uint32_t event,
                      bool unlinked)
{
	const uint32_t mask = event | (LINUX_S_ISDIR(inode->mode) ? NOTIFY_ISDIR : 0U);
	inode_get(inode);
	if (dir)
		tell_marks(dir, mask, 0, &(struct notify_name){dentry->name, dentry->length}, unlinked);
	tell_marks(inode, mask, 0, NULL, unlinked);
	inode_put(inode);
}

/* The name is the one by which the file was opened, or, after a rename, the object's newest. A file whose name was
 * removed still belongs to its directory. */
static void tell_file(const struct file *file, uint32_t event, bool always)
{
	const struct dentry *dentry = file->dentry;
	struct inode *inode = file->inode;
	bool is_current = dentry && dentry->dir && dentry->inode == inode;
	if (!is_current && inode->dentry && (!dentry || dentry->dir || dentry->moved)) {
		dentry = inode->dentry;
		is_current = true;
	}
	const struct inode *dir = !dentry ? NULL : dentry->dir ? dentry->dir : dentry->was_in;
	tell_both(dir, dentry, inode, event, dentry && !is_current && !always);
}

void notify_report_file(const struct file *file, uint32_t event)
{
	if (!(file->flags & LINUX_O_PATH))
		tell_file(file, event, false);
}

void notify_report_object(struct inode *inode, const struct file *file, uint32_t event)
{
	const struct dentry *dentry = inode->dentry;
	if (file)
		tell_file(file, event, true);
	else
		tell_both(dentry ? dentry->dir : NULL, dentry, inode, event, false);
}

void notify_report_entry(const struct inode *dir, const struct notify_name *name, bool is_dir, uint32_t event,
                         uint32_t cookie)
{
	tell_marks(dir, event | (is_dir ? NOTIFY_ISDIR : 0U), cookie, name, false);
}

void notify_report_self(struct inode *inode, uint32_t event)
{
	tell_both(NULL, NULL, inode, event, false);
}

void notify_report_moved(const struct path *from, const struct path *to, struct inode *moved, struct inode *replaced)
{
	const bool is_dir = LINUX_S_ISDIR(moved->mode);
	const uint32_t cookie = ++last_cookie;
	notify_report_entry(from->parent, &(struct notify_name){from->name, from->length}, is_dir, NOTIFY_MOVED_FROM,
	                    cookie);
	notify_report_entry(to->parent, &(struct notify_name){to->name, to->length}, is_dir, NOTIFY_MOVED_TO, cookie);
	if (replaced)
		notify_report_self(replaced, NOTIFY_ATTRIB);
	notify_report_self(moved, NOTIFY_MOVE_SELF);
}

void notify_unused(struct inode *inode)
{
	if (inode->nlink || inode->linkable)
		return;
	inode_get(inode);
	tell_marks(inode, NOTIFY_DELETE_SELF | (LINUX_S_ISDIR(inode->mode) ? NOTIFY_ISDIR : 0U), 0, NULL, false);
	while (inode->marks) {
		struct notify_mark *mark = list_entry(inode->marks->marks.next, struct notify_mark, of_inode);
		mark->gone(mark);
	}
	inode_put(inode);
}
