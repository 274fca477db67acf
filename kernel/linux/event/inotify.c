/* SPDX-License-Identifier: MIT */
/* inotify(7). The only event that ever occurs is the removal of a watch. A removed watch is its own event. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/vfs/anon.h"
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
#define UNMOUNT 0x2000U
#define Q_OVERFLOW 0x4000U
#define IGNORED 0x8000U
#define KNOWN \
	(EVENTS | UNMOUNT | Q_OVERFLOW | IGNORED | ONLYDIR | DONT_FOLLOW | EXCL_UNLINK | MASK_CREATE | MASK_ADD | \
	 ISDIR | ONESHOT)
#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define QUEUED_MAX 16384U /* fs.inotify.max_queued_events */

/* A watch, and after its removal the event that reports it. */
struct watch {
	struct list all;     /* watches, or queued */
	struct inode *inode; /* with a reference; of an event NULL */
	int number;
};

struct inotify {
	struct list watches, queued;
	unsigned int queued_count;
	int last;              /* the last number used for a watch */
	struct watch overflow; /* queued when there is no room for more events */
	struct readiness_queue reading;
};

/* struct inotify_event, without a name */
struct event {
	int32_t number;
	uint32_t mask, cookie, name_bytes;
};

_Static_assert(sizeof(struct event) == 16, "inotify_event");

static bool any_queued(const void *context)
{
	const struct inotify *inotify = context;
	return !list_is_empty(&inotify->queued);
}

/* Takes the first event. Returns its size or -EFAULT. */
static long take(struct inotify *inotify, void *to)
{
	struct watch *watch = list_entry(inotify->queued.next, struct watch, all);
	bool is_overflow = watch == &inotify->overflow;
	const struct event event = {.number = watch->number, .mask = is_overflow ? Q_OVERFLOW : IGNORED};
	list_remove(&watch->all);
	inotify->queued_count--;
	if (!is_overflow)
		kfree(watch);
	return copy_to_user(to, &event, sizeof(event)) < 0 ? -EFAULT : (long)sizeof(event);
}

static long inotify_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	struct inotify *inotify = file->object;
	size_t done = 0;
	(void)pos;
	while (!any_queued(inotify)) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&inotify->reading, SCHED_FOREVER,
		                           "an event of inotify, of which only IN_IGNORED ever comes (read)",
		                           any_queued, inotify);
		if (error < 0)
			return error;
	}
	if (bytes < sizeof(struct event))
		return -EINVAL;
	while (any_queued(inotify) && bytes - done >= sizeof(struct event)) {
		long got = take(inotify, (char *)to + done);
		if (got < 0)
			return got;
		done += (size_t)got;
	}
	readiness_wake_one(&inotify->reading);
	return (long)done;
}

static unsigned int inotify_poll(struct file *file)
{
	return any_queued(file->object) ? READING : 0;
}

static long inotify_ioctl(struct file *file, unsigned long request, void *arg)
{
	const struct inotify *inotify = file->object;
	const int bytes = (int)(inotify->queued_count * sizeof(struct event));
	return request == LINUX_FIONREAD ? copy_to_user(arg, &bytes, sizeof(bytes)) : -ENOTTY;
}

/* Turns the watch into an event. If there are too many, it is lost, which is an event, too. */
static void remove(struct inotify *inotify, struct watch *watch)
{
	list_remove(&watch->all);
	inode_put(watch->inode);
	watch->inode = NULL;
	if (inotify->queued_count >= QUEUED_MAX) {
		kfree(watch);
		if (list_has(&inotify->overflow.all))
			return;
		watch = &inotify->overflow;
		watch->number = -1;
	}
	list_add_last(&inotify->queued, &watch->all);
	inotify->queued_count++;
}

static void inotify_release(struct file *file)
{
	struct inotify *inotify = file->object;
	while (!list_is_empty(&inotify->watches))
		remove(inotify, list_entry(inotify->watches.next, struct watch, all));
	while (any_queued(inotify)) {
		struct watch *watch = list_entry(inotify->queued.next, struct watch, all);
		list_remove(&watch->all);
		if (watch != &inotify->overflow)
			kfree(watch);
	}
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
	list_init(&inotify->queued);
	int error = anon_open("inotify", &inotify_ops, inotify, LINUX_O_RDONLY | (flags & LINUX_O_NONBLOCK), &file);
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
			remove(inotify, watch);
			inode_tell(anon_get(fd)->inode, READING);
			readiness_wake_one(&inotify->reading);
			readiness_wake_all(&readiness_polling);
			return 0;
		}
	}
	return -EINVAL;
}
