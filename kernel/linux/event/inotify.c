/* SPDX-License-Identifier: MIT */
/* inotify(7): a queue of events, filled by marks (notify.h). A watch belongs to one instance and one inode. */
#include "kernel/linux/event/inotify.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/anon.h"
#include "kernel/vfs/notify.h"
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
/* The limits that /proc/sys/fs/inotify shows (proc_system.c). A user's are those of all programs here. */
#define QUEUED_MAX 16384U
#define INSTANCES_MAX 128U
#define WATCHES_MAX 65536U
#define COPY_STEP sizeof(struct event) /* names are padded to a multiple of it */

struct watch {
	struct list all;         /* inotify->watches, the oldest first */
	struct notify_mark mark; /* mark.inode is the watched object */
	struct inotify *inotify;
	int number;
	bool oneshot;
};

/* struct inotify_event without its name */
struct event {
	int32_t number;
	uint32_t mask, cookie, name_bytes;
};

_Static_assert(sizeof(struct event) == 16, "inotify_event");

struct queued {
	struct list all; /* inotify->queued, the oldest first */
	struct event event;
	size_t length; /* of the name */
	char name[];
};

struct inotify {
	struct list watches, queued;
	unsigned int queued_count;
	size_t queued_bytes;
	int last;               /* the last number used for a watch */
	struct queued overflow; /* queued when there is no room for more events */
	const struct inode *own;
	struct readiness_queue reading;
};

static unsigned int instance_count, watch_count;

/* --- the queue --- */

static bool any_queued(const void *context)
{
	const struct inotify *inotify = context;
	return !list_is_empty(&inotify->queued);
}

static struct queued *first_queued(const struct inotify *inotify)
{
	return list_entry(inotify->queued.next, struct queued, all);
}

static size_t event_bytes(const struct queued *queued)
{
	return sizeof(queued->event) + queued->event.name_bytes;
}

static void append_event(struct inotify *inotify, struct queued *queued)
{
	list_add_last(&inotify->queued, &queued->all);
	inotify->queued_count++;
	inotify->queued_bytes += event_bytes(queued);
	inode_tell(inotify->own, READING);
	readiness_wake_one(&inotify->reading);
	readiness_wake_all(&readiness_polling);
}

static void append_overflow(struct inotify *inotify)
{
	if (list_has(&inotify->overflow.all))
		return;
	inotify->overflow.event = (struct event){.number = -1, .mask = Q_OVERFLOW};
	append_event(inotify, &inotify->overflow);
}

/* Whether the newest event in the queue is the same: then the new one is dropped. Cookies do not count. */
static bool is_repeated(const struct inotify *inotify, int number, uint32_t mask, const struct notify_name *name)
{
	if (!any_queued(inotify) || mask == IGNORED)
		return false;
	const struct queued *last = list_entry(inotify->queued.previous, struct queued, all);
	const size_t length = name ? name->length : 0;
	return last->event.number == number && last->event.mask == mask && last->length == length &&
	       (!length || memcmp(last->name, name->text, length) == 0);
}

static void queue_event(struct inotify *inotify, int number, uint32_t mask, uint32_t cookie,
                        const struct notify_name *name)
{
	const size_t length = name ? name->length : 0;
	struct queued *queued = NULL;
	if (inotify->queued_count < QUEUED_MAX) {
		if (is_repeated(inotify, number, mask, name))
			return;
		queued = kmalloc(sizeof(*queued) + length);
	}
	if (!queued) {
		append_overflow(inotify);
		return;
	}
	const uint32_t name_bytes = length ? (uint32_t)((length + COPY_STEP) & ~(COPY_STEP - 1)) : 0;
	*queued = (struct queued){.event = {number, mask, cookie, name_bytes}, .length = length};
	if (length)
		memcpy(queued->name, name->text, length);
	append_event(inotify, queued);
}

static void drop_first(struct inotify *inotify)
{
	struct queued *queued = first_queued(inotify);
	list_remove(&queued->all);
	inotify->queued_count--;
	inotify->queued_bytes -= event_bytes(queued);
	if (queued != &inotify->overflow)
		kfree(queued);
}

/* Takes the first event. Returns its size, or -EFAULT. */
static long take_queued_event(struct inotify *inotify, char *to)
{
	const struct queued *queued = first_queued(inotify);
	const size_t bytes = event_bytes(queued);
	char name[LINUX_NAME_MAX + 1 + COPY_STEP] = {0};
	memcpy(name, queued->name, queued->length);
	const bool failed = copy_to_user(to, &queued->event, sizeof(queued->event)) < 0 ||
	                    copy_to_user(to + sizeof(queued->event), name, queued->event.name_bytes) < 0;
	drop_first(inotify);
	return failed ? -EFAULT : (long)bytes;
}

/* --- watches --- */

/* The watch ends with its last event. */
static void end_watch(struct watch *watch)
{
	struct inotify *inotify = watch->inotify;
	const int number = watch->number;
	list_remove(&watch->all);
	notify_remove(&watch->mark);
	kfree(watch);
	watch_count--;
	queue_event(inotify, number, IGNORED, 0, NULL);
}

static struct watch *watch_of(struct notify_mark *mark)
{
	return list_entry(mark, struct watch, mark);
}

static void watch_happened(struct notify_mark *mark, uint32_t mask, uint32_t cookie, const struct notify_name *name)
{
	struct watch *watch = watch_of(mark);
	if (mask & (NOTIFY_DELETE_SELF | NOTIFY_MOVE_SELF)) /* as Linux does since these events exist */
		mask &= ~(uint32_t)NOTIFY_ISDIR;
	queue_event(watch->inotify, watch->number, mask, cookie, name);
	if (watch->oneshot)
		end_watch(watch);
}

