/* SPDX-License-Identifier: MIT */
/* Broken-down universal time with tm_gmtoff and tm_zone, which newlib's does not set. */
#include <errno.h>
#include <stddef.h>
#include <time.h>

/* The first and last time whose year fits tm_year. */
#define FIRST (-67768040609740800L)
#define LAST 67768036191676799L

/* newlib's own, renamed when its archive is put together (newlib.mk). */
struct tm *__newlib_gmtime_r(const time_t *restrict time, struct tm *restrict tm);

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict tm)
{
	if (*time < FIRST || *time > LAST)
		return errno = EOVERFLOW, NULL;
	tm = __newlib_gmtime_r(time, tm);
	tm->tm_gmtoff = 0;
	tm->tm_zone = "GMT";
	return tm;
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
