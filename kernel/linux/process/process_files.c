/* SPDX-License-Identifier: MIT */
#include "kernel/linux/process/process_files.h"

#include "abi/errno.h"
#include "kernel/linux/files/fd_slots.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/kmalloc.h"

struct vfs_process *process_files_copy(void)
{
	struct vfs_process *copy = kmalloc(sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = *vfs_current;
	copy->sharers = 0;
	inode_get(copy->root);
	inode_get(copy->cwd);
	for (int fd = 0; fd < FDTABLE_MAX; fd++) {
		if (!copy->fds.used[fd / 64])
			fd |= 63;
		else if (copy->fds.files[fd])
			file_get(copy->fds.files[fd]);
		else if (fdtable_reserved(&copy->fds, fd)) /* another thread is opening a file for this descriptor */
			fdtable_release(&copy->fds, fd);
	}
	fd_slots_forked(&copy->fds);
	return copy;
}

struct vfs_process *process_files_share(void)
{
	vfs_current->sharers++;
	return vfs_current;
}

void process_files_put(struct vfs_process *files)
{
	struct vfs_process *current = vfs_current;
	if (files->sharers) {
		files->sharers--;
		return;
	}
	vfs_current = files; /* closing releases the record locks of vfs_current */
	for (int fd = 0; fd < (int)fd_slots(&files->fds); fd++)
		fdtable_close(&files->fds, fd);
	vfs_current = current;
	inode_put(files->root);
	inode_put(files->cwd);
	kfree(files);
}

int process_files_unshare(void)
{
	struct vfs_process *copy, *old = vfs_current;
	if (!old->sharers)
		return 0;
	copy = process_files_copy();
	if (!copy)
		return -ENOMEM;
	process_self()->files = vfs_current = copy;
	process_files_put(old);
	return 0;
}
