/* SPDX-License-Identifier: MIT */
/* Directory streams over getdents64(2). A stream's entries live in its own buffer until the next refill. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

struct __dir {
	int fd;
	unsigned next;   /* offset of the next entry in buffer */
	unsigned filled; /* bytes in buffer */
	off_t position;  /* d_off of the last entry returned, which telldir returns */
	_Alignas(struct dirent) char buffer[8192];
};

KERNEL_FUNCTION(ssize_t, getdents64, (int fd, void *buf, size_t size), (fd, buf, (unsigned int)size))

static DIR *create(int fd)
{
	DIR *dir = calloc(1, sizeof(*dir));
	if (dir)
		dir->fd = fd;
	return dir;
}

DIR *opendir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	DIR *dir = create(fd);
	if (!dir)
		close(fd);
	return dir;
}

DIR *fdopendir(int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return NULL;
	if (!S_ISDIR(st.st_mode))
		return kernel_refuse(ENOTDIR), NULL;
	return create(fd);
}

int closedir(DIR *dir)
{
	int fd = dir->fd;
	free(dir);
	return close(fd);
}

int dirfd(DIR *dir)
{
	return dir->fd;
}

struct dirent *readdir(DIR *dir)
{
	if (dir->next >= dir->filled) {
		ssize_t got = getdents64(dir->fd, dir->buffer, sizeof(dir->buffer));
		if (got <= 0)
			return NULL;
		dir->filled = (unsigned)got;
		dir->next = 0;
	}
	struct dirent *entry = (struct dirent *)(dir->buffer + dir->next);
	dir->next += entry->d_reclen;
	dir->position = entry->d_off;
	return entry;
}

int readdir_r(DIR *restrict dir, struct dirent *restrict entry, struct dirent **restrict result)
{
	int before = errno;
	errno = 0;
	struct dirent *found = readdir(dir);
	int error = errno;
	errno = before;
	*result = NULL;
	if (!found)
		return error;
	memcpy(entry, found, found->d_reclen);
	*result = entry;
	return 0;
}

void seekdir(DIR *dir, long position)
{
	dir->next = dir->filled = 0;
	dir->position = lseek(dir->fd, position, SEEK_SET);
}

void rewinddir(DIR *dir)
{
	seekdir(dir, 0);
}

long telldir(DIR *dir)
{
	return dir->position;
}

int versionsort(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}
