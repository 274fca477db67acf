/* SPDX-License-Identifier: MIT */
/* Extended attributes, xattr(7). */
#include <sys/xattr.h>

#include "libc-port/src/kernel.h"

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	return (int)kernel_result(kcall_setxattr(path, name, value, size, flags));
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	return kernel_result(kcall_getxattr(path, name, value, size));
}

ssize_t listxattr(const char *path, char *list, size_t size)
{
	return kernel_result(kcall_listxattr(path, list, size));
}

int removexattr(const char *path, const char *name)
{
	return (int)kernel_result(kcall_removexattr(path, name));
}

int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags)
{
	return (int)kernel_result(kcall_lsetxattr(path, name, value, size, flags));
}

ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)
{
	return kernel_result(kcall_lgetxattr(path, name, value, size));
}

ssize_t llistxattr(const char *path, char *list, size_t size)
{
	return kernel_result(kcall_llistxattr(path, list, size));
}

int lremovexattr(const char *path, const char *name)
{
	return (int)kernel_result(kcall_lremovexattr(path, name));
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags)
{
	return (int)kernel_result(kcall_fsetxattr(fd, name, value, size, flags));
}

ssize_t fgetxattr(int fd, const char *name, void *value, size_t size)
{
	return kernel_result(kcall_fgetxattr(fd, name, value, size));
}

ssize_t flistxattr(int fd, char *list, size_t size)
{
	return kernel_result(kcall_flistxattr(fd, list, size));
}

int fremovexattr(int fd, const char *name)
{
	return (int)kernel_result(kcall_fremovexattr(fd, name));
}
