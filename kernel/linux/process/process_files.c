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
	if (fdtable_copy(&copy->fds, &vfs_current->fds)) {
		kfree(copy);
		return NULL;
	}
	copy->sharers = 0;
	copy->umask = vfs_current->umask;
	copy->root = inode_get(vfs_current->root);
	copy->cwd = inode_get(vfs_current->cwd);
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
	fdtable_fini(&files->fds);
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
