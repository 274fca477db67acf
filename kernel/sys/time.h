/* SPDX-License-Identifier: MIT */
/* Clocks for kernel calls. Linux programs have more of them, one for each process, and pay more for many looks at them
 * (kernel/linux/clock.c). */
#ifndef KERNEL_SYS_TIME_H
#define KERNEL_SYS_TIME_H

struct linux_timespec;
struct linux_timeval;

/** clock_gettime(2) and clock_getres(2), but for the clocks of processes other than the first. */
long time_clock_gettime(int clock, struct linux_timespec *now);
long time_clock_getres(int clock, struct linux_timespec *resolution);

/** gettimeofday(2) and time(2). */
long time_gettimeofday(struct linux_timeval *now, void *zone);
long time_time(long *now);

/** clock_nanosleep(2), but for clocks of processor time. */
long time_clock_nanosleep(int clock, int flags, const struct linux_timespec *request, struct linux_timespec *remain);

#endif
