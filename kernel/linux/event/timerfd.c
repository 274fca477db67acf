/* SPDX-License-Identifier: MIT */
/* Timers as files: timerfd_create(2), in virtual time. As on Linux, a repeating timer is rearmed only when it is read:
 * the expirations since then are counted at that time, and not reported before. Nothing sets the clock, so no timer is
 * cancelled by that. */
#include "kernel/linux/event/timerfd.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/list.h"
#include "kernel/vfs/anon.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timer.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/readiness.h"

#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define ABSTIME 1
#define CANCEL_ON_SET 2

struct timerfd {
	struct list all; /* in the order in which they were made */
	const struct inode *inode;
	int64_t deadline_ns; /* on the virtual clock; before its start if an absolute time was */
	int64_t interval_ns;
	uint64_t ticks; /* unread expirations */
	bool armed;     /* and has not expired */
	bool expired;   /* since it was looked at */
	bool realtime;  /* times are given in seconds since 1970 */
	struct readiness_queue reading;
};

static struct list timers = {&timers, &timers};

static int64_t now_ns(void)
{
	return (int64_t)vclock_now();
}

/* The timer that expires first; NULL: no timer is armed. */
static struct timerfd *soonest(void)
{
	struct timerfd *first = NULL;
	list_each (link, &timers) {
		struct timerfd *timer = list_entry(link, struct timerfd, all);
		if (timer->armed && (!first || timer->deadline_ns < first->deadline_ns))
			first = timer;
	}
	return first;
}

static void set_soonest(const struct timerfd *first)
{
	timer_files_ns = !first ? UINT64_MAX : first->deadline_ns > 0 ? (uint64_t)first->deadline_ns : 0;
}

/* Called after timers have changed. */
static void update(void)
{
	const struct timerfd *first = soonest();
	set_soonest(first);
	timer_update();
}

static bool can_read_ticks(const void *context)
{
	const struct timerfd *timer = context;
	return timer->ticks > 0;
}

/* The caller looks up the time of the next timer afterwards. */
void timerfd_expire(void)
{
	struct timerfd *timer;
	while ((timer = soonest()) && timer->deadline_ns <= now_ns()) {
		timer->armed = false;
		timer->expired = true;
		timer->ticks++;
		inode_tell(timer->inode, LINUX_POLLIN);
		readiness_wake_all(&timer->reading);
		readiness_wake_all(&readiness_polling);
	}
	set_soonest(timer);
}

/* Expires the timers that became due in this call. */
static void expire_now(void)
{
	if (timer_files_ns <= vclock_now()) {
		timerfd_expire();
		timer_update();
	}
}

/* Counts the expirations since the first unread one, and rearms the timer. */
static void forward(struct timerfd *timer)
{
	if (!timer->expired || !timer->interval_ns)
		return;
	int64_t late = now_ns() - timer->deadline_ns;
	timer->ticks += (uint64_t)(late / timer->interval_ns);
	timer->deadline_ns = timespec_ns_after(now_ns(), timer->interval_ns - late % timer->interval_ns);
	timer->expired = false;
	timer->armed = true;
	update();
}

static long timerfd_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct timerfd *timer = file->object;
	if (bytes < sizeof(timer->ticks))
		return -EINVAL;
	expire_now();
	while (timer->ticks == 0) {
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error = readiness_wait(&timer->reading, SCHED_FOREVER,
		                           timer->armed ? "a timer beyond the clock's end (read of a timerfd)"
		                                        : "a timer that is not set (read of a timerfd)",
		                           can_read_ticks, timer);
		if (error < 0)
			return error;
	}
	forward(timer);
	uint64_t taken = timer->ticks;
	timer->ticks = 0;
	timer->expired = false;
	return copy_to_user(to, &taken, sizeof(taken)) < 0 ? -EFAULT : (long)sizeof(taken);
}

static unsigned int timerfd_poll(struct file *file)
{
	const struct timerfd *timer = file->object;
	return timer->ticks || (timer->armed && timer->deadline_ns <= now_ns()) ? LINUX_POLLIN : 0;
}

static void timerfd_release(struct file *file)
{
	struct timerfd *timer = file->object;
	list_remove(&timer->all);
	kfree(timer);
	update();
}

static const struct file_ops timerfd_ops = {
	.read = timerfd_read,
	.poll = timerfd_poll,
	.release = timerfd_release,
};

static bool is_clock(int clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
	       clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

long sys_timerfd_create(int clock, int flags)
{
	struct file *file;
	if ((flags & ~(LINUX_O_CLOEXEC | LINUX_O_NONBLOCK)) || !is_clock(clock))
		return -EINVAL;
	struct timerfd *timer = kzalloc(sizeof(*timer));
	if (!timer)
		return -ENOMEM;
	timer->realtime = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM;
	int error = anon_open("[timerfd]", &timerfd_ops, timer, LINUX_O_RDWR | (flags & LINUX_O_NONBLOCK), &file);
	if (error < 0) {
		kfree(timer);
		return error;
	}
	timer->inode = file->inode;
	list_add_last(&timers, &timer->all);
	return anon_install(file, flags & LINUX_O_CLOEXEC);
}

/* 0, -EBADF or -EINVAL. */
static long timer_of(int fd, struct timerfd **timer)
{
	struct file *file = anon_get(fd);
	if (!file)
		return -EBADF;
	if (file->ops != &timerfd_ops)
		return -EINVAL;
	*timer = file->object;
	expire_now();
	forward(*timer);
	return 0;
}

static struct linux_itimerspec timer_value(const struct timerfd *timer)
{
	int64_t left = timer->armed ? timer->deadline_ns - now_ns() : 0;
	return (struct linux_itimerspec){timespec_from_ns(timer->interval_ns), timespec_from_ns(left)};
}

/* An absolute time in the past expires at once; a repeating timer has then expired as often as it would have since. */
static void set_timerfd(struct timerfd *timer, bool absolute, int64_t value, int64_t interval)
{
	int64_t left =
		absolute ? timespec_ns_until(value, timer->realtime ? vclock_realtime() : (int64_t)vclock_monotonic())
			 : value;
	timer->ticks = 0;
	timer->expired = false;
	timer->armed = value > 0;
	timer->interval_ns = interval;
	timer->deadline_ns = timespec_ns_after(now_ns(), left);
	update();
}

long sys_timerfd_settime(int fd, int flags, const struct linux_itimerspec *value, struct linux_itimerspec *old)
{
	struct linux_itimerspec wanted;
	struct timerfd *timer;
	if (copy_from_user(&wanted, value, sizeof(wanted)))
		return -EFAULT;
	int64_t first = timespec_to_ns(&wanted.it_value), interval = timespec_to_ns(&wanted.it_interval);
	if ((flags & ~(ABSTIME | CANCEL_ON_SET)) || first < 0 || interval < 0)
		return -EINVAL;
	long error = timer_of(fd, &timer);
	if (error)
		return error;
	struct linux_itimerspec was = timer_value(timer);
	set_timerfd(timer, flags & ABSTIME, first, interval);
	expire_now();
	return old && copy_to_user(old, &was, sizeof(was)) ? -EFAULT : 0;
}

long sys_timerfd_gettime(int fd, struct linux_itimerspec *value)
{
	struct timerfd *timer;
	long error = timer_of(fd, &timer);
	if (error)
		return error;
	struct linux_itimerspec now = timer_value(timer);
	return copy_to_user(value, &now, sizeof(now));
}
