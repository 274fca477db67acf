/* SPDX-License-Identifier: MIT */
/* File descriptors. A bit of `used` is set where files[] is not NULL, and where a thread waits in open(2). A table that
 * has outgrown its structure is one allocation: the files, then both bit maps. */
#include "kernel/vfs/fdtable.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/vfs/lock.h"

#define WORD(fd) ((fd) / 64)
#define BIT(fd) (1UL << ((fd) % 64))

void fdtable_init(struct fdtable *table)
{
	memset(table, 0, sizeof(*table));
	table->files = table->first_files;
	table->used = &table->first_used;
	table->cloexec = &table->first_cloexec;
	table->room = FDTABLE_ROOM_MIN;
}

/* Frees the memory of a table that is larger than its structure. */
static void free_large_table(struct fdtable *table)
{
	if (table->files != table->first_files)
		kfree(table->files);
}

int fdtable_reach(struct fdtable *table, unsigned int fd)
{
	uint32_t room = table->room;
	assert(fd < FDTABLE_MAX);
	while (room <= fd)
		room *= 2;
	if (room == table->room)
		return 0;
	const size_t was = table->room, bits = was / 8;
	struct file **files = kzalloc(room * sizeof(*files) + 2 * (room / 8));
	if (!files)
		return -ENOMEM;
	uint64_t *used = (uint64_t *)(files + room), *cloexec = used + room / 64;
	memcpy(files, table->files, was * sizeof(*files));
	memcpy(used, table->used, bits);
	memcpy(cloexec, table->cloexec, bits);
	free_large_table(table);
	table->files = files;
	table->used = used;
	table->cloexec = cloexec;
	table->room = room;
	return 0;
}

int fdtable_copy(struct fdtable *table, const struct fdtable *from)
{
	unsigned int words = WORD(from->room);
	while (words > 1 && !from->used[words - 1])
		words--;
	fdtable_init(table);
	if (fdtable_reach(table, 64 * words - 1))
		return -ENOMEM;
	for (unsigned int fd = 0; (fd = fdtable_first(from, fd, from->room)) < from->room; fd++)
		fdtable_install(table, (int)fd, file_get(from->files[fd]), fdtable_cloexec(from, (int)fd));
	return 0;
}

void fdtable_fini(struct fdtable *table)
{
	for (unsigned int fd = 0; (fd = fdtable_first(table, fd, table->room)) < table->room; fd++)
		fdtable_close(table, (int)fd);
	free_large_table(table);
}

int fdtable_find(struct fdtable *table, unsigned int min)
{
	unsigned int fd = min < table->next ? table->next : min;
	for (; fd < table->room; fd = (fd | 63) + 1) {
		uint64_t free = ~table->used[WORD(fd)] & ~(BIT(fd) - 1);
		if (free) {
			fd = (fd & ~63U) + (unsigned int)__builtin_ctzl(free);
			break;
		}
	}
	if (min <= table->next)
		table->next = fd;
	if (fd >= fdtable_limit())
		return -EMFILE;
	int error = fdtable_reach(table, fd);
	return error ? error : (int)fd;
}

/* Marks a number as used or free. */
static void mark_number(struct fdtable *table, unsigned int fd, bool used)
{
	assert(fd < table->room);
	if (used) {
		table->used[WORD(fd)] |= BIT(fd);
		return;
	}
	table->used[WORD(fd)] &= ~BIT(fd);
	if (fd < table->next)
		table->next = fd;
}

void fdtable_reserve(struct fdtable *table, int fd)
{
	mark_number(table, (unsigned int)fd, true);
}

void fdtable_release(struct fdtable *table, int fd)
{
	assert(fdtable_reserved(table, fd));
	mark_number(table, (unsigned int)fd, false);
}

bool fdtable_reserved(const struct fdtable *table, int fd)
{
	return (unsigned int)fd < table->room && !table->files[fd] && (table->used[WORD(fd)] & BIT(fd));
}

void fdtable_install(struct fdtable *table, int fd, struct file *file, bool cloexec)
{
	mark_number(table, (unsigned int)fd, true);
	assert(table->files[fd] == NULL);
	table->files[fd] = file;
	fdtable_set_cloexec(table, fd, cloexec);
}

int fdtable_close(struct fdtable *table, int fd)
{
	struct file *file = fdtable_get(table, fd);
	if (!file)
		return -EBADF;
	table->files[fd] = NULL;
	mark_number(table, (unsigned int)fd, false);
	if (file->inode->locks && !(file->flags & LINUX_O_PATH))
		lock_closed(file->inode, table);
	file_leave(file);
	return 0;
}

unsigned int fdtable_first(const struct fdtable *table, unsigned int fd, unsigned int end)
{
	if (end > table->room)
		end = table->room;
	while (fd < end) {
		uint64_t used = table->used[WORD(fd)] & ~(BIT(fd) - 1);
		if (!used)
			fd = (fd | 63) + 1;
		else if (table->files[fd = (fd & ~63U) + (unsigned int)__builtin_ctzl(used)])
			return fd < end ? fd : end;
		else
			fd++; /* reserved */
	}
	return end;
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
	for (unsigned int fd = 0; (fd = fdtable_first(table, fd, table->room)) < table->room; fd++) {
		if (fdtable_cloexec(table, (int)fd))
			fdtable_close(table, (int)fd);
	}
}
