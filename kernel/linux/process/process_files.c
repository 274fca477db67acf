/* SPDX-License-Identifier: MIT */
#include "kernel/linux/process/process_files.h"

#include "abi/errno.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/kmalloc.h"

struct vfs_process *process_files_copy(void)
{
	struct vfs_process *copy = kmalloc(sizeof(*copy));
	if (!copy)
		return NULL;
	const struct vfs_process *from = process_current->files;
	if (fdtable_copy(&copy->fds, &from->fds)) {
		kfree(copy);
		return NULL;
	}
	copy->sharers = 0;
	copy->umask = from->umask;
	copy->root = inode_get(from->root);
	copy->cwd = inode_get(from->cwd);
	return copy;
}

struct vfs_process *process_files_share(void)
{
	process_current->files->sharers++;
	return process_current->files;
}

void process_files_put(struct vfs_process *files)
{
	if (files->sharers) {
		files->sharers--;
		return;
	}
	fdtable_fini(&files->fds);
	inode_put(files->root);
	inode_put(files->cwd);
	kfree(files);
}

int process_files_unshare(void)
{
	struct vfs_process *copy, *old = process_current->files;
	if (!old->sharers)
		return 0;
	copy = process_files_copy();
	if (!copy)
		return -ENOMEM;
	process_current->files = copy;
	process_files_put(old);
	return 0;
}
