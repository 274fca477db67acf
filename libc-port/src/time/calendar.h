/* SPDX-License-Identifier: MIT */
/* The Gregorian calendar, before its introduction as after: days, leap years, months. */
#ifndef LIBC_PORT_CALENDAR_H
#define LIBC_PORT_CALENDAR_H

#include <stdbool.h>
#include <time.h>

static inline bool is_leap(long year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/** Days of a year before its month, 0 to 12. */
static inline int days_before_month(long year, int month)
{
	static const short days[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
	return days[month] + (month > 1 && is_leap(year));
}

/** Days from 1970-01-01 to January 1st of a year. */
static inline long days_before_year(long year)
{
	long past = year - 1, leaps = past / 4 - past / 100 + past / 400;
	/* Division truncates: years before the first would round up. */
	leaps -= (past % 4 < 0) - (past % 100 < 0) + (past % 400 < 0);
	return (year - 1970) * 365 + leaps - 477;
}

/** The remainder that is not negative. */
static inline long modulo(long value, long by)
{
	long rest = value % by;
	return rest < 0 ? rest + by : rest;
}

/** The quotient rounded down. */
static inline long quotient(long value, long by)
{
	return (value - modulo(value, by)) / by;
}

/** What a conversion of strftime(3) that stands for several is short for in the C locale; NULL for the others. */
static inline const char *composite_format(char letter)
{
	switch (letter) {
	case 'c':
		return "%a %b %e %H:%M:%S %Y";
	case 'D':
	case 'x':
		return "%m/%d/%y";
	case 'F':
		return "%Y-%m-%d";
	case 'r':
		return "%I:%M:%S %p";
	case 'R':
		return "%H:%M";
	case 'T':
	case 'X':
		return "%H:%M:%S";
	default:
		return NULL;
	}
}

#endif
