/* SPDX-License-Identifier: MIT */
/* Calls about time. Every clock derives from the virtual clock; sleeping is a jump. */
#include "kernel/sys/time.h"

#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sched/account.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timer.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define TIMER_ABSTIME 1

static int read_clock_of(int clock, int64_t *ns)
{
	uint32_t number = (uint32_t) ~(clock >> CLOCK_BITS);
	if ((clock & CLOCK_COUNTS) == CLOCK_COUNTS)
		return -EINVAL;
	if (!(clock & CLOCK_OF_THREAD)) {
		*ns = (int64_t)vclock_cpu();
		return number == 0 || number == PROCESS_ID ? 0 : -EINVAL;
	}
	const struct thread *thread = number ? thread_find(number) : thread_current;
	if (!thread)
		return -EINVAL;
	*ns = (int64_t)account_ran_ns(thread);
	return 0;
}

/* Reads a clock. 0 or -EINVAL. */
static int read_clock(int clock, int64_t *ns)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		*ns = vclock_realtime();
		return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
		*ns = (int64_t)vclock_monotonic();
		return 0;
	case CLOCK_PROCESS_CPUTIME:
		*ns = (int64_t)vclock_cpu();
		return 0;
	case CLOCK_THREAD_CPUTIME:
		*ns = (int64_t)account_ran_ns(thread_current);
		return 0;
	default:
		return clock < 0 ? read_clock_of(clock, ns) : -EINVAL;
	}
}

long time_clock_gettime(int clock, struct linux_timespec *now)
{
	int64_t ns;
	int result = read_clock(clock, &ns);
	if (result)
		return result;
	struct linux_timespec ts = timespec_from_ns(ns);
	return copy_to_user(now, &ts, sizeof(ts));
}

long time_clock_getres(int clock, struct linux_timespec *resolution)
{
	int64_t ns;
	int result = read_clock(clock, &ns);
	if (result || !resolution)
		return result;
	struct linux_timespec ts = {0, 1};
	return copy_to_user(resolution, &ts, sizeof(ts));
}

long time_gettimeofday(struct linux_timeval *now, void *zone)
{
	struct linux_timespec ts = timespec_from_ns(vclock_realtime());
	struct linux_timeval tv = {ts.tv_sec, ts.tv_nsec / 1000};
	if (now && copy_to_user(now, &tv, sizeof(tv)))
		return -EFAULT;
	return zone ? clear_user(zone, 8) : 0;
}

long time_time(long *now)
{
	long seconds = timespec_from_ns(vclock_realtime()).tv_sec;
	if (now && copy_to_user(now, &seconds, sizeof(seconds)))
		return -EFAULT;
	return seconds;
}

long time_clock_nanosleep(int clock, int flags, const struct linux_timespec *request, struct linux_timespec *remain)
{
	struct linux_timespec ts;
	int64_t now;
	int result = read_clock(clock, &now);
	if (result || clock == CLOCK_THREAD_CPUTIME || clock < 0 || (flags & ~TIMER_ABSTIME))
		return -EINVAL;
	if (copy_from_user(&ts, request, sizeof(ts)))
		return -EFAULT;
	int64_t wanted = timespec_to_ns(&ts);
	if (wanted < 0)
		return -EINVAL;
	int64_t left = flags & TIMER_ABSTIME ? timespec_ns_until(wanted, now) : wanted;
	if (left <= 0)
		return 0;
	uint64_t deadline = vclock_now() + (uint64_t)left;
	const char *what = deadline <= vclock_end() ? "a sleep" : "a sleep beyond the clock's end";
	result = sched_wait_until(deadline, SCHED_CAUSE_sleep, what);
	if (vclock_now() >= deadline) /* other threads may have run for long after the signal */
		return 0;
	if (result && remain && !(flags & TIMER_ABSTIME)) {
		ts = timespec_from_ns((int64_t)(deadline - vclock_now()));
		if (copy_to_user(remain, &ts, sizeof(ts)))
			return -EFAULT;
	}
	return result;
}

long sys_nanosleep(const struct linux_timespec *request, struct linux_timespec *remain)
{
	return time_clock_nanosleep(CLOCK_MONOTONIC, 0, request, remain);
}

static struct linux_timeval to_timeval(uint64_t ns)
{
	return (struct linux_timeval){(int64_t)(ns / NS_PER_S), (int64_t)(ns % NS_PER_S / 1000)};
}

long sys_getitimer(int which, struct linux_itimerval *value)
{
	uint64_t left, interval;
	if (which < 0 || which >= TIMER_KINDS)
		return -EINVAL;
	timer_get((enum timer_kind)which, &left, &interval);
	struct linux_itimerval now = {to_timeval(interval), to_timeval(left)};
	return copy_to_user(value, &now, sizeof(now));
}

static int64_t from_timeval(const struct linux_timeval *tv)
{
	struct linux_timespec ts = {tv->tv_sec, tv->tv_usec * 1000};
	return tv->tv_usec < 0 || tv->tv_usec >= 1000000 ? -1 : timespec_to_ns(&ts);
}

long sys_setitimer(int which, const struct linux_itimerval *value, struct linux_itimerval *old)
{
	struct linux_itimerval wanted = {{0, 0}, {0, 0}};
	if (which < 0 || which >= TIMER_KINDS)
		return -EINVAL;
	if (value && copy_from_user(&wanted, value, sizeof(wanted)))
		return -EFAULT;
	int64_t first = from_timeval(&wanted.it_value), interval = from_timeval(&wanted.it_interval);
	if (first < 0 || interval < 0)
		return -EINVAL;
	long result = old ? sys_getitimer(which, old) : 0;
	if (!result)
		timer_set((enum timer_kind)which, (uint64_t)first, (uint64_t)interval);
	return result;
}

long sys_alarm(unsigned int seconds)
{
	uint64_t left, interval;
	timer_get(TIMER_REAL, &left, &interval);
	timer_set(TIMER_REAL, (uint64_t)seconds * NS_PER_S, 0);
	return (long)((left + NS_PER_S / 2) / NS_PER_S + (left && left < NS_PER_S / 2));
}
