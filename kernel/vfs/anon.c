/* SPDX-License-Identifier: MIT */
/* Open files without a name, and functions that all kinds of them need. */
#include "kernel/vfs/anon.h"

#include "abi/errno.h"
#include "kernel/vfs/readiness.h"
#include "kernel/vfs/vfs.h"

#define ANON_INODE_MAGIC 0x09041934

static struct mount anon_mount = {.dev = 26, .next_ino = 1, .magic = ANON_INODE_MAGIC};

/* file_create needs ops; the caller's replace these. */
static int open_first(struct inode *, struct file *)
{
	return 0;
}

static const struct inode_ops first_ops = {.open = open_first};

int anon_open_on(struct mount *mount, uint32_t mode, const struct file_ops *ops, void *object, int flags,
                 struct file **out)
{
	struct inode *inode = inode_create(mount, mode);
	if (!inode)
		return -ENOMEM;
	inode->nlink = 1;
	inode->ops = &first_ops;
	int error = file_create(inode, flags, out);
	inode->ops = NULL; /* opening it again by /proc/PID/fd fails with ENXIO, as on Linux */
	inode_put(inode);
	if (error < 0)
		return error;
	(*out)->ops = ops;
	(*out)->object = object;
	return 0;
}

int anon_open(const char *name, const struct file_ops *ops, void *object, int flags, struct file **out)
{
	int error = anon_open_on(&anon_mount, 0600, ops, object, flags, out);
	if (!error)
		(*out)->inode->backing = (void *)name;
	return error;
}

const char *anon_name(const struct inode *inode)
{
	return inode->mount == &anon_mount ? inode->backing : NULL;
}

long anon_install(struct file *file, bool cloexec)
{
	int fd = fdtable_find(&process_current->files->fds, 0);
	if (fd < 0)
		file_put(file);
	else
		fdtable_install(&process_current->files->fds, fd, file, cloexec);
	return fd;
}

struct file *anon_get(int fd)
{
	struct file *file = fdtable_get(&process_current->files->fds, fd);
	return file && !(file->flags & LINUX_O_PATH) ? file : NULL;
}

void anon_tell(const struct inode *inode, unsigned int events)
{
	inode_tell(inode, events);
	readiness_wake_all(&readiness_polling);
}
