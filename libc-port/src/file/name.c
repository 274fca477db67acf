/* SPDX-License-Identifier: MIT */
/* Names in the file system: making, removing and resolving them. remove and rename replace newlib's. */
#include <fcntl.h>
#include <limits.h>
#include <reent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

KERNEL_FUNCTION(int, link, (const char *from, const char *to), (from, to))
KERNEL_FUNCTION(int, linkat, (int from_fd, const char *from, int to_fd, const char *to, int flags),
                (from_fd, from, to_fd, to, flags))
KERNEL_FUNCTION(int, symlink, (const char *target, const char *path), (target, path))
KERNEL_FUNCTION(int, symlinkat, (const char *target, int dirfd, const char *path), (target, dirfd, path))

static int int_size(size_t size)
{
	return size > INT_MAX ? INT_MAX : (int)size;
}

KERNEL_FUNCTION(ssize_t, readlink, (const char *restrict path, char *restrict buf, size_t size),
                (path, buf, int_size(size)))
KERNEL_FUNCTION(ssize_t, readlinkat, (int dirfd, const char *restrict path, char *restrict buf, size_t size),
                (dirfd, path, buf, int_size(size)))
KERNEL_FUNCTION(int, unlink, (const char *path), (path))
KERNEL_FUNCTION(int, unlinkat, (int dirfd, const char *path, int flags), (dirfd, path, flags))
KERNEL_FUNCTION(int, rmdir, (const char *path), (path))

int remove(const char *path)
{
	long result = kcall_unlink(path);
	return (int)kernel_result(result == -EISDIR ? kcall_rmdir(path) : result);
}

int _remove_r(struct _reent *, const char *path)
{
	return remove(path);
}

KERNEL_FUNCTION(int, rename, (const char *from, const char *to), (from, to))

int _rename_r(struct _reent *, const char *from, const char *to)
{
	return rename(from, to);
}

KERNEL_FUNCTION(int, renameat, (int from_fd, const char *from, int to_fd, const char *to), (from_fd, from, to_fd, to))

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags);

KERNEL_FUNCTION(int, renameat2, (int from_fd, const char *from, int to_fd, const char *to, unsigned int flags),
                (from_fd, from, to_fd, to, flags))
KERNEL_FUNCTION(int, mkdir, (const char *path, mode_t mode), (path, mode))
KERNEL_FUNCTION(int, mkdirat, (int dirfd, const char *path, mode_t mode), (dirfd, path, mode))
KERNEL_FUNCTION(int, chdir, (const char *path), (path))
KERNEL_FUNCTION(int, fchdir, (int fd), (fd))

int chroot(const char *)
{
	return kernel_refuse(EPERM);
}

char *getcwd(char *buf, size_t size)
{
	char found[PATH_MAX];
	if (buf && !size)
		return kernel_refuse(EINVAL), NULL;
	long length = kernel_result(kcall_getcwd(buf ? buf : found, buf ? size : sizeof(found)));
	if (length < 0)
		return NULL;
	if (buf)
		return buf;
	if (size && (size_t)length > size)
		return kernel_refuse(ERANGE), NULL;
	buf = malloc(size ? size : (size_t)length);
	return buf ? strcpy(buf, found) : NULL;
}

char *getwd(char *buf)
{
	return getcwd(buf, PATH_MAX);
}

char *get_current_dir_name(void)
{
	return getcwd(NULL, 0);
}

/* Appends a component of length bytes to an absolute path that does not end with a slash. */
static int append(char *path, size_t *used, const char *component, size_t length)
{
	if (*used + 1 + length >= PATH_MAX)
		return kernel_refuse(ENAMETOOLONG);
	if (*used > 1)
		path[(*used)++] = '/';
	memcpy(path + *used, component, length);
	*used += length;
	path[*used] = 0;
	return 0;
}

/* Replaces a symbolic link by its target before the tail, which begins with a slash or is empty. Adds no slash, because
 * a final one would require a directory. */
static int expand_link(char *rest, const char *target, size_t target_length, const char *tail)
{
	size_t tail_length = strlen(tail);
	if (target_length + tail_length >= PATH_MAX)
		return kernel_refuse(ENAMETOOLONG);
	memmove(rest + target_length, tail, tail_length + 1);
	memcpy(rest, target, target_length);
	return 0;
}

/* Resolves rest and appends it to path, which is absolute. */
static int resolve(char *path, char *rest)
{
	char target[PATH_MAX];
	size_t used = strlen(path);
	int links = 0;
	for (char *next = rest; *next;) {
		size_t length = strcspn(next, "/");
		char *component = next;
		next += length + (next[length] == '/');
		if (length == 0 || (length == 1 && component[0] == '.'))
			continue;
		size_t parent = used;
		if (length == 2 && component[0] == '.' && component[1] == '.') {
			while (used > 1 && path[--used] != '/')
				;
			path[used ? used : 1] = 0;
			used = used ? used : 1;
			continue;
		}
		if (append(path, &used, component, length) < 0)
			return -1;
		struct stat st;
		if (lstat(path, &st) < 0)
			return -1;
		if (!S_ISLNK(st.st_mode)) {
			if (component[length] == '/' && !S_ISDIR(st.st_mode))
				return kernel_refuse(ENOTDIR);
			continue;
		}
		if (++links > SYMLOOP_MAX)
			return kernel_refuse(ELOOP);
		ssize_t size = readlink(path, target, sizeof(target) - 1);
		if (size < 0 || expand_link(rest, target, (size_t)size, component + length) < 0)
			return -1;
		next = rest;
		used = rest[0] == '/' ? 1 : parent;
		path[used] = 0;
	}
	return 0;
}

char *realpath(const char *restrict name, char *restrict resolved)
{
	char path[PATH_MAX], rest[PATH_MAX];
	if (!name || !*name)
		return kernel_refuse(name ? ENOENT : EINVAL), NULL;
	if (strlen(name) >= PATH_MAX)
		return kernel_refuse(ENAMETOOLONG), NULL;
	strcpy(rest, name);
	strcpy(path, "/");
	if (name[0] != '/' && !getcwd(path, sizeof(path)))
		return NULL;
	if (resolve(path, rest) < 0)
		return NULL;
	return resolved ? strcpy(resolved, path) : strdup(path);
}

char *canonicalize_file_name(const char *name);

char *canonicalize_file_name(const char *name)
{
	return realpath(name, NULL);
}
