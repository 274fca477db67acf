/* SPDX-License-Identifier: MIT */
/* <sys/xattr.h>: extended attributes, xattr(7). No file has any. */
#ifndef _SYS_XATTR_H
#define _SYS_XATTR_H

#include <sys/cdefs.h>
#include <sys/types.h>

#define XATTR_CREATE 1
#define XATTR_REPLACE 2

__BEGIN_DECLS

int setxattr(const char *__path, const char *__name, const void *__value, size_t __size, int __flags);
int lsetxattr(const char *__path, const char *__name, const void *__value, size_t __size, int __flags);
int fsetxattr(int __fd, const char *__name, const void *__value, size_t __size, int __flags);
ssize_t getxattr(const char *__path, const char *__name, void *__value, size_t __size);
ssize_t lgetxattr(const char *__path, const char *__name, void *__value, size_t __size);
ssize_t fgetxattr(int __fd, const char *__name, void *__value, size_t __size);
ssize_t listxattr(const char *__path, char *__list, size_t __size);
ssize_t llistxattr(const char *__path, char *__list, size_t __size);
ssize_t flistxattr(int __fd, char *__list, size_t __size);
int removexattr(const char *__path, const char *__name);
int lremovexattr(const char *__path, const char *__name);
int fremovexattr(int __fd, const char *__name);

__END_DECLS

#endif
