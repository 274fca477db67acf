/* SPDX-License-Identifier: MIT */
/* Calls about POSIX timers: timer_create(2), timer_settime(2) and related calls. */
#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sched/thread.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/posix_timer.h"
#include "kernel/time/timespec.h"

#define TIMER_ABSTIME 1

/* Clocks of clock_gettime(2), by the clock that their timers use. Linux has no timers with the others. */
#define CLOCK_LAST 11
#define CLOCKS_REAL (1U << 0 | 1U << 11)
#define CLOCKS_MONOTONIC (1U << 1 | 1U << 7)
#define CLOCKS_CPU (1U << 2 | 1U << 3)
#define CLOCKS_NONE (1U << 10)

/* C libraries ask for clocks of the running process and thread by their negative numbers (kernel/linux/time/clock.c).
 */
#define CLOCKS_OWN (-8)

/* Parses the event of timer_create. Returns 0 or -EINVAL. */
static int parse_timer_event(const struct linux_sigevent *from, struct posix_timer_event *event)
{
	bool thread = from->sigev_notify == LINUX_SIGEV_THREAD_ID;
	event->value = from->sigev_value;
	if (from->sigev_notify == LINUX_SIGEV_NONE)
		return 0;
	if (!thread && from->sigev_notify != LINUX_SIGEV_SIGNAL)
		return -EINVAL;
	if (from->sigev_signo < 1 || from->sigev_signo > LINUX_NSIG ||
	    (thread && !thread_find((uint32_t)from->sigev_tid)))
		return -EINVAL;
	event->thread = thread ? (uint32_t)from->sigev_tid : 0;
	event->sig = from->sigev_signo;
	return 0;
}

long sys_timer_create(int clock, const struct linux_sigevent *user_event, int *id)
{
	struct posix_timer_event event = {.sig = LINUX_SIGALRM, .value_is_id = !user_event};
	struct linux_sigevent wanted;
	if (clock >= CLOCKS_OWN && clock < 0 && (clock & CLOCK_COUNTS) != CLOCK_COUNTS)
		clock = CLOCK_PROCESS_CPUTIME;
	if (clock < 0 || clock > CLOCK_LAST || CLOCKS_NONE >> clock & 1)
		return -EINVAL;
	if (!((CLOCKS_REAL | CLOCKS_MONOTONIC | CLOCKS_CPU) >> clock & 1))
		return -EOPNOTSUPP;
	if (user_event) {
		if (copy_from_user(&wanted, user_event, sizeof(wanted)))
			return -EFAULT;
		event.sig = 0;
		if (parse_timer_event(&wanted, &event))
			return -EINVAL;
	}
	event.cpu = CLOCKS_CPU >> clock & 1;
	event.real = CLOCKS_REAL >> clock & 1;
	int made = posix_timer_create(&event);
	if (made < 0)
		return made;
	if (copy_to_user(id, &made, sizeof(made))) {
		posix_timer_delete(made);
		return -EFAULT;
	}
	return 0;
}

long sys_timer_gettime(int id, struct linux_itimerspec *value)
{
	uint64_t left, interval;
	int error = posix_timer_get(id, &left, &interval);
	if (error)
		return error;
	struct linux_itimerspec now = {timespec_from_ns((int64_t)interval), timespec_from_ns((int64_t)left)};
	return copy_to_user(value, &now, sizeof(now));
}

long sys_timer_settime(int id, int flags, const struct linux_itimerspec *value, struct linux_itimerspec *old)
{
	struct linux_itimerspec wanted;
	int64_t now;
	if (!value)
		return -EINVAL;
	if (copy_from_user(&wanted, value, sizeof(wanted)))
		return -EFAULT;
	int64_t first = timespec_to_ns(&wanted.it_value), interval = timespec_to_ns(&wanted.it_interval);
	if (first < 0 || interval < 0 || posix_timer_clock(id, &now))
		return -EINVAL;
	long result = old ? sys_timer_gettime(id, old) : 0;
	if (result)
		return result;
	if (!first)
		return posix_timer_disarm(id);
	return posix_timer_arm(id, flags & TIMER_ABSTIME ? timespec_ns_until(first, now) : first, (uint64_t)interval);
}

long sys_timer_getoverrun(int id)
{
	return posix_timer_overrun(id);
}

long sys_timer_delete(int id)
{
	return posix_timer_delete(id);
}
