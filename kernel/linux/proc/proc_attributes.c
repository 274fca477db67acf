/* SPDX-License-Identifier: MIT */
/* Attributes in /proc and /sys that stat(2) shows, as Linux has them. They never depend on earlier lookups, which
 * decide what exists in memory. */
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/sched/thread.h"
#include "kernel/sys/scheduling.h"
#include "kernel/vfs/dentry.h"

#define SYSFS_MAGIC 0x62656572
#define PROC_BLOCK 1024 /* st_blksize in /proc */

/* A process's objects belong to its effective user; to root, except for the directories that everybody may list, if the
 * process is not dumpable (Linux, task_dump_owner). */
static void set_entry_owner(const struct proc_object *object, struct linux_stat *st)
{
	const struct linux_process *process = object->process ? process_find(object->process) : NULL;
	if (!process || (!process->dumpable && st->st_mode != (LINUX_S_IFDIR | 0555)))
		return;
	st->st_uid = process->credentials.user.effective;
	st->st_gid = process->credentials.group.effective;
}

static uint64_t size_of(const struct inode *inode, bool is_sysfs)
{
	const struct proc_entry *entry = proc_object_of(inode)->entry;
	if (entry->size)
		return entry->size(inode);
	if (is_sysfs)
		return LINUX_S_ISREG(inode->mode) ? PAGE_SIZE : 0;
	return entry->fixed && LINUX_S_ISLNK(inode->mode) ? inode->size : 0;
}

void proc_attributes(const struct inode *inode, struct linux_stat *st)
{
	const struct proc_object *object = proc_object_of(inode);
	const bool is_sysfs = inode->mount->magic == SYSFS_MAGIC;
	if (!is_sysfs)
		st->st_blksize = PROC_BLOCK;
	st->st_size = (int64_t)size_of(inode, is_sysfs);
	if (object->entry->links && inode->nlink)
		st->st_nlink = object->entry->links(inode);
	set_entry_owner(object, st);
}

uint64_t proc_links_root(const struct inode *inode)
{
	uint64_t links = 2;
	for (const struct dentry *dentry = inode->dir.first; dentry; dentry = dentry->next)
		links += LINUX_S_ISDIR(dentry->inode->mode) && !proc_object_of(dentry->inode)->process;
	for (const struct process *process = &process_first; process; process = process->next)
		links++;
	return links;
}

/* The first thread counts, after its end too, until its process is waited for. */
uint64_t proc_links_task(const struct inode *inode)
{
	const struct process *process = proc_process(proc_object_of(inode));
	if (!process || process->more->ended)
		return process ? 3 : 2;
	return 2UL + process->threads + !thread_find(process->id);
}

uint64_t proc_links_one(const struct inode *inode)
{
	(void)inode;
	return 1;
}

uint64_t proc_links_processors(const struct inode *inode)
{
	(void)inode;
	return 2UL + scheduling_processors;
}
