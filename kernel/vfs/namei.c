/* SPDX-License-Identifier: MIT */
/* Changes of names. Everything that can fail (memory, the backing) is done before the first change, so that a failed
 * call changes nothing. */
#include "kernel/vfs/namei.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/vfs.h"

/* Counts a directory that is added or removed. A directory with one link does not count, as on btrfs (stat(2)). */
static void count_directory(struct inode *dir, int by)
{
	if (dir->nlink != 1)
		dir->nlink += (uint32_t)by;
}

int namei_attach(struct inode *dir, const char *name, size_t length, struct inode *inode)
{
	if (!dentry_add(dir, name, length, dentry_type(inode->mode), inode))
		return -ENOSPC;
	dir->size += INODE_DIRENT_BYTES;
	inode->nlink++;
	if (LINUX_S_ISDIR(inode->mode)) {
		inode->nlink++;
		inode->dir.parent = inode_get(dir);
		count_directory(dir, 1);
	}
	inode_modified(dir);
	return 0;
}

void namei_detach(struct dentry *dentry)
{
	struct inode *dir = dentry->dir, *inode = inode_get(dentry->inode);
	const uint32_t mode = inode->mode;
	dentry->refs++; /* the name is reported at the end */
	dentry_remove(dentry);
	dir->size -= dir->size < INODE_DIRENT_BYTES ? dir->size : INODE_DIRENT_BYTES;
	inode->nlink--;
	if (LINUX_S_ISDIR(inode->mode)) {
		inode->nlink = 0;
		inode->dir.removed = true;
		count_directory(dir, -1);
	}
	inode_modified(dir);
	inode->ctime_ns = dir->ctime_ns;
	if (!LINUX_S_ISDIR(mode))
		notify_self(inode, NOTIFY_ATTRIB);
	/* For Linux a file ends with its last name, unless it is open by that name. */
	if (inode->marks && !LINUX_S_ISDIR(mode) && dentry->refs == 1U + dentry->gone)
		notify_unused(inode);
	inode_put(inode);
	notify_entry(dir, dentry->name, dentry->length, mode, NOTIFY_DELETE);
	dentry_put(dentry);
}

struct inode *namei_make(struct inode *dir, uint32_t mode)
{
	struct inode *inode = inode_create(dir->mount, mode);
	if (inode && LINUX_S_ISFIFO(mode))
		inode->ops = &pipe_fifo_ops;
	if (inode && (dir->mode & LINUX_S_ISGID)) {
		inode->gid = dir->gid;
		if (LINUX_S_ISDIR(mode))
			inode->mode |= LINUX_S_ISGID;
	}
	return inode;
}

int namei_create(const struct path *path, uint32_t mode, struct inode **out)
{
	if (path->parent->dir.removed)
		return -ENOENT;
	if (path->parent->mount
	            ->fixed_names) /* the errors of vfs_create and vfs_mkdir for a file system without these */
		return LINUX_S_ISREG(mode) ? -EACCES : -EPERM;
	struct inode *inode = personality.namei_make(path->parent, mode);
	if (!inode)
		return -ENOSPC;
	int error = namei_attach(path->parent, path->name, path->length, inode);
	*out = inode;
	if (error == 0)
		notify_entry(path->parent, path->name, path->length, mode, NOTIFY_CREATE);
	inode_put(inode);
	return error;
}

int namei_create_unnamed(struct inode *dir, uint32_t mode, bool linkable, struct inode **out)
{
	if (dir->mount->fixed_names)
		return -EOPNOTSUPP;
	*out = personality.namei_make(dir, mode);
	if (!*out)
		return -ENOSPC;
	(*out)->linkable = linkable;
	return 0;
}

/* Walks to a name that will be created. */
static int walk_to_new(int dirfd, const char *user_path, bool directory, struct path *path)
{
	int error = path_walk(dirfd, user_path, PATH_KEEP, path);
	if (error < 0)
		return error;
	if (path->inode)
		return -EEXIST;
	if (path->too_long)
		return path_missing(path);
	if (path->slash && !directory)
		return -ENOENT;
	return path->parent->dir.removed ? -ENOENT : inode_writable(path->parent);
}

int namei_mkdir(int dirfd, const char *user_path, uint32_t mode)
{
	struct path path;
	struct inode *inode;
	int error = walk_to_new(dirfd, user_path, true, &path);
	if (error < 0)
		return error;
	mode &= (0777 | LINUX_S_ISVTX) & ~process_current->files->umask;
	return namei_create(&path, LINUX_S_IFDIR | mode, &inode);
}

int namei_mknod(int dirfd, const char *user_path, uint32_t mode, uint64_t number)
{
	struct path path;
	struct inode *inode;
	uint32_t type = mode & LINUX_S_IFMT;
	bool device = type == LINUX_S_IFBLK || type == LINUX_S_IFCHR;
	if (type == 0)
		type = LINUX_S_IFREG;
	else if (type == LINUX_S_IFDIR)
		return -EPERM;
	else if (!device && type != LINUX_S_IFREG && type != LINUX_S_IFIFO && type != LINUX_S_IFSOCK)
		return -EINVAL;
	int error = walk_to_new(dirfd, user_path, false, &path);
	if (error < 0)
		return error;
	if (device && !(type == LINUX_S_IFCHR && number == 0)) /* 0:0 is a whiteout, which every user may make */
		return -EPERM;
	return namei_create(&path, type | (mode & 07777 & ~process_current->files->umask), &inode);
}

