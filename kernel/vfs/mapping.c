/* SPDX-License-Identifier: MIT */
/* File mappings. Nothing is populated by faults: a private mapping is copied when it is made, and a shared one
 * points to the file's frames, which the file keeps for the rest of the run. */
#include "kernel/vfs/mapping.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/arch/direct_map.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/vfs.h"

/* Copies what the file has in the range into pages that are writable for that long. */
static int map_private(uint64_t address, uint64_t bytes, int prot, struct inode *inode, uint64_t offset)
{
	int result = vm_map(address, bytes, VM_READ | VM_WRITE);
	if (result)
		return result;
	for (uint64_t at = 0; at < bytes;) {
		long got = data_read(inode, (void *)(address + at), bytes - at, offset + at);
		if (got < 0) {
			vm_unmap(address, bytes);
			return (int)got;
		}
		if (got == 0)
			break;
		at += (uint64_t)got;
	}
	if (prot == (VM_READ | VM_WRITE))
		return 0;
	result = vm_protect(address, bytes, prot);
	if (result)
		vm_unmap(address, bytes);
	return result;
}

static int collect_frames(struct inode *inode, uint64_t first_page, uint64_t *frames, uint64_t count, bool write)
{
	for (uint64_t i = 0; i < count; i++) {
		int result = data_page(inode, first_page + i, write, &frames[i]);
		if (result)
			return result;
	}
	return 0;
}

static int map_shared(uint64_t address, uint64_t bytes, int prot, struct inode *inode, uint64_t offset, bool write)
{
	uint64_t in_file = inode->size > offset ? inode->size - offset : 0;
	uint64_t shown = (in_file + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	if (shown > bytes)
		shown = bytes;
	uint64_t count = shown / PAGE_SIZE;
	uint64_t *frames = kmalloc(count * sizeof(*frames) + 1);
	if (!frames)
		return -ENOMEM;
	int result = collect_frames(inode, offset / PAGE_SIZE, frames, count, write);
	if (!result && count)
		result = vm_map_frames(address, frames, count, prot);
	if (!result && shown < bytes) {
		result = vm_map(address + shown, bytes - shown, 0);
		if (result)
			vm_unmap(address, shown);
	}
	kfree(frames);
	if (!result) {
		inode_get(inode);
		inode->data.mappings++;
	}
	return result;
}

int mapping_create(uint64_t address, uint64_t bytes, int prot, bool shared, int fd, uint64_t offset)
{
	struct file *file = fdtable_get(&vfs_current->fds, fd);
	if (!file || file->ops == &file_path_ops)
		return -EBADF;
	if (LINUX_S_ISCHR(file->inode->mode) && file->inode->rdev == DEVICE_ZERO)
		return vm_map(address, bytes, prot); /* zero(4): as with MAP_ANONYMOUS */
	if (!LINUX_S_ISREG(file->inode->mode))
		return -ENODEV;
	if (!file->readable || (shared && (prot & VM_WRITE) && !file->writable))
		return -EACCES;
	inode_accessed(file->inode);
	/* A shared mapping of a writable file may become writable by mprotect(2), so it gets the file's own frames. */
	return shared ? map_shared(address, bytes, prot, file->inode, offset, file->writable)
	              : map_private(address, bytes, prot, file->inode, offset);
}
