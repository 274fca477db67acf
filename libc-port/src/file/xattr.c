/* SPDX-License-Identifier: MIT */
/* Extended attributes, xattr(7). */
#include <sys/xattr.h>

#include "libc-port/src/kernel.h"

KERNEL_FUNCTION(int, setxattr, (const char *path, const char *name, const void *value, size_t size, int flags),
                (path, name, value, size, flags))
KERNEL_FUNCTION(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t size),
                (path, name, value, size))
KERNEL_FUNCTION(ssize_t, listxattr, (const char *path, char *list, size_t size), (path, list, size))
KERNEL_FUNCTION(int, removexattr, (const char *path, const char *name), (path, name))
KERNEL_FUNCTION(int, lsetxattr, (const char *path, const char *name, const void *value, size_t size, int flags),
                (path, name, value, size, flags))
KERNEL_FUNCTION(ssize_t, lgetxattr, (const char *path, const char *name, void *value, size_t size),
                (path, name, value, size))
KERNEL_FUNCTION(ssize_t, llistxattr, (const char *path, char *list, size_t size), (path, list, size))
KERNEL_FUNCTION(int, lremovexattr, (const char *path, const char *name), (path, name))
KERNEL_FUNCTION(int, fsetxattr, (int fd, const char *name, const void *value, size_t size, int flags),
                (fd, name, value, size, flags))
KERNEL_FUNCTION(ssize_t, fgetxattr, (int fd, const char *name, void *value, size_t size), (fd, name, value, size))
KERNEL_FUNCTION(ssize_t, flistxattr, (int fd, char *list, size_t size), (fd, list, size))
KERNEL_FUNCTION(int, fremovexattr, (int fd, const char *name), (fd, name))
