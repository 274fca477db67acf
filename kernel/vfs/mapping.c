/* SPDX-License-Identifier: MIT */
/* File mappings: inodes as objects of the address space. A page is mapped in place, in the file's own frames or in the
 * root image, from its first touch until the file moves it (data.h). */
#include "kernel/vfs/mapping.h"

#include "abi/errno.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/vfs.h"

static int inode_page(void *object, uint64_t page, enum vm_access access, uint64_t *physical, bool *own)
{
	struct inode *inode = object;
	if (page >= (inode->size + PAGE_SIZE - 1) / PAGE_SIZE)
		return -ENXIO;
	return data_page(inode, page, access, physical, own);
}

static uint64_t inode_block(void *object, uint64_t page)
{
	return data_block(object, page);
}

/* The open file holds its inode. It stays open, with its locks (flock(2)), until its last mapping is gone. */
static void mapped_file_get(const struct vm_backing *backing)
{
	struct inode *inode = backing->object;
	inode->data.mappings++;
	file_get(backing->keeper);
}

static void mapped_file_put(const struct vm_backing *backing)
{
	struct inode *inode = backing->object;
	inode->data.mappings--;
	file_put(backing->keeper);
}

static const struct vm_object_ops inode_object = {inode_page, inode_block, mapped_file_get, mapped_file_put};

int mapping_open(int fd, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	*backing = (struct vm_backing){0};
	return file ? mapping_of(file, offset, bytes, prot, shared, backing) : -EBADF;
}

int mapping_of(struct file *file, uint64_t offset, uint64_t bytes, int prot, bool shared, struct vm_backing *backing)
{
	*backing = (struct vm_backing){0};
	if (file->ops == &file_path_ops)
		return -EBADF;
	if (offset > DATA_SIZE_MAX || bytes > DATA_SIZE_MAX - offset)
		return -EOVERFLOW;
	if (!file->readable || (shared && (prot & VM_WRITE) && !file->writable))
		return -EACCES;
	if (LINUX_S_ISCHR(file->inode->mode) && file->inode->rdev == DEVICE_ZERO) {
		backing->may_write = file->writable;
		return 0; /* zero(4): as with MAP_ANONYMOUS */
	}
	if (!LINUX_S_ISREG(file->inode->mode))
		return -ENODEV;
	if (shared && (prot & VM_EXEC))
		return -EACCES; /* code that exec_check has scanned must not change */
	bool may_write = file->writable;
	if (shared && may_write && file->ops->may_change && file->ops->may_change(file, FILE_MAP_WRITE, 0)) {
		if (prot & VM_WRITE)
			return -EPERM;
		may_write = false;
	}
	inode_accessed(file->inode);
	if (shared && may_write)
		file->inode->data.mapped_writable = true;
	*backing = (struct vm_backing){
		.ops = &inode_object,
		.object = file->inode,
		.page = offset / PAGE_SIZE,
		.shared = shared,
		.may_write = may_write,
		.keeper = file,
	};
	return 0;
}