int namei_symlink(const char *target, int dirfd, const char *user_path)
{
	char *text = kmalloc(LINUX_PATH_MAX);
	if (!text)
		return -ENOMEM;
	struct path path;
	struct inode *inode = NULL;
	char *copy = NULL;
	long length = strncpy_from_user(text, target, LINUX_PATH_MAX);
	int error = length <= 0 ? (length ? (int)length : -ENOENT) : walk_to_new(dirfd, user_path, false, &path);
	if (error == 0 && !(copy = kmalloc((size_t)length)))
		error = -ENOSPC;
	if (error == 0)
		error = namei_create(&path, LINUX_S_IFLNK | 0777, &inode);
	if (error == 0) {
		memcpy(copy, text, (size_t)length);
		inode->target = copy;
		inode->size = (uint64_t)length;
	} else {
		kfree(copy);
	}
	kfree(text);
	return error;
}

int namei_link(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	struct inode *inode;
	struct path path;
	if (flags & ~(LINUX_AT_SYMLINK_FOLLOW | LINUX_AT_EMPTY_PATH))
		return -EINVAL;
	unsigned int walk = flags & LINUX_AT_SYMLINK_FOLLOW ? PATH_FOLLOW : 0;
	int error = path_find(from_fd, from, walk | (flags & LINUX_AT_EMPTY_PATH ? PATH_EMPTY : 0), &inode);
	if (error < 0)
		return error;
	error = walk_to_new(to_fd, to, false, &path);
	if (error < 0)
		return error;
	if (path.parent->mount != inode->mount)
		return -EXDEV;
	if (LINUX_S_ISDIR(inode->mode) || inode->mount->fixed_names)
		return -EPERM;
	error = inode_ownership(inode); /* as with fs.protected_hardlinks */
	if (error < 0)
		return error;
	if (inode->nlink == 0 && !inode->linkable)
		return -ENOENT;
	error = namei_attach(path.parent, path.name, path.length, inode);
	if (error < 0)
		return error;
	inode->ctime_ns = path.parent->ctime_ns;
	notify_self(inode, NOTIFY_ATTRIB);
	notify_entry(path.parent, path.name, path.length, inode->mode, NOTIFY_CREATE);
	return 0;
}

int namei_unlink(int dirfd, const char *user_path)
{
	struct path path;
	int error = path_walk(dirfd, user_path, PATH_KEEP, &path);
	if (error < 0)
		return error;
	if (path.last != PATH_NORMAL)
		return -EISDIR;
	error = inode_writable(path.parent);
	if (error < 0)
		return error;
	if (!path.inode)
		return path_missing(&path);
	if (LINUX_S_ISDIR(path.inode->mode))
		return -EISDIR;
	if (path.slash)
		return -ENOTDIR;
	if (path.parent->mount->fixed_names)
		return -EPERM;
	if (path.dentry->mounted)
		return -EBUSY;
	error = dentry_removable(path.dentry);
	if (error == 0)
		namei_detach(path.dentry);
	return error;
}

/* Whether a directory can be removed: 0, -ENOTEMPTY or an error of the backing. */
static int check_empty(struct inode *dir)
{
	int error = dentry_complete(dir);
	if (error < 0)
		return error;
	return dir->dir.count ? -ENOTEMPTY : 0;
}

int namei_rmdir(int dirfd, const char *user_path)
{
	struct path path;
	int error = path_walk(dirfd, user_path, PATH_KEEP, &path);
	if (error < 0)
		return error;
	if (path.last != PATH_NORMAL)
		return path.last == PATH_DOTDOT ? -ENOTEMPTY : path.last == PATH_DOT ? -EINVAL : -EBUSY;
	error = inode_writable(path.parent);
	if (error < 0)
		return error;
	if (!path.inode)
		return path_missing(&path);
	if (!LINUX_S_ISDIR(path.inode->mode))
		return -ENOTDIR;
	if (path.dentry->mounted)
		return -EBUSY;
	error = check_empty(path.inode);
	if (error == 0)
		error = dentry_removable(path.dentry);
	if (error == 0)
		namei_detach(path.dentry);
	return error;
}

/* Whether ancestor is dir or above it. */
static bool is_above(const struct inode *ancestor, const struct inode *dir)
{
	for (; dir != ancestor; dir = dir->dir.parent) {
		if (dir == process_current->files->root || dir->dir.parent == dir)
			return false;
	}
	return true;
}

/* A directory that gets another parent must be writable, because its name ".." changes. */
static int check_parents(const struct path *from, const struct path *to, bool exchange)
{
	if (from->parent == to->parent)
		return 0;
	int error = LINUX_S_ISDIR(from->inode->mode) ? inode_permission(from->inode, LINUX_W_OK) : 0;
	if (!error && exchange && LINUX_S_ISDIR(to->inode->mode))
		error = inode_permission(to->inode, LINUX_W_OK);
	return error;
}

