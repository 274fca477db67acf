/* SPDX-License-Identifier: MIT */
/* Time zones in POSIX's format of TZ (tzset(3)), and local time.
 *
 * There is no zone database: the name of a place means UTC, as on Linux without tzdata. newlib's does not know <quoted>
 * names, keeps the summer time of the previous zone, and computes wrong transitions. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>
#include <time.h>

#include "libc-port/src/time/calendar.h"

enum { NAME_SIZE = 64, HOUR = 3600, DAY = 86400 };

/* When standard or summer time ends in a year. */
struct rule {
	enum { JULIAN, DAY_OF_YEAR, WEEKDAY } kind; /* Jn: without February 29th; n: with it; Mm.w.d */
	int month, week, day;
	long time; /* time of day in seconds, in the time that ends */
};

/* Half 0 is standard time, half 1 summer time. */
struct zone {
	char name[2][NAME_SIZE];
	long offset[2]; /* seconds east of Greenwich */
	bool summer;
	struct rule end[2]; /* end of standard time, end of summer time */
};

static struct zone zone;
static char zone_text[256]; /* the value of TZ from which the zone was made */
static bool zone_known;

/* newlib's variables, which <time.h> and wcsftime read. */
extern long timezone __asm__("_timezone");
extern int daylight __asm__("_daylight");
void _tzset_unlocked(void);

/* Reads a name: three letters or more, or anything in <>. Returns false if there is none. */
static bool read_zone_name(const char **at, char *name)
{
	const char *start = *at;
	size_t length;
	if (*start == '<') {
		start++;
		length = strcspn(start, ">");
		if (start[length] != '>')
			return false;
		*at = start + length + 1;
	} else {
		for (length = 0; (start[length] | 32) >= 'a' && (start[length] | 32) <= 'z'; length++)
			;
		*at = start + length;
	}
	if (length < 3 || length >= NAME_SIZE)
		return false;
	memcpy(name, start, length);
	name[length] = 0;
	return true;
}

/* Reads a number of at most MAX. */
static bool read_zone_number(const char **at, long max, long *value)
{
	if (**at < '0' || **at > '9')
		return false;
	for (*value = 0; **at >= '0' && **at <= '9'; ++*at)
		if ((*value = *value * 10 + (**at - '0')) > max)
			return false;
	return true;
}

/* Reads [+-]hh[:mm[:ss]], in seconds. */
static bool read_time(const char **at, long max_hours, long *seconds)
{
	long part, sign = **at == '-' ? -1 : 1;
	*at += **at == '-' || **at == '+';
	if (!read_zone_number(at, max_hours, &part))
		return false;
	*seconds = part * HOUR;
	for (long unit = 60; unit && **at == ':'; unit /= 60) {
		++*at;
		if (!read_zone_number(at, 59, &part))
			return false;
		*seconds += part * unit;
	}
	*seconds *= sign;
	return true;
}

/* Reads ,date[/time]. */
static bool read_rule(const char **at, struct rule *rule)
{
	long month = 0, week = 0, day;
	if (*(*at)++ != ',')
		return false;
	rule->kind = **at == 'J' ? JULIAN : **at == 'M' ? WEEKDAY : DAY_OF_YEAR;
	*at += rule->kind != DAY_OF_YEAR;
	if (rule->kind == WEEKDAY) {
		if (!read_zone_number(at, 12, &month) || *(*at)++ != '.' || !read_zone_number(at, 5, &week) ||
		    *(*at)++ != '.' || !read_zone_number(at, 6, &day) || month < 1 || week < 1)
			return false;
	} else if (!read_zone_number(at, 365, &day) || (rule->kind == JULIAN && day < 1)) {
		return false;
	}
	rule->month = (int)month;
	rule->week = (int)week;
	rule->day = (int)day;
	rule->time = 2L * HOUR;
	if (**at != '/')
		return true;
	++*at;
	return read_time(at, 167, &rule->time);
}

/* Reads TZ. Returns false if its summer time or a rule is malformed. */
static bool read_zone(const char *at, struct zone *z)
{
	long west;
	if (!read_zone_name(&at, z->name[0]))
		return z->name[0][0] = 0, true;
	if (!read_time(&at, 24, &west)) {
		if (strcmp(z->name[0], "UTC") == 0 || strcmp(z->name[0], "GMT") == 0)
			strcpy(z->name[1], z->name[0]);
		return true;
	}
	z->offset[0] = z->offset[1] = -west;
	if (*at == 0 || !read_zone_name(&at, z->name[1]))
		return strcpy(z->name[1], z->name[0]), true;
	z->offset[1] = z->offset[0] + HOUR;
	if (*at && *at != ',') {
		if (!read_time(&at, 24, &west))
			return false;
		z->offset[1] = -west;
	}
	if (*at == 0)
		at = ",M3.2.0,M11.1.0";
	z->summer = read_rule(&at, &z->end[0]) && read_rule(&at, &z->end[1]);
	return z->summer;
}

