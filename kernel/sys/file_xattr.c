/* SPDX-License-Identifier: MIT */
/* Extended attributes (xattr(7)). No file system here has any; each call returns what Linux returns for a file without
 * attributes. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define BY_DESCRIPTOR UINT32_MAX

/* The object that a call is about: a path's, or a descriptor's. */
struct object {
	const char *path;
	unsigned int walk;
	int fd;
};

static int find(const struct object *object, struct inode **inode)
{
	if (object->walk != BY_DESCRIPTOR)
		return path_find(LINUX_AT_FDCWD, object->path, object->walk, inode);
	struct file *file = fdtable_get(&vfs_current->fds, object->fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	*inode = file->inode;
	return 0;
}

/* Looks for an attribute that cannot be there. */
static long refuse(const struct object *object, const char *user_name, bool writing)
{
	char name[LINUX_XATTR_NAME_MAX + 1];
	struct inode *inode;
	long length = strncpy_from_user(name, user_name, sizeof(name));
	if (length == 0 || length == -ENAMETOOLONG)
		return -ERANGE;
	if (length < 0)
		return length;
	int error = find(object, &inode);
	if (error == 0 && writing)
		error = inode_writable(inode);
	if (error < 0)
		return error;
	/* Only files and directories can have attributes of the user's. */
	const bool is_user = strncmp(name, "user.", 5) == 0;
	if (is_user && !LINUX_S_ISREG(inode->mode) && !LINUX_S_ISDIR(inode->mode))
		return writing ? -EPERM : -ENODATA;
	error = is_user ? inode_permission(inode, writing ? LINUX_W_OK : LINUX_R_OK) : 0;
	return error ? error : -EOPNOTSUPP;
}

static long set(const struct object *object, const char *name, const void *value, unsigned long size, int flags)
{
	(void)value;
	if (flags & ~(LINUX_XATTR_CREATE | LINUX_XATTR_REPLACE))
		return -EINVAL;
	long result = refuse(object, name, true);
	return size > LINUX_XATTR_SIZE_MAX && result != -ERANGE && result != -EFAULT ? -E2BIG : result;
}

static long list(const struct object *object)
{
	struct inode *inode;
	return find(object, &inode);
}

long sys_setxattr(const char *path, const char *name, const void *value, unsigned long size, int flags)
{
	return set(&(struct object){path, PATH_FOLLOW, -1}, name, value, size, flags);
}

long sys_getxattr(const char *path, const char *name, void *value, unsigned long size)
{
	(void)value, (void)size;
	return refuse(&(struct object){path, PATH_FOLLOW, -1}, name, false);
}

long sys_listxattr(const char *path, char *names, unsigned long size)
{
	(void)names, (void)size;
	return list(&(struct object){path, PATH_FOLLOW, -1});
}

long sys_removexattr(const char *path, const char *name)
{
	return refuse(&(struct object){path, PATH_FOLLOW, -1}, name, true);
}

long sys_lsetxattr(const char *path, const char *name, const void *value, unsigned long size, int flags)
{
	return set(&(struct object){path, 0, -1}, name, value, size, flags);
}

long sys_lgetxattr(const char *path, const char *name, void *value, unsigned long size)
{
	(void)value, (void)size;
	return refuse(&(struct object){path, 0, -1}, name, false);
}

long sys_llistxattr(const char *path, char *names, unsigned long size)
{
	(void)names, (void)size;
	return list(&(struct object){path, 0, -1});
}

long sys_lremovexattr(const char *path, const char *name)
{
	return refuse(&(struct object){path, 0, -1}, name, true);
}

long sys_fsetxattr(int fd, const char *name, const void *value, unsigned long size, int flags)
{
	return set(&(struct object){NULL, BY_DESCRIPTOR, fd}, name, value, size, flags);
}

long sys_fgetxattr(int fd, const char *name, void *value, unsigned long size)
{
	(void)value, (void)size;
	return refuse(&(struct object){NULL, BY_DESCRIPTOR, fd}, name, false);
}

long sys_flistxattr(int fd, char *names, unsigned long size)
{
	(void)names, (void)size;
	return list(&(struct object){NULL, BY_DESCRIPTOR, fd});
}

long sys_fremovexattr(int fd, const char *name)
{
	return refuse(&(struct object){NULL, BY_DESCRIPTOR, fd}, name, true);
}
