/* SPDX-License-Identifier: MIT */
/* Extended attributes (xattr(7)). Regular files and directories of file systems in memory have those of the name space
 * `user`. Of others each call returns what Linux returns for a file system without them. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/attribute.h"
#include "kernel/vfs/notify.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/vfs.h"

#define BY_DESCRIPTOR UINT32_MAX

/* The object that a call is about: a path's, or a descriptor's. */
struct object {
	const char *path;
	unsigned int walk;
	int fd;
};

static int find_object(const struct object *object, struct inode **inode)
{
	if (object->walk != BY_DESCRIPTOR)
		return path_find(LINUX_AT_FDCWD, object->path, object->walk, inode);
	struct file *file = fdtable_get(&process_current->files->fds, object->fd);
	if (!file || (file->flags & LINUX_O_PATH))
		return -EBADF;
	*inode = file->inode;
	return 0;
}

/* Reads the name of an attribute. Returns 0 or a negative errno. */
static int read_name(char name[LINUX_XATTR_NAME_MAX + 1], const char *user_name)
{
	long length = strncpy_from_user(name, user_name, LINUX_XATTR_NAME_MAX + 1);
	return length == 0 || length == -ENAMETOOLONG ? -ERANGE : length < 0 ? (int)length : 0;
}

/* Finds the object, and checks that it may have an attribute of this name. Returns 0 or a negative errno. */
static int find_for(const struct object *object, const char *name, bool writing, struct inode **inode)
{
	int error = find_object(object, inode);
	if (error == 0 && writing)
		error = inode_writable(*inode);
	if (error < 0)
		return error;
	const bool is_user = strncmp(name, "user.", 5) == 0;
	if (is_user && !LINUX_S_ISREG((*inode)->mode) && !LINUX_S_ISDIR((*inode)->mode))
		return writing ? -EPERM : -ENODATA;
	error = is_user ? inode_permission(*inode, writing ? LINUX_W_OK : LINUX_R_OK) : 0;
	if (error < 0)
		return error;
	if (!is_user || (*inode)->mount->magic != LINUX_TMPFS_MAGIC)
		return -EOPNOTSUPP;
	return name[5] ? 0 : -EINVAL;
}

static long set_attribute(const struct object *object, const char *user_name, const void *value, unsigned long size,
                          int flags)
{
	char name[LINUX_XATTR_NAME_MAX + 1];
	struct inode *inode;
	if (flags & ~(LINUX_XATTR_CREATE | LINUX_XATTR_REPLACE))
		return -EINVAL;
	int error = read_name(name, user_name);
	if (!error && size > LINUX_XATTR_SIZE_MAX)
		error = -E2BIG;
	if (!error)
		error = find_for(object, name, true, &inode);
	if (!error)
		error = attribute_set(inode, name, value, size, flags);
	if (!error)
		notify_self(inode, NOTIFY_ATTRIB);
	return error;
}

static long get_attribute(const struct object *object, const char *user_name, void *value, unsigned long size)
{
	char name[LINUX_XATTR_NAME_MAX + 1];
	struct inode *inode;
	int error = read_name(name, user_name);
	if (!error)
		error = find_for(object, name, false, &inode);
	return error ? error : attribute_get(inode, name, value, size);
}

static long remove_attribute(const struct object *object, const char *user_name)
{
	char name[LINUX_XATTR_NAME_MAX + 1];
	struct inode *inode;
	int error = read_name(name, user_name);
	if (!error)
		error = find_for(object, name, true, &inode);
	if (!error)
		error = attribute_remove(inode, name);
	if (!error)
		notify_self(inode, NOTIFY_ATTRIB);
	return error;
}

static long list_attributes(const struct object *object, char *names, unsigned long size)
{
	struct inode *inode;
	int error = find_object(object, &inode);
	return error ? error : attribute_list(inode, names, size);
}

#define ATTRIBUTE_CALLS(prefix, type, ...) \
	long sys_##prefix##setxattr(type of, const char *name, const void *value, unsigned long size, int flags) \
	{ \
		return set_attribute(&(struct object){__VA_ARGS__}, name, value, size, flags); \
	} \
	long sys_##prefix##getxattr(type of, const char *name, void *value, unsigned long size) \
	{ \
		return get_attribute(&(struct object){__VA_ARGS__}, name, value, size); \
	} \
	long sys_##prefix##listxattr(type of, char *names, unsigned long size) \
	{ \
		return list_attributes(&(struct object){__VA_ARGS__}, names, size); \
	} \
	long sys_##prefix##removexattr(type of, const char *name) \
	{ \
		return remove_attribute(&(struct object){__VA_ARGS__}, name); \
	}

ATTRIBUTE_CALLS(, const char *, of, PATH_FOLLOW, -1)
ATTRIBUTE_CALLS(l, const char *, of, 0, -1)
ATTRIBUTE_CALLS(f, int, NULL, BY_DESCRIPTOR, of)
