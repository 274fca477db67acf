/* SPDX-License-Identifier: MIT */
/* Over newlib's <sys/time.h>: the conversions that BSD and Linux programs expect. */
#ifndef EREMITE_SYS_TIME_H
#define EREMITE_SYS_TIME_H

#include_next <sys/time.h>

#if __MISC_VISIBLE
#define TIMEVAL_TO_TIMESPEC(tv, ts) ((void)((ts)->tv_sec = (tv)->tv_sec, (ts)->tv_nsec = (tv)->tv_usec * 1000))
#define TIMESPEC_TO_TIMEVAL(tv, ts) ((void)((tv)->tv_sec = (ts)->tv_sec, (tv)->tv_usec = (ts)->tv_nsec / 1000))
#endif

#endif
