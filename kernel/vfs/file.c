/* SPDX-License-Identifier: MIT */
/* Open file descriptions: creation and release, and the operations of regular files and directories. */
#include "kernel/vfs/file.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/lock.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/vfs.h"

static long regular_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	long done = data_read(file->inode, to, bytes, (uint64_t)*pos);
	if (done > 0)
		*pos += done;
	if (done >= 0 && !(file->flags & LINUX_O_NOATIME))
		inode_accessed(file->inode);
	return done;
}

static long regular_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	if (bytes == 0)
		return 0;
	if (file->flags & LINUX_O_APPEND)
		*pos = (int64_t)file->inode->size;
	long done = data_write(file->inode, from, bytes, (uint64_t)*pos);
	if (done > 0) {
		*pos += done;
		inode_modified(file->inode);
	}
	return done;
}

int64_t file_seek(struct file *file, int64_t offset, int whence, int64_t size)
{
	int64_t base = whence == LINUX_SEEK_SET ? 0 : whence == LINUX_SEEK_CUR ? file->pos : size;
	if (whence < LINUX_SEEK_SET || whence > LINUX_SEEK_END)
		return -EINVAL;
	int64_t to;
	if (__builtin_add_overflow(base, offset, &to) || to < 0)
		return -EINVAL;
	return file->pos = to;
}

static int64_t regular_seek(struct file *file, int64_t offset, int whence)
{
	if (whence != LINUX_SEEK_DATA && whence != LINUX_SEEK_HOLE)
		return file_seek(file, offset, whence, (int64_t)file->inode->size);
	if (offset < 0)
		return -ENXIO;
	int64_t to = data_seek(file->inode, (uint64_t)offset, whence == LINUX_SEEK_HOLE);
	if (to >= 0)
		file->pos = to;
	return to;
}

static long directory_read(struct file *, void *, size_t, int64_t *)
{
	return -EISDIR;
}

static int64_t directory_seek(struct file *file, int64_t offset, int whence)
{
	if (whence != LINUX_SEEK_SET && whence != LINUX_SEEK_CUR)
		return -EINVAL;
	return file_seek(file, offset, whence, 0);
}

static void directory_release(struct file *file)
{
	if (file->listing)
		dentry_put_listing(file->listing);
}

const struct file_ops file_regular_ops = {
	.read = regular_read,
	.write = regular_write,
	.seek = regular_seek,
};

const struct file_ops file_directory_ops = {
	.read = directory_read,
	.seek = directory_seek,
	.release = directory_release,
};

const struct file_ops file_path_ops = {0};

/* The operations by kind of object. */
static int choose_ops(struct inode *inode, struct file *file)
{
	if (file->flags & LINUX_O_PATH) {
		file->ops = &file_path_ops;
		return 0;
	}
	int access = file->flags & LINUX_O_ACCMODE;
	file->readable = access == LINUX_O_RDONLY || access == LINUX_O_RDWR;
	file->writable = access == LINUX_O_WRONLY || access == LINUX_O_RDWR;
	if (inode->ops && inode->ops->open)
		return inode->ops->open(inode, file);
	if (LINUX_S_ISREG(inode->mode))
		file->ops = &file_regular_ops;
	else if (LINUX_S_ISDIR(inode->mode))
		file->ops = &file_directory_ops;
	return file->ops ? 0 : -ENXIO;
}

int file_create(struct inode *inode, int flags, struct file **out)
{
	struct file *file = kmalloc(sizeof(*file));
	if (!file)
		return -ENOMEM;
	*file = (struct file){.inode = inode_get(inode), .flags = flags, .refs = 1};
	int error = choose_ops(inode, file);
	if (error < 0) {
		inode_put(inode); /* may be the last reference: a FIFO's name can be removed while the open waits */
		kfree(file);
		return error;
	}
	file->flags &= ~LINUX_O_NOCTTY; /* only for inode_ops.open */
	*out = file;
	return 0;
}

void file_put(struct file *file)
{
	assert(file->refs > 0);
	if (--file->refs > 0)
		return;
	struct dentry *dentry = file->dentry;
	notify_file(file, file->writable ? NOTIFY_CLOSE_WRITE : NOTIFY_CLOSE_NOWRITE);
	if (file->inode->locks)
		lock_released(file);
	if (file->inode->watches)
		file->inode->watches->closed(file->inode->watches, file);
	if (file->ops->release)
		file->ops->release(file);
	file->inode->writers -= file->is_writer;
	inode_put(file->inode);
	if (dentry)
		dentry_put(dentry);
	kfree(file);
}

void file_leave(struct file *file)
{
	void (*left)(struct file *) = file->refs > 1 ? file->ops->left : NULL;
	file_put(file);
	if (left)
		left(file);
}

/* Checks the flags of open(2) and their combinations. Returns 0 or -EINVAL. */
static int check_open_flags(int flags)
{
	if ((flags & LINUX_O_CREAT) && (flags & LINUX_O_DIRECTORY))
		return -EINVAL;
	if (!(flags & LINUX___O_TMPFILE))
		return 0;
	return (flags & LINUX_O_DIRECTORY) && (flags & LINUX_O_ACCMODE) != LINUX_O_RDONLY ? 0 : -EINVAL;
}

/* Whether another user may have put this object into a directory like /tmp for an O_CREAT. For such an object Linux
 * refuses regular files and FIFOs only if sysctls demand it, and other kinds always. */
