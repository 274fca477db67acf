/* SPDX-License-Identifier: MIT */
/* File descriptors. A bit of `used` is set where files[] is not NULL, and where a thread waits in open(2). */
#include "kernel/vfs/fdtable.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/vfs/lock.h"
#include "kernel/vfs/vfs.h"

#define WORD(fd) ((fd) / 64)
#define BIT(fd) (1UL << ((fd) % 64))

void fdtable_init(struct fdtable *table)
{
	memset(table, 0, sizeof(*table));
	table->limit = FDTABLE_LIMIT;
}

int fdtable_find(const struct fdtable *table, unsigned int min)
{
	for (unsigned int fd = min; fd < table->limit; fd = (fd | 63) + 1) {
		uint64_t free = ~table->used[WORD(fd)] & ~(BIT(fd) - 1);
		if (free) {
			fd = (fd & ~63U) + (unsigned int)__builtin_ctzl(free);
			return fd < table->limit ? (int)fd : -EMFILE;
		}
	}
	return -EMFILE;
}

void fdtable_reserve(struct fdtable *table, int fd)
{
	assert((unsigned int)fd < FDTABLE_MAX);
	table->used[WORD(fd)] |= BIT(fd);
}

void fdtable_release(struct fdtable *table, int fd)
{
	assert(fdtable_reserved(table, fd));
	table->used[WORD(fd)] &= ~BIT(fd);
}

bool fdtable_reserved(const struct fdtable *table, int fd)
{
	return (unsigned int)fd < FDTABLE_MAX && !table->files[fd] && (table->used[WORD(fd)] & BIT(fd));
}

void fdtable_install_plain(struct fdtable *table, int fd, struct file *file, bool cloexec)
{
	assert((unsigned int)fd < FDTABLE_MAX);
	assert(table->files[fd] == NULL);
	table->files[fd] = file;
	table->used[WORD(fd)] |= BIT(fd);
	fdtable_set_cloexec(table, fd, cloexec);
}

void fdtable_install(struct fdtable *table, int fd, struct file *file, bool cloexec)
{
	personality.fdtable_install(table, fd, file, cloexec);
}

int fdtable_close(struct fdtable *table, int fd)
{
	struct file *file = fdtable_get(table, fd);
	if (!file)
		return -EBADF;
	table->files[fd] = NULL;
	table->used[WORD(fd)] &= ~BIT(fd);
	if (file->inode->locks && !(file->flags & LINUX_O_PATH))
		lock_closed(file->inode);
	file_put(file);
	return 0;
}

bool fdtable_cloexec(const struct fdtable *table, int fd)
{
	return table->cloexec[WORD(fd)] & BIT(fd);
}

void fdtable_set_cloexec(struct fdtable *table, int fd, bool on)
{
	if (on)
		table->cloexec[WORD(fd)] |= BIT(fd);
	else
		table->cloexec[WORD(fd)] &= ~BIT(fd);
}

void fdtable_exec(struct fdtable *table)
{
	for (int fd = 0; fd < FDTABLE_MAX; fd++) {
		if (table->files[fd] && fdtable_cloexec(table, fd))
			fdtable_close(table, fd);
	}
}
