/* SPDX-License-Identifier: MIT */
/* Clocks, sleeping and interval timers. clock replaces newlib's, which counts in ticks of times(2). */
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <signal.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/notify.h"
#include "libc-port/src/thread/thread.h"

KERNEL_FUNCTION(int, clock_gettime, (clockid_t clock, struct timespec *now), (clock, (struct linux_timespec *)now))
KERNEL_FUNCTION(int, clock_getres, (clockid_t clock, struct timespec *resolution),
                (clock, (struct linux_timespec *)resolution))

/* The virtual clock is part of the run and cannot be set. */
int clock_settime(clockid_t, const struct timespec *)
{
	return kernel_refuse(EPERM);
}

int settimeofday(const struct timeval *, const struct timezone *)
{
	return kernel_refuse(EPERM);
}

int stime(const time_t *)
{
	return kernel_refuse(EPERM);
}

int adjtime(const struct timeval *, struct timeval *)
{
	return kernel_refuse(EPERM);
}

int clock_getcpuclockid(pid_t pid, clockid_t *clock)
{
	if (pid != 0 && pid != getpid())
		return ESRCH;
	*clock = CLOCK_PROCESS_CPUTIME_ID;
	return 0;
}

/* Returns the error number. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *remain)
{
	return (int)-THREAD_CANCELLABLE(kcall_clock_nanosleep(clock, flags, (const struct linux_timespec *)request,
	                                                      (struct linux_timespec *)remain));
}

int nanosleep(const struct timespec *request, struct timespec *remain)
{
	return (int)kernel_result(THREAD_CANCELLABLE(
		kcall_nanosleep((const struct linux_timespec *)request, (struct linux_timespec *)remain)));
}

unsigned sleep(unsigned seconds)
{
	struct timespec ts = {seconds, 0};
	return nanosleep(&ts, &ts) < 0 ? (unsigned)ts.tv_sec : 0;
}

int usleep(useconds_t us)
{
	struct timespec ts = {us / 1000000, us % 1000000 * 1000};
	return nanosleep(&ts, NULL);
}

KERNEL_FUNCTION(int, gettimeofday, (struct timeval *restrict now, void *restrict zone),
                ((struct linux_timeval *)now, zone))
time_t time(time_t *now)
{
	return kernel_result(kcall_time(now));
}

clock_t clock(void)
{
	struct timespec used;
	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) < 0)
		return -1;
	return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

clock_t times(struct tms *buf)
{
	return kernel_result(kcall_times((struct linux_tms *)buf));
}

int timespec_get(struct timespec *now, int base)
{
	return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

unsigned alarm(unsigned seconds)
{
	return (unsigned)kcall_alarm(seconds);
}

KERNEL_FUNCTION(int, getitimer, (int which, struct itimerval *value), (which, (struct linux_itimerval *)value))

int setitimer(int which, const struct itimerval *restrict value, struct itimerval *restrict old)
{
	return (int)kernel_result(
		kcall_setitimer(which, (const struct linux_itimerval *)value, (struct linux_itimerval *)old));
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
	int id;
	if (event && event->sigev_notify == SIGEV_THREAD)
		return notify_timer_create(clock, event, timer);
	if (kernel_result(kcall_timer_create(clock, (const struct linux_sigevent *)event, &id)) < 0)
		return -1;
	*timer = (timer_t)(long)id;
	return 0;
}

KERNEL_FUNCTION(int, timer_settime,
                (timer_t timer, int flags, const struct itimerspec *restrict value, struct itimerspec *restrict old),
                ((int)(long)timer, flags, (const struct linux_itimerspec *)value, (struct linux_itimerspec *)old))
KERNEL_FUNCTION(int, timer_gettime, (timer_t timer, struct itimerspec *value),
                ((int)(long)timer, (struct linux_itimerspec *)value))
KERNEL_FUNCTION(int, timer_getoverrun, (timer_t timer), ((int)(long)timer))

int timer_delete(timer_t timer)
{
	notify_timer_delete((int)(long)timer);
	return (int)kernel_result(kcall_timer_delete((int)(long)timer));
}

useconds_t ualarm(useconds_t us, useconds_t interval)
{
	struct itimerval value = {{interval / 1000000, interval % 1000000}, {us / 1000000, us % 1000000}}, old;
	if (setitimer(ITIMER_REAL, &value, &old) < 0)
		return 0;
	return (useconds_t)(old.it_value.tv_sec * 1000000 + old.it_value.tv_usec);
}

time_t timelocal(struct tm *tm)
{
	return mktime(tm);
}
