/* SPDX-License-Identifier: MIT */
/* Broken-down time with tm_gmtoff and tm_zone, which newlib's conversions leave alone, and buffers that hold them. */
#include <time.h>

/* newlib's own, renamed when its archive is put together (newlib.mk). */
struct tm *__newlib_gmtime_r(const time_t *restrict time, struct tm *restrict tm);
struct tm *__newlib_localtime_r(const time_t *restrict time, struct tm *restrict tm);
time_t __newlib_mktime(struct tm *tm);

static void set_zone(struct tm *tm)
{
	int summer = tm->tm_isdst > 0;
	tm->tm_gmtoff = -__gettzinfo()->__tzrule[summer].offset;
	tm->tm_zone = _tzname[summer];
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict tm)
{
	tm = __newlib_gmtime_r(time, tm);
	if (tm) {
		tm->tm_gmtoff = 0;
		tm->tm_zone = "GMT";
	}
	return tm;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict tm)
{
	tm = __newlib_localtime_r(time, tm);
	if (tm)
		set_zone(tm);
	return tm;
}

time_t mktime(struct tm *tm)
{
	time_t time = __newlib_mktime(tm);
	set_zone(tm);
	return time;
}

static __thread struct tm last;

struct tm *gmtime(const time_t *time)
{
	return gmtime_r(time, &last);
}

struct tm *localtime(const time_t *time)
{
	return localtime_r(time, &last);
}
