/* SPDX-License-Identifier: MIT */
/* Files in memory that are in no directory, and seals that restrict changes to them: memfd_create(2), fcntl(2). */
#include "kernel/linux/memory/memfd.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/sys.h"

#define MFD_CLOEXEC 1U
#define MFD_ALLOW_SEALING 2U
#define NAME_MAX_BYTES 250 /* with the NUL; "memfd:" precedes it */

#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define SEAL_SEAL 1UL
#define SEAL_SHRINK 2UL
#define SEAL_GROW 4UL
#define SEAL_WRITE 8UL
#define SEAL_FUTURE_WRITE 0x10UL
#define SEALS 0x1fUL

static struct mount memfd_mount = {.dev = 1, .next_ino = 1, .magic = LINUX_TMPFS_MAGIC};

/** The state of a file of memfd_create(2); its inode's backing. */
struct memfd {
	uint64_t seals;
	char name[]; /* the name given to memfd_create(2), for /proc */
};

static uint64_t seals_of(const struct file *file)
{
	const struct memfd *memfd = file->inode->backing;
	return memfd->seals;
}

static long add_seals(struct file *file, unsigned long seals)
{
	uint64_t before = seals_of(file);
	if (!file->writable)
		return -EPERM;
	if (seals & ~SEALS)
		return -EINVAL;
	if (before & SEAL_SEAL)
		return -EPERM;
	if ((seals & SEAL_WRITE) && !(before & SEAL_WRITE) && linux_space_mappings_of(file->inode, true))
		return -EBUSY;
	((struct memfd *)file->inode->backing)->seals = before | seals;
	return 0;
}

static long memfd_control(struct file *file, int command, unsigned long arg)
{
	switch (command) {
	case F_ADD_SEALS:
		return add_seals(file, (unsigned int)arg);
	case F_GET_SEALS:
		return (long)seals_of(file);
	default:
		return -EINVAL;
	}
}

static int memfd_may_change(const struct file *file, enum file_change change, uint64_t size)
{
	uint64_t seals = seals_of(file), now = file->inode->size;
	uint64_t forbidding = SEAL_WRITE | SEAL_FUTURE_WRITE;
	if (change == FILE_RESIZE)
		forbidding = size < now ? SEAL_SHRINK : size > now ? SEAL_GROW : 0;
	return seals & forbidding ? -EPERM : 0;
}

static long memfd_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	uint64_t seals = seals_of(file), size = file->inode->size;
	if (bytes && (seals & (SEAL_WRITE | SEAL_FUTURE_WRITE)))
		return -EPERM;
	if ((seals & SEAL_GROW) && (uint64_t)*pos + bytes > size) {
		/* As on Linux, which writes page by page, only the whole pages inside the file are written. */
		uint64_t whole = size & ~(PAGE_SIZE - 1);
		if ((uint64_t)*pos >= whole)
			return -EPERM;
		bytes = whole - (uint64_t)*pos;
	}
	return file_regular_ops.write(file, from, bytes, pos);
}

static struct file_ops memfd_ops; /* the operations of regular files, with a few replaced */

static int open_memfd(struct inode *inode, struct file *file)
{
	(void)inode;
	file->ops = &memfd_ops;
	return 0;
}

static void destroy_memfd(struct inode *inode)
{
	kfree(inode->backing);
}

static const struct inode_ops memfd_inode_ops = {.open = open_memfd, .destroy = destroy_memfd};

const char *memfd_name(const struct inode *inode)
{
	return inode->mount == &memfd_mount ? ((const struct memfd *)inode->backing)->name : NULL;
}

static void fill_ops(void)
{
	memfd_ops = file_regular_ops;
	memfd_ops.write = memfd_write;
	memfd_ops.control = memfd_control;
	memfd_ops.may_change = memfd_may_change;
}

static int create_memfd(const char *user_name, uint64_t seals, struct memfd **out)
{
	char name[NAME_MAX_BYTES];
	long length = strncpy_from_user(name, user_name, sizeof(name));
	if (length < 0)
		return length == -ENAMETOOLONG ? -EINVAL : (int)length;
	size_t bytes = strlen(name) + 1;
	struct memfd *memfd = kmalloc(sizeof(*memfd) + bytes);
	*out = memfd;
	if (!memfd)
		return -ENOMEM;
	memfd->seals = seals;
	memcpy(memfd->name, name, bytes);
	return 0;
}

long sys_memfd_create(const char *name, unsigned int flags)
{
	struct file *file;
	if (flags & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING)) /* no huge pages, and no flags newer than Linux 6.1 */
		return -EINVAL;
	struct memfd *memfd;
	int error = create_memfd(name, flags & MFD_ALLOW_SEALING ? 0 : SEAL_SEAL, &memfd);
	if (error)
		return error;
	struct inode *inode = inode_create(&memfd_mount, LINUX_S_IFREG | 0777);
	if (!inode) {
		kfree(memfd);
		return -ENOMEM;
	}
	fill_ops();
	inode->ops = &memfd_inode_ops;
	inode->backing = memfd;
	error = file_create(inode, LINUX_O_RDWR | LINUX_O_LARGEFILE, &file);
	inode_put(inode);
	return error ? error : anon_install(file, flags & MFD_CLOEXEC);
}