static bool planted(const struct path *path)
{
	const struct inode *dir = path->parent, *inode = path->inode;
	if (!dir || LINUX_S_ISREG(inode->mode) || LINUX_S_ISFIFO(inode->mode))
		return false;
	return (dir->mode & LINUX_S_ISVTX) && (dir->mode & LINUX_S_IWOTH) && inode->uid != dir->uid && inode->uid != 0;
}

/* Creates the missing object of an open with O_CREAT, or returns the error for an existing object that does not fit. */
static int create_or_check(struct path *path, int flags, uint32_t mode, bool *created)
{
	if (path->last == PATH_NORMAL && path->slash)
		return -EISDIR;
	if (path->inode && (flags & LINUX_O_EXCL))
		return -EEXIST;
	if (path->inode && LINUX_S_ISDIR(path->inode->mode))
		return -EISDIR;
	if (path->inode)
		return planted(path) ? -EACCES : 0;
	if (path->too_long)
		return path_missing(path);
	int error = inode_writable(path->parent);
	if (error < 0)
		return error;
	*created = true;
	return namei_create(path, LINUX_S_IFREG | mode, &path->inode);
}

/* Whether an object that exists may be opened like this. */
static int check_object(const struct inode *inode, int flags)
{
	int access = flags & LINUX_O_ACCMODE;
	if ((flags & LINUX_O_DIRECTORY) && !LINUX_S_ISDIR(inode->mode))
		return -ENOTDIR;
	if (flags & LINUX_O_PATH)
		return 0;
	if (LINUX_S_ISLNK(inode->mode))
		return -ELOOP;
	if (LINUX_S_ISDIR(inode->mode) && (access != LINUX_O_RDONLY || (flags & LINUX_O_TRUNC)))
		return -EISDIR;
	bool writing = access != LINUX_O_RDONLY || (flags & LINUX_O_TRUNC);
	return writing && LINUX_S_ISREG(inode->mode) ? personality.inode_contents_writable(inode) : 0;
}

/* file_create() for open(2), which counts writers. Files of memfd_create(2) are not counted, because they are executed
 * while open. */
static int open_inode(struct inode *inode, int flags, struct file **out)
{
	int error = file_create(inode, flags, out);
	if (!error && (*out)->writable && LINUX_S_ISREG(inode->mode)) {
		(*out)->is_writer = true;
		inode->writers++;
	}
	return error;
}

static int open_unnamed(struct inode *dir, int flags, bool linkable, uint32_t mode, struct file **out)
{
	struct inode *inode;
	if (!dir)
		return -ENOENT;
	if (!LINUX_S_ISDIR(dir->mode))
		return -ENOTDIR;
	int error = inode_permission(dir, LINUX_W_OK | LINUX_X_OK);
	if (error < 0)
		return error;
	error = namei_create_unnamed(dir, LINUX_S_IFREG | mode, linkable, &inode);
	if (error < 0)
		return error;
	error = open_inode(inode, flags, out);
	inode_put(inode);
	return error;
}

int file_open(int dirfd, const char *user_path, int flags, uint32_t mode, struct file **out)
{
	struct path path;
	bool created = false;
	int error = check_open_flags(flags);
	if (flags & LINUX_O_PATH)
		flags &= LINUX_O_PATH | LINUX_O_DIRECTORY | LINUX_O_NOFOLLOW;
	else if (error < 0)
		return error;
	mode &= 07777 & ~process_current->files->umask;
	unsigned int walk = flags & LINUX_O_CREAT ? PATH_KEEP : 0;
	if (!(flags & LINUX_O_NOFOLLOW) && !((flags & LINUX_O_CREAT) && (flags & LINUX_O_EXCL)))
		walk |= PATH_FOLLOW;
	error = path_walk(dirfd, user_path, walk, &path);
	if (error < 0)
		return error;
	int kept = flags & ~(LINUX_O_CREAT | LINUX_O_EXCL | LINUX_O_TRUNC | LINUX_O_CLOEXEC);
	if (!(flags & LINUX_O_PATH))
		kept |= LINUX_O_LARGEFILE;
	if (flags & LINUX___O_TMPFILE)
		return open_unnamed(path.inode, kept, !(flags & LINUX_O_EXCL), mode, out);
	if (flags & LINUX_O_CREAT)
		error = create_or_check(&path, flags, mode, &created);
	else if (!path.inode)
		error = -ENOENT;
	if (error == 0)
		error = check_object(path.inode, flags);
	if (error < 0)
		return error;
	/* A new or "." object has only its newest name. Opening a FIFO waits: the name may be removed meanwhile. */
	struct dentry *dentry = path.dentry ? path.dentry : path.inode->dentry;
	if (dentry)
		dentry->refs++;
	error = open_inode(path.inode, kept, out);
	if (error < 0) {
		if (dentry)
			dentry_put(dentry);
		return error;
	}
	struct file *file = *out;
	file->dentry = dentry;
	if ((flags & LINUX_O_TRUNC) && !created && LINUX_S_ISREG(file->inode->mode)) {
		data_truncate(file->inode, 0);
		inode_modified(file->inode);
		notify_file(file, NOTIFY_MODIFY);
	}
	notify_file(file, NOTIFY_OPEN);
	return 0;
}