/* The errors of renameat2(2) that depend on the kinds of the two names, in Linux's order. */
static int check_rename(const struct path *from, const struct path *to, unsigned int flags)
{
	bool exchange = flags & LINUX_RENAME_EXCHANGE;
	if (from->parent->mount != to->parent->mount)
		return -EXDEV;
	if (inode_writable(from->parent) < 0)
		return -EROFS;
	if (!from->inode)
		return path_missing(from);
	if (to->too_long || to->parent->dir.removed)
		return path_missing(to);
	if ((flags & LINUX_RENAME_NOREPLACE) && to->inode)
		return -EEXIST;
	if (exchange && !to->inode)
		return -ENOENT;
	bool from_dir = LINUX_S_ISDIR(from->inode->mode), to_dir = to->inode && LINUX_S_ISDIR(to->inode->mode);
	if (exchange && !to_dir && to->slash)
		return -ENOTDIR;
	if (!from_dir && (from->slash || (!exchange && to->slash)))
		return -ENOTDIR;
	if (from_dir && is_above(from->inode, to->parent))
		return -EINVAL;
	if (to_dir && is_above(to->inode, from->parent))
		return exchange ? -EINVAL : -ENOTEMPTY;
	if (from->inode == to->inode)
		return 0;
	if (to->inode && !exchange && from_dir != to_dir)
		return from_dir ? -ENOTDIR : -EISDIR;
	if (from->dentry->mounted || (to->dentry && to->dentry->mounted))
		return -EBUSY;
	int error = check_parents(from, to, exchange);
	return error || !to_dir || exchange ? error : check_empty(to->inode);
}

/* A directory got a new parent. */
static void set_parent(struct inode *inode, struct inode *parent)
{
	struct inode *old = inode->dir.parent;
	if (!LINUX_S_ISDIR(inode->mode) || old == parent)
		return;
	count_directory(old, -1);
	count_directory(parent, 1);
	inode->dir.parent = inode_get(parent);
	inode_put(old);
}

static void exchange_names(struct path *a, struct path *b)
{
	struct inode *first = inode_get(a->inode), *second = inode_get(b->inode);
	dentry_replace(a->dentry, second);
	dentry_replace(b->dentry, first);
	set_parent(first, b->parent);
	set_parent(second, a->parent);
	inode_modified(a->parent);
	inode_modified(b->parent);
	inode_changed(first);
	inode_changed(second);
	notify_moved(a, b, first, NULL);
	notify_moved(b, a, second, NULL);
	inode_put(first);
	inode_put(second);
}

static int move_name(struct path *from, struct path *to)
{
	struct inode *moved = inode_get(from->inode), *old = to->inode;
	int error = 0;
	if (!old) {
		if (dentry_add(to->parent, to->name, to->length, dentry_type(moved->mode), moved))
			to->parent->size += INODE_DIRENT_BYTES;
		else
			error = -ENOSPC;
	} else {
		inode_get(old);
		dentry_replace(to->dentry, moved);
		old->nlink--;
		if (LINUX_S_ISDIR(old->mode)) {
			old->nlink = 0;
			old->dir.removed = true;
			count_directory(to->parent, -1);
		}
		inode_changed(old);
	}
	if (error == 0) {
		set_parent(moved, to->parent);
		from->dentry->moved = true;
		dentry_remove(from->dentry);
		struct inode *dir = from->parent;
		dir->size -= dir->size < INODE_DIRENT_BYTES ? dir->size : INODE_DIRENT_BYTES;
		inode_modified(dir);
		inode_modified(to->parent);
		inode_changed(moved);
		notify_moved(from, to, moved, old);
	}
	inode_put(moved);
	inode_put(old);
	return error;
}

int namei_rename(int from_fd, const char *user_from, int to_fd, const char *user_to, unsigned int flags)
{
	struct path from, to;
	if (flags & ~(unsigned int)(LINUX_RENAME_NOREPLACE | LINUX_RENAME_EXCHANGE))
		return -EINVAL;
	if ((flags & LINUX_RENAME_NOREPLACE) && (flags & LINUX_RENAME_EXCHANGE))
		return -EINVAL;
	int error = path_walk(from_fd, user_from, PATH_KEEP, &from);
	if (error == 0)
		error = path_walk(to_fd, user_to, PATH_KEEP, &to);
	if (error < 0)
		return error;
	if (from.last != PATH_NORMAL)
		return -EBUSY;
	if (to.last != PATH_NORMAL)
		return flags & LINUX_RENAME_NOREPLACE ? -EEXIST : -EBUSY;
	error = check_rename(&from, &to, flags);
	if (error < 0 || from.inode == to.inode)
		return error;
	if (from.parent->mount->fixed_names)
		return -EPERM;
	if (flags & LINUX_RENAME_EXCHANGE) {
		exchange_names(&from, &to);
		return 0;
	}
	error = dentry_removable(from.dentry);
	return error < 0 ? error : move_name(&from, &to);
}
