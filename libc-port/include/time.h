/* SPDX-License-Identifier: MIT */
/* Over newlib's <time.h>: the clocks have Linux's numbers (clock_gettime(2)), so that libc translates nothing. */
#ifndef EREMITE_TIME_H
#define EREMITE_TIME_H

/* newlib's wants struct sigevent from <signal.h>, whose names a program may use for itself. */
struct sigevent;
#define __EREMITE_NO_SIGNAL
#include_next <time.h>
#undef __EREMITE_NO_SIGNAL

#undef CLOCK_REALTIME
#undef CLOCK_MONOTONIC
#undef CLOCK_PROCESS_CPUTIME_ID
#undef CLOCK_THREAD_CPUTIME_ID
#undef CLOCK_MONOTONIC_RAW
#undef CLOCK_REALTIME_COARSE
#undef CLOCK_MONOTONIC_COARSE
#undef CLOCK_BOOTTIME
#undef CLOCK_REALTIME_ALARM
#undef CLOCK_BOOTTIME_ALARM
#undef TIMER_ABSTIME
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1

#undef CLK_TCK
#define CLK_TCK 100 /* of times(2), not of clock(3) */
#define TIME_UTC 1

__BEGIN_DECLS
int timespec_get(struct timespec *__time, int __base);
#if __MISC_VISIBLE
time_t timegm(struct tm *__tm);
time_t timelocal(struct tm *__tm);
int stime(const time_t *__time);
#endif
#if __SVID_VISIBLE || __XSI_VISIBLE
extern long timezone __asm__("_timezone");
extern int daylight __asm__("_daylight");
#endif
__END_DECLS

#endif
