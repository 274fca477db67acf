/* SPDX-License-Identifier: MIT */
/* Conversion between nanoseconds and the timespec of system calls. */
#ifndef KERNEL_TIME_TIMESPEC_H
#define KERNEL_TIME_TIMESPEC_H

#include <stdint.h>

#include "abi/linux.h"

#define NS_PER_S 1000000000L

/** A time or a duration. Before 1970 the seconds are rounded down, because POSIX requires nanoseconds that are not
 * negative. */
static inline struct linux_timespec timespec_from_ns(int64_t ns)
{
	int64_t rest = ns % NS_PER_S;
	if (rest < 0)
		rest += NS_PER_S;
	return (struct linux_timespec){(ns - rest) / NS_PER_S, rest};
}

/** Nanoseconds. INT64_MAX for larger values, which no clock reaches; -1 for an invalid or a negative value. */
static inline int64_t timespec_to_ns(const struct linux_timespec *ts)
{
	if (ts->tv_sec < 0 || ts->tv_nsec < 0 || ts->tv_nsec >= NS_PER_S)
		return -1;
	if (ts->tv_sec >= INT64_MAX / NS_PER_S)
		return INT64_MAX;
	return ts->tv_sec * NS_PER_S + ts->tv_nsec;
}

/** Nanoseconds from now to a time that is not negative; at most INT64_MAX. */
static inline int64_t timespec_ns_until(int64_t moment_ns, int64_t now_ns)
{
	int64_t left;
	return __builtin_sub_overflow(moment_ns, now_ns, &left) ? INT64_MAX : left;
}

/** The time left_ns after now; at most INT64_MAX. A time before the clock's start is negative. */
static inline int64_t timespec_ns_after(int64_t now_ns, int64_t left_ns)
{
	int64_t sum;
	return __builtin_add_overflow(now_ns, left_ns, &sum) ? INT64_MAX : sum;
}

#endif
