/* SPDX-License-Identifier: MIT */
#include "kernel/linux/files/fd_slots.h"

#include "kernel/vfs/vfs.h"

#define SLOTS_MIN 64U

/* Grows the table to at least `count` descriptors. */
static void grow(struct fdtable *table, uint32_t count)
{
	uint32_t slots = fd_slots(table);
	while (slots < count)
		slots *= 2;
	table->slots = slots;
}

uint32_t fd_slots(const struct fdtable *table)
{
	return table->slots ? table->slots : SLOTS_MIN;
}

void fd_slots_forked(struct fdtable *table)
{
	unsigned int word = FDTABLE_MAX / 64;
	while (word && !table->used[word - 1])
		word--;
	table->slots = 0;
	grow(table, 64 * word);
}

void fd_slots_install(struct fdtable *table, int fd, struct file *file, bool cloexec)
{
	fdtable_install_plain(table, fd, file, cloexec);
	grow(table, (uint32_t)fd + 1);
}

int fd_slots_select_max(void)
{
	return (int)fd_slots(&vfs_current->fds);
}