/* Reads TZ if it has changed. */
static void update(void)
{
	const char *text = getenv("TZ");
	if (text && *text == ':')
		text++;
	if (!text || *text == 0)
		text = "UTC";
	if (zone_known && strcmp(text, zone_text) == 0)
		return;
	zone = (struct zone){0};
	if (!read_zone(text, &zone))
		zone.summer = false;
	zone_known = strlen(text) < sizeof(zone_text);
	if (zone_known)
		strcpy(zone_text, text);
	_tzname[0] = zone.name[0];
	_tzname[1] = zone.name[1];
	timezone = -zone.offset[0];
	daylight = zone.summer;
}

extern struct __lock __lock___tz_mutex;

/* All threads share the zone, and other threads may run while TZ is read. */
static void lock(void)
{
	__lock_acquire(&__lock___tz_mutex);
}

static void unlock(void)
{
	__lock_release(&__lock___tz_mutex);
}

void tzset(void)
{
	lock();
	update();
	unlock();
}

/* For newlib's wcsftime, which holds the lock. */
void _tzset_unlocked(void)
{
	update();
}

/* Returns when a half ends in a year, in seconds of universal time. */
static long end_of_half(int half, long year)
{
	const struct rule *rule = &zone.end[half];
	long day = days_before_year(year);
	switch (rule->kind) {
	case JULIAN:
		day += rule->day - 1 + (rule->day >= 60 && is_leap(year));
		break;
	case DAY_OF_YEAR:
		day += rule->day;
		break;
	case WEEKDAY: {
		long first = day + days_before_month(year, rule->month - 1);
		long next = day + days_before_month(year, rule->month);
		day = first + modulo(rule->day - (first + 4), 7) + 7L * (rule->week - 1);
		while (day >= next)
			day -= 7;
	}
	}
	return day * DAY + rule->time - zone.offset[half];
}

/* Returns the half that contains a time. */
static int half_at(long time, long year)
{
	if (!zone.summer)
		return 0;
	long begin = end_of_half(0, year), end = end_of_half(1, year);
	return begin > end ? time < end || time >= begin : time >= begin && time < end;
}

static int half_of(time_t time)
{
	struct tm utc;
	return gmtime_r(&time, &utc) ? half_at(time, utc.tm_year + 1900L) : 0;
}

static struct tm *local_time(time_t time, struct tm *restrict tm)
{
	int half = half_of(time);
	long offset = zone.offset[half], shifted;
	if (__builtin_add_overflow(time, offset, &shifted) || !gmtime_r(&shifted, tm))
		return errno = EOVERFLOW, NULL;
	tm->tm_isdst = half;
	tm->tm_gmtoff = offset;
	tm->tm_zone = zone.name[half];
	return tm;
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict tm)
{
	lock();
	update();
	tm = local_time(*time, tm);
	unlock();
	return tm;
}

/* Returns the seconds since 1970 of a clock without summer time. Fields may have any value. */
static long clock_seconds(const struct tm *tm)
{
	long year = tm->tm_year + 1900L + quotient(tm->tm_mon, 12);
	long days = days_before_year(year) + days_before_month(year, (int)modulo(tm->tm_mon, 12)) + tm->tm_mday - 1L;
	return days * DAY + tm->tm_hour * (long)HOUR + tm->tm_min * 60L + tm->tm_sec;
}

/* Returns the half of a clock time whose tm_isdst is unknown. If both halves fit, takes the one that contains the clock
 * time read as universal time; if neither fits, standard time. */
static int half_by_clock(long seconds)
{
	int half = half_of(seconds);
	for (int i = 0; i < 2; i++) {
		int found = half_of(seconds - zone.offset[half]);
		if (found == half)
			return half;
		half = found;
	}
	return 0;
}

time_t mktime(struct tm *tm)
{
	struct tm result;
	lock();
	update();
	long seconds = clock_seconds(tm);
	int half = tm->tm_isdst < 0 ? half_by_clock(seconds) : tm->tm_isdst > 0 && zone.summer;
	time_t time = seconds - zone.offset[half];
	if (tm->tm_isdst > 0 && !zone.summer)
		time -= HOUR; /* as in glibc: a zone without summer time counts it as one hour */
	bool fits = local_time(time, &result);
	unlock();
	if (!fits)
		return -1;
	*tm = result;
	return time;
}

time_t timegm(struct tm *tm)
{
	time_t time = clock_seconds(tm);
	return gmtime_r(&time, tm) ? time : -1;
}