static void watch_gone(struct notify_mark *mark)
{
	end_watch(watch_of(mark));
}

static struct watch *find_watch(const struct inotify *inotify, int number, const struct inode *inode)
{
	list_each (link, &inotify->watches) {
		struct watch *watch = list_entry(link, struct watch, all);
		if (inode ? watch->mark.inode == inode : watch->number == number)
			return watch;
	}
	return NULL;
}

static void set_mask(struct watch *watch, unsigned int mask)
{
	const bool adds = mask & MASK_ADD;
	watch->mark.mask = (adds ? watch->mark.mask : 0) | (mask & EVENTS);
	watch->mark.no_unlinked = (adds && watch->mark.no_unlinked) || (mask & EXCL_UNLINK);
	watch->oneshot = (adds && watch->oneshot) || (mask & ONESHOT);
}

static long add_watch(struct inotify *inotify, struct inode *inode, unsigned int mask)
{
	struct watch *watch = find_watch(inotify, 0, inode);
	if (watch && (mask & MASK_CREATE))
		return -EEXIST;
	if (watch) {
		set_mask(watch, mask);
		return watch->number;
	}
	if (watch_count >= WATCHES_MAX)
		return -ENOSPC;
	watch = kzalloc(sizeof(*watch));
	if (!watch)
		return -ENOMEM;
	watch->mark.happened = watch_happened;
	watch->mark.gone = watch_gone;
	watch->inotify = inotify;
	set_mask(watch, mask);
	const int error = notify_add(&watch->mark, inode);
	if (error) {
		kfree(watch);
		return error;
	}
	watch_count++;
	watch->number = ++inotify->last;
	list_add_last(&inotify->watches, &watch->all);
	return watch->number;
}

/* --- the open file --- */

static long inotify_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct inotify *inotify = file->object;
	size_t done = 0;
	while (!any_queued(inotify)) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&inotify->reading, SCHED_FOREVER, "an event of inotify (read)", any_queued,
		                           inotify);
		if (error < 0)
			return error;
	}
	if (bytes < event_bytes(first_queued(inotify)))
		return -EINVAL;
	while (any_queued(inotify) && bytes - done >= event_bytes(first_queued(inotify))) {
		long got = take_queued_event(inotify, (char *)to + done);
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
	const int bytes = (int)inotify->queued_bytes;
	return request == LINUX_FIONREAD ? copy_to_user(arg, &bytes, sizeof(bytes)) : -ENOTTY;
}

static void inotify_release(struct file *file)
{
	struct inotify *inotify = file->object;
	while (!list_is_empty(&inotify->watches))
		end_watch(list_entry(inotify->watches.next, struct watch, all));
	while (any_queued(inotify))
		drop_first(inotify);
	kfree(inotify);
	instance_count--;
}

static const struct file_ops inotify_ops = {
	.read = inotify_read,
	.poll = inotify_poll,
	.ioctl = inotify_ioctl,
	.release = inotify_release,
};

void inotify_info(const struct file *file, struct text *text)
{
	if (file->ops != &inotify_ops)
		return;
	const struct inotify *inotify = file->object;
	for (const struct list *link = inotify->watches.previous; link != &inotify->watches; link = link->previous) {
		const struct watch *watch = list_entry(link, const struct watch, all);
		const uint32_t mask =
			watch->mark.mask | (watch->mark.no_unlinked ? EXCL_UNLINK : 0) | (watch->oneshot ? ONESHOT : 0);
		text_print(text, "inotify wd:%x ino:%lx sdev:%lx mask:%x ignored_mask:0 \n", watch->number,
		           watch->mark.inode->ino, watch->mark.inode->mount->dev, mask);
	}
}

/* --- the calls --- */

long sys_inotify_init1(int flags)
{
	struct file *file;
	if (flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK))
		return -EINVAL;
	if (instance_count >= INSTANCES_MAX)
		return -EMFILE;
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
	instance_count++;
	inotify->own = file->inode;
	return anon_install(file, flags & LINUX_O_CLOEXEC);
}

long sys_inotify_init(void)
{
	return sys_inotify_init1(0);
}

/* 0, -EBADF or -EINVAL. */
static int get_inotify(int fd, struct inotify **inotify)
{
	struct file *file = anon_get(fd);
	if (!file)
		return -EBADF;
	if (file->ops != &inotify_ops)
		return -EINVAL;
	*inotify = file->object;
	return 0;
}

long sys_inotify_add_watch(int fd, const char *path, unsigned int mask)
{
	struct inotify *inotify;
	struct inode *inode;
	if (!(mask & KNOWN) || (mask & ~KNOWN))
		return -EINVAL;
	int error = anon_get(fd) ? 0 : -EBADF;
	if (!error && (mask & MASK_ADD) && (mask & MASK_CREATE))
		error = -EINVAL;
	if (!error)
		error = get_inotify(fd, &inotify);
	if (!error)
		error = path_find(LINUX_AT_FDCWD, path, mask & DONT_FOLLOW ? 0 : PATH_FOLLOW, &inode);
	if (!error && (mask & ONLYDIR) && !LINUX_S_ISDIR(inode->mode))
		error = -ENOTDIR;
	if (!error)
		error = inode_permission(inode, LINUX_R_OK);
	return error ? error : add_watch(inotify, inode, mask);
}

long sys_inotify_rm_watch(int fd, int number)
{
	struct inotify *inotify;
	int error = get_inotify(fd, &inotify);
	if (error)
		return error;
	struct watch *watch = find_watch(inotify, number, NULL);
	if (!watch)
		return -EINVAL;
	end_watch(watch);
	return 0;
}
