/* SPDX-License-Identifier: MIT */
/* Counters to wait on: eventfd(2). The count never reaches UINT64_MAX, which on Linux only the kernel itself can
 * cause. */
#include "kernel/linux/event/eventfd.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/readiness.h"

#define EFD_SEMAPHORE 1

struct eventfd {
	uint64_t count;
	bool semaphore;
	struct readiness_queue waiting;
};

/* A write that waits until this much fits. */
struct writer {
	const struct eventfd *event;
	uint64_t more;
};

static bool can_read_counter(const void *context)
{
	const struct eventfd *event = context;
	return event->count > 0;
}

static bool can_write_counter(const void *context)
{
	const struct writer *writer = context;
	return UINT64_MAX - writer->event->count > writer->more;
}

static long eventfd_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct eventfd *event = file->object;
	if (bytes < sizeof(event->count))
		return -EINVAL;
	while (!can_read_counter(event)) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&event->waiting, SCHED_FOREVER, "an event (read of an eventfd)",
		                           can_read_counter, event);
		if (error < 0)
			return error;
	}
	uint64_t taken = event->semaphore ? 1 : event->count;
	event->count -= taken;
	inode_tell(file->inode, LINUX_POLLOUT);
	readiness_wake_all(&event->waiting);
	readiness_wake_all(&readiness_polling);
	return copy_to_user(to, &taken, sizeof(taken)) < 0 ? -EFAULT : (long)sizeof(taken);
}

static long eventfd_write(struct file *file, const void *from, size_t bytes, int64_t *)
{
	struct eventfd *event = file->object;
	uint64_t more;
	if (bytes != sizeof(more))
		return -EINVAL;
	if (copy_from_user(&more, from, sizeof(more)) < 0)
		return -EFAULT;
	if (more == UINT64_MAX)
		return -EINVAL;
	const struct writer writer = {event, more};
	while (!can_write_counter(&writer)) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&event->waiting, SCHED_FOREVER, "a reader (write to an eventfd)",
		                           can_write_counter, &writer);
		if (error < 0)
			return error;
	}
	event->count += more;
	inode_tell(file->inode, LINUX_POLLIN);
	readiness_wake_all(&event->waiting);
	readiness_wake_all(&readiness_polling);
	return (long)sizeof(more);
}

static unsigned int eventfd_poll(struct file *file)
{
	const struct eventfd *event = file->object;
	return (event->count > 0 ? LINUX_POLLIN : 0) | (event->count < UINT64_MAX - 1 ? LINUX_POLLOUT : 0);
}

static void eventfd_release(struct file *file)
{
	kfree(file->object);
}

static const struct file_ops eventfd_ops = {
	.read = eventfd_read,
	.write = eventfd_write,
	.poll = eventfd_poll,
	.release = eventfd_release,
};

void eventfd_info(const struct file *file, struct text *text)
{
	if (file->ops == &eventfd_ops)
		text_print(text, "eventfd-count: %16lx\n", ((const struct eventfd *)file->object)->count);
}

long sys_eventfd2(unsigned int count, int flags)
{
	struct file *file;
	if (flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK | EFD_SEMAPHORE))
		return -EINVAL;
	struct eventfd *event = kzalloc(sizeof(*event));
	if (!event)
		return -ENOMEM;
	event->count = count;
	event->semaphore = flags & EFD_SEMAPHORE;
	int error = anon_open("[eventfd]", &eventfd_ops, event, LINUX_O_RDWR | (flags & LINUX_O_NONBLOCK), &file);
	if (error < 0) {
		kfree(event);
		return error;
	}
	return anon_install(file, flags & LINUX_O_CLOEXEC);
}

long sys_eventfd(unsigned int count)
{
	return sys_eventfd2(count, 0);
}
