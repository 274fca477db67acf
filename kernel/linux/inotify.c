/* SPDX-License-Identifier: MIT */
/* inotify(7), of which nothing ever comes: watches can be made and removed, and all is quiet. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/anon.h"
#include "kernel/linux/list.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/path.h"
#include "kernel/vfs/readiness.h"

#define EVENTS 0xfffU /* IN_ALL_EVENTS */
#define ONLYDIR 0x01000000U
#define DONT_FOLLOW 0x02000000U
#define EXCL_UNLINK 0x04000000U
#define MASK_CREATE 0x10000000U
#define MASK_ADD 0x20000000U
#define ISDIR 0x40000000U
#define ONESHOT 0x80000000U
#define KNOWN \
	(EVENTS | 0x2000U | 0x4000U | 0x8000U | ONLYDIR | DONT_FOLLOW | EXCL_UNLINK | MASK_CREATE | MASK_ADD | ISDIR | \
	 ONESHOT)

struct inotify {
	struct list watches;
	int last; /* number given out */
	struct readiness_queue reading;
};

struct watch {
	struct list all;
	struct inode *inode; /* with a reference */
	int number;
};

static bool never(const void *context)
{
	(void)context;
	return false;
}

static long inotify_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	struct inotify *inotify = file->object;
	(void)to, (void)bytes, (void)pos;
	if (file->flags & LINUX_O_NONBLOCK)
		return -EAGAIN;
	return readiness_wait(&inotify->reading, SCHED_FOREVER, "an event of inotify, which never comes (read)", never,
	                      NULL);
}

static unsigned int inotify_poll(struct file *file)
{
	(void)file;
	return 0;
}

static long inotify_ioctl(struct file *file, unsigned long request, void *arg)
{
	const int none = 0;
	(void)file;
	return request == LINUX_FIONREAD ? copy_to_user(arg, &none, sizeof(none)) : -ENOTTY;
}

static void remove(struct watch *watch)
{
	list_remove(&watch->all);
	inode_put(watch->inode);
	kfree(watch);
}

static void inotify_release(struct file *file)
{
	struct inotify *inotify = file->object;
	while (!list_is_empty(&inotify->watches))
		remove(list_entry(inotify->watches.next, struct watch, all));
	kfree(inotify);
}

static const struct file_ops inotify_ops = {
	.read = inotify_read,
	.poll = inotify_poll,
	.ioctl = inotify_ioctl,
	.release = inotify_release,
};

long sys_inotify_init1(int flags)
{
	struct file *file;
	if (flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK))
		return -EINVAL;
	struct inotify *inotify = kzalloc(sizeof(*inotify));
	if (!inotify)
		return -ENOMEM;
	list_init(&inotify->watches);
	int error = anon_open(&inotify_ops, inotify, LINUX_O_RDONLY | (flags & LINUX_O_NONBLOCK), &file);
	if (error < 0) {
		kfree(inotify);
		return error;
	}
	return anon_install(file, flags & LINUX_O_CLOEXEC);
}

long sys_inotify_init(void)
{
	return sys_inotify_init1(0);
}

/* 0, -EBADF or -EINVAL. */
static int get(int fd, struct inotify **inotify)
{
	struct file *file = anon_get(fd);
	if (!file)
		return -EBADF;
	if (file->ops != &inotify_ops)
		return -EINVAL;
	*inotify = file->object;
	return 0;
}

static long add(struct inotify *inotify, struct inode *inode, unsigned int mask)
{
	list_each (link, &inotify->watches) {
		const struct watch *watch = list_entry(link, struct watch, all);
		if (watch->inode == inode)
			return mask & MASK_CREATE ? -EEXIST : watch->number;
	}
	struct watch *watch = kzalloc(sizeof(*watch));
	if (!watch)
		return -ENOMEM;
	watch->inode = inode_get(inode);
	watch->number = ++inotify->last;
	list_add_last(&inotify->watches, &watch->all);
	return watch->number;
}

long sys_inotify_add_watch(int fd, const char *path, unsigned int mask)
{
	struct inotify *inotify;
	struct inode *inode;
	if (!(mask & KNOWN))
		return -EINVAL;
	int error = anon_get(fd) ? 0 : -EBADF;
	if (!error && (mask & MASK_ADD) && (mask & MASK_CREATE))
		error = -EINVAL;
	if (!error)
		error = get(fd, &inotify);
	if (!error)
		error = path_find(LINUX_AT_FDCWD, path, mask & DONT_FOLLOW ? 0 : PATH_FOLLOW, &inode);
	if (!error && (mask & ONLYDIR) && !LINUX_S_ISDIR(inode->mode))
		error = -ENOTDIR;
	return error ? error : add(inotify, inode, mask);
}

long sys_inotify_rm_watch(int fd, int number)
{
	struct inotify *inotify;
	int error = get(fd, &inotify);
	if (error)
		return error;
	list_each (link, &inotify->watches) {
		struct watch *watch = list_entry(link, struct watch, all);
		if (watch->number == number) {
			remove(watch);
			return 0;
		}
	}
	return -EINVAL;
}
