/* SPDX-License-Identifier: MIT */
/* Names and directories: mkdir(2), mknod(2), rename(2), link(2), unlink(2), readlink(2), chdir(2), getcwd(2),
 * getdents64(2). */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/vfs.h"

long sys_mkdirat(int dirfd, const char *path, unsigned int mode)
{
	return namei_mkdir(dirfd, path, mode);
}

long sys_mkdir(const char *path, unsigned int mode)
{
	return namei_mkdir(LINUX_AT_FDCWD, path, mode);
}

long sys_mknodat(int dirfd, const char *path, unsigned int mode, unsigned int number)
{
	return namei_mknod(dirfd, path, mode, number);
}

long sys_mknod(const char *path, unsigned int mode, unsigned int number)
{
	return namei_mknod(LINUX_AT_FDCWD, path, mode, number);
}

long sys_unlinkat(int dirfd, const char *path, int flags)
{
	if (flags & ~LINUX_AT_REMOVEDIR)
		return -EINVAL;
	return flags & LINUX_AT_REMOVEDIR ? namei_rmdir(dirfd, path) : namei_unlink(dirfd, path);
}

long sys_unlink(const char *path)
{
	return namei_unlink(LINUX_AT_FDCWD, path);
}

long sys_rmdir(const char *path)
{
	return namei_rmdir(LINUX_AT_FDCWD, path);
}

long sys_renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags)
{
	return namei_rename(from_fd, from, to_fd, to, flags);
}

long sys_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	return namei_rename(from_fd, from, to_fd, to, 0);
}

long sys_rename(const char *from, const char *to)
{
	return namei_rename(LINUX_AT_FDCWD, from, LINUX_AT_FDCWD, to, 0);
}

long sys_linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	return namei_link(from_fd, from, to_fd, to, flags);
}

long sys_link(const char *from, const char *to)
{
	return namei_link(LINUX_AT_FDCWD, from, LINUX_AT_FDCWD, to, 0);
}

long sys_symlinkat(const char *target, int dirfd, const char *path)
{
	return namei_symlink(target, dirfd, path);
}

long sys_symlink(const char *target, const char *path)
{
	return namei_symlink(target, LINUX_AT_FDCWD, path);
}

long sys_readlinkat(int dirfd, const char *path, char *buf, int size)
{
	struct path found;
	if (size <= 0)
		return -EINVAL;
	int error = path_walk(dirfd, path, PATH_EMPTY, &found);
	if (error < 0)
		return error;
	if (!found.inode)
		return -ENOENT;
	if (!LINUX_S_ISLNK(found.inode->mode)) /* an empty path names nothing unless dirfd is a link */
		return found.last == PATH_OBJECT ? -ENOENT : -EINVAL;
	size_t length = found.inode->size;
	if (!found.inode->target) /* there is no room for it anywhere */
		return -ENAMETOOLONG;
	if (length > (size_t)size)
		length = (size_t)size;
	inode_accessed(found.inode);
	return copy_to_user(buf, found.inode->target, length) < 0 ? -EFAULT : (long)length;
}

long sys_readlink(const char *path, char *buf, int size)
{
	return sys_readlinkat(LINUX_AT_FDCWD, path, buf, size);
}

/* Makes a directory the working directory. */
static long change_to(struct inode *inode)
{
	if (!LINUX_S_ISDIR(inode->mode))
		return -ENOTDIR;
	int error = inode_search(inode);
	if (error)
		return error;
	inode_get(inode);
	inode_put(process_current->files->cwd);
	process_current->files->cwd = inode;
	return 0;
}

long sys_chdir(const char *path)
{
	struct inode *inode;
	int error = path_find(LINUX_AT_FDCWD, path, PATH_FOLLOW, &inode);
	return error < 0 ? error : change_to(inode);
}

long sys_fchdir(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file ? change_to(file->inode) : -EBADF;
}

long sys_getcwd(char *buf, unsigned long size)
{
	char *text = kmalloc(LINUX_PATH_MAX);
	if (!text)
		return -ENOMEM;
	long length =
		path_of_directory(process_current->files->cwd, text, size < LINUX_PATH_MAX ? size : LINUX_PATH_MAX);
	if (length > 0 && copy_to_user(buf, text, (size_t)length) < 0)
		length = -EFAULT;
	kfree(text);
	return length;
}

long sys_umask(unsigned int mask)
{
	uint32_t old = process_current->files->umask;
	process_current->files->umask = mask & 0777;
	return old;
}

/* One record of getdents64, put together here and copied out in one go. */
static union {
	struct linux_dirent64 entry;
	char bytes[sizeof(struct linux_dirent64) + LINUX_NAME_MAX + 8];
} record;

/* The entry at a position: 0 is ".", 1 is "..", then the listing. Fills in the record; false for a dead name. */
static bool make_record(const struct file *file, uint64_t position)
{
	const struct inode *dir = file->inode;
	const char *name = position ? ".." : ".";
	size_t length = position + 1;
	record.entry.d_type = LINUX_DT_DIR;
	if (position < 2) {
		record.entry.d_ino = position ? dir->dir.parent->ino : dir->ino;
	} else {
		const struct dentry *dentry = file->listing->entries[position - 2];
		if (!dentry->dir)
			return false;
		name = dentry->name;
		length = dentry->length;
		record.entry.d_ino = dentry->inode ? dentry->inode->ino : dentry->backing_ino;
		record.entry.d_type = dentry->type;
	}
	size_t offset = offsetof(struct linux_dirent64, d_name), bytes = (offset + length + 1 + 7) & ~7UL;
	for (size_t i = 0; i < bytes - offset; i++)
		record.bytes[offset + i] = i < length ? name[i] : 0;
	record.entry.d_reclen = (uint16_t)bytes;
	record.entry.d_off = (int64_t)position + 1;
	return true;
}

/* Takes a new snapshot of the names at the start of each pass over the directory. */
static int prepare_listing(struct file *file)
{
	if (file->listing && file->pos != 0)
		return 0;
	if (file->listing)
		dentry_put_listing(file->listing);
	file->listing = NULL;
	return dentry_listing(file->inode, &file->listing);
}

long sys_getdents64(int fd, void *buf, unsigned int bytes)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	if (!LINUX_S_ISDIR(file->inode->mode))
		return -ENOTDIR;
	if (file->inode->dir.removed)
		return -ENOENT;
	int error = prepare_listing(file);
	if (error < 0)
		return error;
	inode_accessed(file->inode);
	notify_file(file, NOTIFY_ACCESS);
	size_t done = 0;
	while ((uint64_t)file->pos < file->listing->count + 2) {
		if (make_record(file, (uint64_t)file->pos)) {
			if (record.entry.d_reclen > bytes - done)
				return done ? (long)done : -EINVAL;
			if (copy_to_user((char *)buf + done, &record, record.entry.d_reclen) < 0)
				return done ? (long)done : -EFAULT;
			done += record.entry.d_reclen;
		}
		file->pos++;
	}
	return (long)done;
}
