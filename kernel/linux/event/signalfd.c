/* SPDX-License-Identifier: MIT */
/* Signals as files: signalfd(2). A read or poll sees the signals that are pending for the caller. */
#include "kernel/linux/event/signalfd.h"

#include "abi/errno.h"
#include "abi/linux_event.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/anon.h"
#include "kernel/vfs/epoll.h"
#include "kernel/vfs/readiness.h"

#define UNBLOCKABLE (signal_bit(LINUX_SIGKILL) | signal_bit(LINUX_SIGSTOP))

struct signalfd {
	struct list all;
	const struct inode *inode;
	uint64_t mask;
	struct readiness_queue reading;
};

static struct list all = {&all, &all};
static bool is_used; /* a descriptor was made */

static uint64_t pending_for(const struct thread *thread)
{
	return thread->signals.queue.pending | thread->process->signals.queue.pending;
}

static bool can_read_signal(const void *context)
{
	const struct signalfd *fd = context;
	return pending_for(readiness_thread ? readiness_thread : thread_current) & fd->mask;
}

/* Tells the sets of epoll to which this process has added a descriptor. Before the first descriptor is made it wakes
 * nobody: a thread in poll(2) that wakes up for nothing still takes part in decisions of the schedule. */
void signalfd_notice(const struct process *process)
{
	if (!is_used)
		return;
	list_each (link, &all) {
		struct signalfd *fd = list_entry(link, struct signalfd, all);
		epoll_tell_of_process(fd->inode, LINUX_POLLIN, process);
		readiness_wake_all(&fd->reading);
	}
	readiness_wake_all(&readiness_polling);
}

/* Sets the fields that the signal's code implies (signalfd(2)). */
static void fill_siginfo(struct linux_signalfd_siginfo *to, const struct linux_siginfo *from)
{
	memset(to, 0, sizeof(*to));
	to->ssi_signo = (uint32_t)from->si_signo;
	to->ssi_code = from->si_code;
	if (from->si_code == LINUX_SI_TIMER) {
		to->ssi_tid = (uint32_t)from->si_pid;
		to->ssi_overrun = from->si_uid;
	} else {
		to->ssi_pid = (uint32_t)from->si_pid;
		to->ssi_uid = from->si_uid;
	}
	if (from->si_code < 0) { /* the sender gave a value */
		to->ssi_int = (int32_t)from->si_value;
		to->ssi_ptr = from->si_value;
	} else if (from->si_signo == LINUX_SIGCHLD) {
		to->ssi_status = (int32_t)from->si_value;
	}
}

static long take_siginfo(const struct signalfd *fd, struct linux_signalfd_siginfo *user)
{
	struct linux_siginfo info;
	struct linux_signalfd_siginfo told;
	signal_take(signal_first(fd->mask), &info);
	fill_siginfo(&told, &info);
	return copy_to_user(user, &told, sizeof(told));
}

static long signalfd_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct signalfd *fd = file->object;
	struct linux_signalfd_siginfo *user = to;
	size_t room = bytes / sizeof(*user), count = 0;
	if (!room)
		return -EINVAL;
	while (!can_read_signal(fd)) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&fd->reading, SCHED_FOREVER, "a signal (read of a signalfd)",
		                           can_read_signal, fd);
		if (error < 0)
			return error;
	}
	while (count < room && can_read_signal(fd)) {
		if (take_siginfo(fd, &user[count]))
			return count ? (long)(count * sizeof(*user)) : -EFAULT;
		count++;
	}
	return (long)(count * sizeof(*user));
}

static unsigned int signalfd_poll(struct file *file)
{
	return can_read_signal(file->object) ? LINUX_POLLIN : 0;
}

static void signalfd_release(struct file *file)
{
	struct signalfd *fd = file->object;
	list_remove(&fd->all);
	kfree(fd);
}

static const struct file_ops signalfd_ops = {
	.read = signalfd_read,
	.poll = signalfd_poll,
	.release = signalfd_release,
};

static long create_signalfd(uint64_t mask, int flags)
{
	struct file *file;
	struct signalfd *fd = kzalloc(sizeof(*fd));
	if (!fd)
		return -ENOMEM;
	fd->mask = mask;
	int error = anon_open("[signalfd]", &signalfd_ops, fd, LINUX_O_RDWR | (flags & LINUX_O_NONBLOCK), &file);
	if (error < 0) {
		kfree(fd);
		return error;
	}
	fd->inode = file->inode;
	list_add_last(&all, &fd->all);
	is_used = true;
	return anon_install(file, flags & LINUX_O_CLOEXEC);
}

long sys_signalfd4(int fd, const unsigned long *user_mask, unsigned long set_bytes, int flags)
{
	uint64_t mask;
	if ((flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK)) || set_bytes != sizeof(mask))
		return -EINVAL;
	if (copy_from_user(&mask, user_mask, sizeof(mask)))
		return -EFAULT;
	mask &= ~UNBLOCKABLE;
	if (fd == -1)
		return create_signalfd(mask, flags);
	struct file *file = anon_get(fd);
	if (!file)
		return -EBADF;
	if (file->ops != &signalfd_ops)
		return -EINVAL;
	((struct signalfd *)file->object)->mask = mask;
	signalfd_notice(process_current);
	return fd;
}

long sys_signalfd(int fd, const unsigned long *mask, unsigned long set_bytes)
{
	return sys_signalfd4(fd, mask, set_bytes, 0);
}
