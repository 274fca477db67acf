/* SPDX-License-Identifier: MIT */
/* /proc/PID/fd and fdinfo, and the names of open files in the links of /proc. */
#include "abi/errno.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/event/eventfd.h"
#include "kernel/linux/event/inotify.h"
#include "kernel/vfs/anon.h"
#include "kernel/linux/files/pty.h"
#include "kernel/linux/memory/memfd.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

/* The open file that is an object's subject, or NULL. */
static struct file *file_of_object(const struct proc_object *object)
{
	const struct process *process = proc_process(object);
	if (!process || process->more->ended)
		return NULL;
	return fdtable_get(&process->files->fds, (int)object->number);
}

/* A name in a directory, or a directory's own. */
static int add_name_in(const struct inode *dir, const struct dentry *dentry, struct text *text)
{
	char *path = kmalloc(LINUX_PATH_MAX);
	if (!path)
		return -ENOMEM;
	long length = path_of_directory(dir, path, LINUX_PATH_MAX);
	if (length > 0) {
		text_add(text, path, (size_t)length - 1);
		if (dentry && path[1])
			text_add(text, "/", 1);
		if (dentry)
			text_add(text, dentry->name, dentry->length);
	}
	kfree(path);
	return length < 0 ? (int)length : 0;
}

int proc_name(const struct inode *inode, struct text *text)
{
	const bool is_directory = LINUX_S_ISDIR(inode->mode);
	const struct inode *dir = is_directory ? inode : inode->dentry ? inode->dentry->dir : NULL;
	int error = 0;
	if (memfd_name(inode))
		text_print(text, "/memfd:%s (deleted)", memfd_name(inode));
	else if (dir)
		error = add_name_in(dir, is_directory ? NULL : inode->dentry, text);
	else if (LINUX_S_ISFIFO(inode->mode))
		text_print(text, "pipe:[%lu]", inode->ino);
	else if ((inode->mode & LINUX_S_IFMT) == LINUX_S_IFSOCK)
		text_print(text, "socket:[%lu]", inode->ino);
	else if (pty_is_master(inode))
		text_print(text, "/dev/ptmx");
	else if (pty_is_terminal(inode))
		text_print(text, "/dev/pts/%lu (deleted)", inode->ino - PTY_FIRST_INO);
	else if (LINUX_S_ISCHR(inode->mode))
		text_print(text, "/dev/pts/0"); /* the terminal, on which all three streams are open */
	else if (anon_name(inode))
		text_print(text, "anon_inode:%s", anon_name(inode));
	else
		error = -ENOENT;
	if (error == -ENOENT)
		text_print(text, "/ (deleted)");
	return error == -ENOENT ? 0 : error;
}

static int link_text(const struct proc_object *object, struct text *text)
{
	const struct file *file = file_of_object(object);
	if (!file)
		return -ENOENT;
	return proc_name(file->inode, text);
}

static int link_follow(const struct proc_object *object, struct inode **to)
{
	const struct file *file = file_of_object(object);
	*to = file ? file->inode : NULL;
	return file ? 0 : -ENOENT;
}

static int info_text(const struct proc_object *object, struct text *text)
{
	const struct file *file = file_of_object(object);
	if (!file)
		return -ENOENT;
	const struct vfs_process *files = proc_process(object)->files;
	bool cloexec = fdtable_cloexec(&files->fds, (int)object->number);
	text_print(text, "pos:\t%ld\nflags:\t0", file->pos);
	text_octal(text, (uint64_t)(uint32_t)(file->flags | (cloexec ? LINUX_O_CLOEXEC : 0)), 1);
	text_print(text, "\nmnt_id:\t%lu\nino:\t%lu\n", file->inode->mount->dev, file->inode->ino);
	eventfd_info(file, text);
	inotify_info(file, text);
	return 0;
}

static uint64_t link_size(const struct inode *inode)
{
	(void)inode;
	return 64;
}

uint64_t proc_fd_size(const struct inode *inode)
{
	const struct process *process = proc_process(proc_object_of(inode));
	uint64_t count = 0;
	if (!process || process->more->ended)
		return 0;
	const struct fdtable *fds = &process->files->fds;
	for (unsigned int fd = 0; (fd = fdtable_first(fds, fd, fds->room)) < fds->room; fd++)
		count++;
	return count;
}

static const struct proc_entry link_entry = {
	.path = "", .mode = LINUX_S_IFLNK | 0500, .text = link_text, .follow = link_follow, .size = link_size};
static const struct proc_entry info_entry = PROC_TEXT("", info_text);

/* Makes the name of one open descriptor. */
static int have_descriptor(struct inode *dir, const struct proc_object *about)
{
	char name[12];
	size_t length = format(name, sizeof(name), "%u", about->number);
	struct dentry *dentry = dentry_find(dir, name, length, dentry_hash(name, length));
	struct inode *inode = dentry ? dentry->inode : proc_add(dir, name, about);
	if (!inode)
		return -ENOMEM;
	if (about->entry != &link_entry)
		return 0;
	const struct file *file = file_of_object(about);
	inode->mode = LINUX_S_IFLNK | 0100 | (file->readable ? 0400U : 0U) | (file->writable ? 0200U : 0U);
	inode->nlink = 1;
	return proc_retarget(inode);
}

int proc_fd_refresh(struct inode *dir, const char *name, size_t length)
{
	const struct proc_object *object = proc_object_of(dir);
	struct proc_object about = {
		.entry = object->entry->mode & 0044 ? &info_entry : &link_entry,
		.process = object->process,
	};
	const struct process *process = proc_process(object);
	int64_t number = name ? proc_number(name, length) : -1;
	int error = 0;
	for (struct dentry *dentry = dir->dir.first, *next; dentry; dentry = next) {
		next = dentry->next;
		if (!file_of_object(proc_object_of(dentry->inode)))
			proc_remove(dentry);
	}
	if (!process || process->more->ended)
		return 0;
	const struct fdtable *fds = &process->files->fds;
	if (name) {
		about.number = (uint32_t)number;
		return number >= 0 && file_of_object(&about) ? have_descriptor(dir, &about) : 0;
	}
	for (unsigned int fd = 0; !error && (fd = fdtable_first(fds, fd, fds->room)) < fds->room; fd++) {
		about.number = fd;
		error = have_descriptor(dir, &about);
	}
	return error;
}
