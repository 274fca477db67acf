/* SPDX-License-Identifier: MIT */
/* Process descriptors (pidfd_open(2)). One is readable once its process has ended, and of no use once the parent has
 * waited for the process. */
#include "kernel/linux/event/pidfd.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/lib/list.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/sys.h"

#define PIDFD_NONBLOCK LINUX_O_NONBLOCK

struct pidfd {
	struct list all;
	const struct inode *inode;
	struct linux_process *process; /**< NULL: it has been waited for */
};

static struct list all = {&all, &all};

static unsigned int pidfd_poll(struct file *file)
{
	const struct pidfd *fd = file->object;
	return !fd->process || fd->process->ended ? LINUX_POLLIN : 0;
}

static void pidfd_release(struct file *file)
{
	struct pidfd *fd = file->object;
	list_remove(&fd->all);
	kfree(fd);
}

static const struct file_ops pidfd_ops = {
	.poll = pidfd_poll,
	.release = pidfd_release,
};

void pidfd_tell(const struct linux_process *process)
{
	list_each (link, &all) {
		const struct pidfd *fd = list_entry(link, struct pidfd, all);
		if (fd->process == process)
			anon_tell(fd->inode, LINUX_POLLIN);
	}
}

void pidfd_forget(const struct linux_process *process)
{
	list_each (link, &all) {
		struct pidfd *fd = list_entry(link, struct pidfd, all);
		if (fd->process == process)
			fd->process = NULL;
	}
}

int pidfd_find(int number, struct linux_process **process, bool *nonblocking)
{
	const struct file *file = anon_get(number);
	if (!file || file->ops != &pidfd_ops)
		return -EBADF;
	*process = ((const struct pidfd *)file->object)->process;
	*nonblocking = file->flags & LINUX_O_NONBLOCK;
	return 0;
}

int pidfd_make(struct linux_process *process, unsigned int flags)
{
	struct file *file;
	struct pidfd *fd = kzalloc(sizeof(*fd));
	if (!fd)
		return -ENOMEM;
	fd->process = process;
	int error = anon_open("[pidfd]", &pidfd_ops, fd, LINUX_O_RDWR | (int)flags, &file);
	if (error < 0) {
		kfree(fd);
		return error;
	}
	fd->inode = file->inode;
	list_add_last(&all, &fd->all);
	return (int)anon_install(file, true);
}

long sys_pidfd_open(int pid, unsigned int flags)
{
	if (flags & ~PIDFD_NONBLOCK || pid <= 0)
		return -EINVAL;
	struct linux_process *process = process_find((uint32_t)pid);
	if (!process)
		return thread_find((uint32_t)pid) ? -EINVAL : -ESRCH; /* a thread other than the first of its process */
	return pidfd_make(process, flags);
}
