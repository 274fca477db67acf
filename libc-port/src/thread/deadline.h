/* SPDX-License-Identifier: MIT */
/* Deadlines of calls that wait. */
#ifndef LIBC_PORT_DEADLINE_H
#define LIBC_PORT_DEADLINE_H

#include <errno.h>
#include <time.h>

/** Whether threads can wait by a clock: 0 or EINVAL. */
static inline int deadline_check_clock(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ? 0 : EINVAL;
}

/** Whether a deadline (NULL: none) is a time on a clock that can be waited by: 0 or EINVAL. */
static inline int deadline_check(clockid_t clock, const struct timespec *deadline)
{
	if (!deadline)
		return 0;
	if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000)
		return EINVAL;
	return deadline_check_clock(clock);
}

#endif
