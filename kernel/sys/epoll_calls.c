/* SPDX-License-Identifier: MIT */
/* Calls about sets of descriptors: epoll_create(2), epoll_ctl(2), epoll_wait(2). */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/epoll.h"
#include "kernel/vfs/anon.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define MILLISECOND_NS 1000000ULL
#define UNBLOCKABLE (signal_bit(LINUX_SIGKILL) | signal_bit(LINUX_SIGSTOP))
#define EVENTS_MAX (INT32_MAX / (int)sizeof(struct linux_epoll_event))

long sys_epoll_create1(int flags)
{
	struct file *file;
	if (flags & ~LINUX_O_CLOEXEC)
		return -EINVAL;
	int error = epoll_open(&file);
	return error < 0 ? error : anon_install(file, flags & LINUX_O_CLOEXEC);
}

long sys_epoll_create(int size)
{
	return size <= 0 ? -EINVAL : sys_epoll_create1(0);
}

long sys_epoll_ctl(int epoll_fd, int operation, int fd, const struct linux_epoll_event *user)
{
	struct linux_epoll_event event = {0, 0};
	if (operation != LINUX_EPOLL_CTL_DEL && copy_from_user(&event, user, sizeof(event)) < 0)
		return -EFAULT;
	struct file *set = anon_get(epoll_fd), *file = anon_get(fd);
	if (!set || !file)
		return -EBADF;
	if (!file->ops->poll)
		return -EPERM;
	if (set == file || !epoll_is(set))
		return -EINVAL;
	return epoll_control(set, operation, fd, file, &event);
}

static long wait_until(int fd, struct linux_epoll_event *events, int max, uint64_t deadline)
{
	if (max <= 0 || max > EVENTS_MAX)
		return -EINVAL;
	struct file *set = anon_get(fd);
	if (!set)
		return -EBADF;
	if (!epoll_is(set))
		return -EINVAL;
	file_get(set); /* another thread may close it meanwhile */
	long result = epoll_collect(set, events, max);
	while (result == 0) {
		int error = epoll_wait(set, deadline);
		if (error < 0) {
			result = error == -ETIMEDOUT ? 0 : error;
			break;
		}
		result = epoll_collect(set, events, max);
	}
	file_put(set);
	return result;
}

/* Waits with another signal mask, if there is one. */
static long epoll_wait_with_mask(int fd, struct linux_epoll_event *events, int max, uint64_t deadline,
                                 const unsigned long *user_mask, unsigned long set_bytes)
{
	struct thread_signals *signals = &thread_current->signals;
	uint64_t saved = signals->blocked, mask;
	if (!user_mask)
		return wait_until(fd, events, max, deadline);
	if (set_bytes != sizeof(mask))
		return -EINVAL;
	if (copy_from_user(&mask, user_mask, sizeof(mask)) < 0)
		return -EFAULT;
	signal_set_blocked(mask & ~UNBLOCKABLE);
	long result = wait_until(fd, events, max, deadline);
	if (result == -EINTR) { /* the handler runs under this mask, at the return */
		signals->saved_mask = saved;
		signals->restore_mask = true;
	} else {
		signal_set_blocked(saved);
	}
	return result;
}

/* The virtual time at which a timeout ends. */
static uint64_t epoll_deadline_after(uint64_t ns)
{
	uint64_t now = vclock_now();
	return ns < SCHED_FOREVER - now ? now + ns : SCHED_FOREVER - 1;
}

static uint64_t epoll_deadline(int timeout_ms)
{
	return timeout_ms < 0 ? SCHED_FOREVER : epoll_deadline_after((uint64_t)timeout_ms * MILLISECOND_NS);
}

long sys_epoll_wait(int fd, struct linux_epoll_event *events, int max, int timeout_ms)
{
	return wait_until(fd, events, max, epoll_deadline(timeout_ms));
}

long sys_epoll_pwait(int fd, struct linux_epoll_event *events, int max, int timeout_ms, const unsigned long *mask,
                     unsigned long set_bytes)
{
	return epoll_wait_with_mask(fd, events, max, epoll_deadline(timeout_ms), mask, set_bytes);
}

long sys_epoll_pwait2(int fd, struct linux_epoll_event *events, int max, const struct linux_timespec *timeout,
                      const unsigned long *mask, unsigned long set_bytes)
{
	struct linux_timespec ts;
	uint64_t deadline = SCHED_FOREVER;
	if (timeout) {
		if (copy_from_user(&ts, timeout, sizeof(ts)) < 0)
			return -EFAULT;
		int64_t ns = timespec_to_ns(&ts);
		if (ns < 0)
			return -EINVAL;
		deadline = epoll_deadline_after((uint64_t)ns);
	}
	return epoll_wait_with_mask(fd, events, max, deadline, mask, set_bytes);
}
