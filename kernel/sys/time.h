/* SPDX-License-Identifier: MIT */
/* Clocks for kernel calls. Linux programs have more clocks, some for each process, and pay more for frequent reads
 * (kernel/linux/time/clock.c). */
#ifndef KERNEL_SYS_TIME_H
#define KERNEL_SYS_TIME_H

/** Clock numbers of clock_gettime(2). */
enum linux_clock {
	CLOCK_REALTIME = 0,
	CLOCK_MONOTONIC = 1,
	CLOCK_PROCESS_CPUTIME = 2,
	CLOCK_THREAD_CPUTIME = 3,
	CLOCK_MONOTONIC_RAW = 4,
	CLOCK_REALTIME_COARSE = 5,
	CLOCK_MONOTONIC_COARSE = 6,
	CLOCK_BOOTTIME = 7,
	CLOCK_TAI = 11,
};

/* Numbers of the clocks that count the work of one process or thread are negative: the inverted process or thread
 * number above three bits. The third bit marks a thread; the other two say what is counted, 0 to 2, which are all the
 * same here. */
#define CLOCK_BITS 3
#define CLOCK_OF_THREAD 4
#define CLOCK_COUNTS 3

struct linux_timespec;
struct linux_timeval;

/** clock_gettime(2) and clock_getres(2), except for clocks of processes other than the first. */
long time_clock_gettime(int clock, struct linux_timespec *now);
long time_clock_getres(int clock, struct linux_timespec *resolution);

/** gettimeofday(2) and time(2). */
long time_gettimeofday(struct linux_timeval *now, void *zone);
long time_time(long *now);

/** clock_nanosleep(2), except for clocks of processor time. */
long time_clock_nanosleep(int clock, int flags, const struct linux_timespec *request, struct linux_timespec *remain);

#endif
