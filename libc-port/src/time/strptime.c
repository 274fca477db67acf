/* SPDX-License-Identifier: MIT */
/* strptime in the C locale as in glibc: checks ranges, and computes fields of the date from others. */
#include <ctype.h>
#include <langinfo.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "libc-port/src/time/calendar.h"

/* State of reading, besides the fields of tm. */
struct reading {
	struct tm *tm;
	int century; /* -1 for none */
	int week;
	enum { NO_WEEK, FROM_SUNDAY, FROM_MONDAY } week_kind;
	bool afternoon, half_day, two_digits, date;
	bool month, month_day, year_day, week_day; /* which fields were given */
};

static const char *read_format(const char *text, const char *format, struct reading *r);

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Reads a number of at most COUNT digits between LOW and HIGH. Returns NULL if there is none. */
static const char *parse_number(const char *text, int low, int high, int count, int *value)
{
	text = skip_blanks(text);
	if (!isdigit((unsigned char)*text))
		return NULL;
	int read = 0;
	do
		read = read * 10 + (*text++ - '0');
	while (--count > 0 && read * 10 <= high && isdigit((unsigned char)*text));
	if (read < low || read > high)
		return NULL;
	*value = read;
	return text;
}

/* Reads one of COUNT names, in full or short; nl_langinfo has them from FULL and BRIEF on. */
static const char *parse_name(const char *text, nl_item full, nl_item brief, int count, int *index)
{
	for (int i = 0; i < count; i++) {
		const char *names[] = {nl_langinfo(full + i), nl_langinfo(brief + i)};
		for (int k = 0; k < 2; k++) {
			size_t length = strlen(names[k]);
			if (strncasecmp(text, names[k], length) == 0)
				return *index = i, text + length;
		}
	}
	return NULL;
}

static const char *read_noon(const char *text, struct reading *r)
{
	r->afternoon = strncasecmp(text, "PM", 2) == 0;
	return r->afternoon || strncasecmp(text, "AM", 2) == 0 ? text + 2 : NULL;
}

/* Reads Z, or a sign and hh, hhmm or hh:mm. */
static const char *read_offset(const char *text, struct tm *tm)
{
	text = skip_blanks(text);
	if (*text == 'Z')
		return tm->tm_gmtoff = 0, text + 1;
	if (*text != '+' && *text != '-')
		return NULL;
	bool west = *text++ == '-';
	int digits = 0, value = 0;
	while (digits < 4 && isdigit((unsigned char)*text)) {
		value = value * 10 + (*text++ - '0');
		if (++digits == 2 && *text == ':' && isdigit((unsigned char)text[1]))
			text++;
	}
	if (digits == 2)
		value *= 100;
	else if (digits != 4 || value % 100 >= 60)
		return NULL;
	tm->tm_gmtoff = value / 100 * 3600L + value % 100 * 60L;
	if (west)
		tm->tm_gmtoff = -tm->tm_gmtoff;
	return text;
}

static const char *read_seconds(const char *text, struct tm *tm)
{
	if (!isdigit((unsigned char)*text))
		return NULL;
	time_t seconds = 0;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(seconds, 10, &seconds) ||
		    __builtin_add_overflow(seconds, *text - '0', &seconds))
			return NULL;
	return localtime_r(&seconds, tm) ? text : NULL;
}

/* Reads a field of the date. */
static const char *read_date(const char *text, char letter, struct reading *r)
{
	struct tm *tm = r->tm;
	int value = 0;
	r->date = true;
	switch (letter) {
	case 'b':
	case 'B':
	case 'h':
		text = parse_name(text, MON_1, ABMON_1, 12, &tm->tm_mon);
		return r->month = true, text;
	case 'C':
		return parse_number(text, 0, 99, 2, &r->century);
	case 'd':
	case 'e':
		return r->month_day = true, parse_number(text, 1, 31, 2, &tm->tm_mday);
	case 'm':
		text = parse_number(text, 1, 12, 2, &value);
		r->month = true;
		tm->tm_mon = value - 1;
		return text;
	case 'y':
		text = parse_number(text, 0, 99, 2, &value);
		r->two_digits = true;
		tm->tm_year = value >= 69 ? value : value + 100;
		return text;
	default:
		text = parse_number(text, 0, 9999, 4, &value);
		r->two_digits = false;
		r->century = -1;
		tm->tm_year = value - 1900;
		return text;
	}
}

/* Reads a day of the year or week. */
static const char *read_day(const char *text, char letter, struct reading *r)
{
	struct tm *tm = r->tm;
	int value = 0;
	switch (letter) {
	case 'a':
	case 'A':
		return r->week_day = true, parse_name(text, DAY_1, ABDAY_1, 7, &tm->tm_wday);
	case 'j':
		text = parse_number(text, 1, 366, 3, &value);
		r->year_day = true;
		tm->tm_yday = value - 1;
		return text;
	case 'u':
		text = parse_number(text, 1, 7, 1, &value);
		r->week_day = true;
		tm->tm_wday = value % 7;
		return text;
	case 'w':
		return r->week_day = true, parse_number(text, 0, 6, 1, &tm->tm_wday);
	case 'U':
	case 'W':
		r->week_kind = letter == 'U' ? FROM_SUNDAY : FROM_MONDAY;
		return parse_number(text, 0, 53, 2, &r->week);
	case 'V':
		return parse_number(text, 0, 53, 2, &value);
	case 'g':
		return parse_number(text, 0, 99, 2, &value);
	default: /* G */
		if (!isdigit((unsigned char)*text))
			return NULL;
		while (isdigit((unsigned char)*text))
			text++;
		return text;
	}
}

static const char *read_clock(const char *text, char letter, struct reading *r)
{
	int value = 0;
	switch (letter) {
	case 'H':
	case 'k':
		return r->half_day = false, parse_number(text, 0, 23, 2, &r->tm->tm_hour);
	case 'I':
	case 'l':
		text = parse_number(text, 1, 12, 2, &value);
		r->half_day = true;
		r->tm->tm_hour = value % 12;
		return text;
	case 'M':
		return parse_number(text, 0, 59, 2, &r->tm->tm_min);
	case 'S':
		return parse_number(text, 0, 61, 2, &r->tm->tm_sec);
	case 'p':
		return read_noon(text, r);
	case 's':
		return read_seconds(text, r->tm);
	case 'z':
		return read_offset(text, r->tm);
	default: /* Z: a word, which is ignored */
		text = skip_blanks(text);
		while (*text && !isspace((unsigned char)*text))
			text++;
		return text;
	}
}

static const char *read_conversion(const char *text, char letter, struct reading *r)
{
	if (letter == 0)
		return NULL;
	if (composite_format(letter)) {
		r->date |= strchr("cDFx", letter) != NULL;
		return read_format(text, composite_format(letter), r);
	}
	if (strchr("bBhCdemyY", letter))
		return read_date(text, letter, r);
	if (strchr("aAjuwUWVgG", letter))
		return read_day(text, letter, r);
	if (strchr("HkIlMSpszZ", letter))
		return read_clock(text, letter, r);
	if (letter == 'n' || letter == 't')
		return skip_blanks(text);
	return letter == '%' && *text == '%' ? text + 1 : NULL;
}

static const char *read_format(const char *text, const char *format, struct reading *r)
{
	for (; text && *format; format++) {
		if (isspace((unsigned char)*format)) {
			text = skip_blanks(text);
			continue;
		}
		if (*format != '%') {
			text = *text == *format ? text + 1 : NULL;
			continue;
		}
		format += 1 + strspn(format + 1, "_-0^#");
		const char *known = *format == 'E' ? "cCxXyY" : *format == 'O' ? "bBdeHImMSuUVwWy" : NULL;
		if (known && (*++format == 0 || !strchr(known, *format)))
			return NULL;
		text = read_conversion(text, *format, r);
		if (*format == 0)
			break;
	}
	return text;
}

/* Computes month and day of the month from the day of the year, if they were not given. */
static void set_month(const struct reading *r)
{
	struct tm *tm = r->tm;
	int month = 0;
	while (month < 11 && days_before_month(tm->tm_year + 1900L, month + 1) <= tm->tm_yday)
		month++;
	if (!r->month)
		tm->tm_mon = month;
	if (!r->month_day)
		tm->tm_mday = tm->tm_yday - days_before_month(tm->tm_year + 1900L, month) + 1;
}

static int day_of_year(const struct tm *tm)
{
	return days_before_month(tm->tm_year + 1900L, tm->tm_mon) + tm->tm_mday - 1;
}

static int day_of_week(const struct tm *tm, int year_day)
{
	return (int)modulo(days_before_year(tm->tm_year + 1900L) + year_day + 4, 7);
}

static void complete(struct reading *r)
{
	struct tm *tm = r->tm;
	if (r->half_day && r->afternoon)
		tm->tm_hour += 12;
	if (r->century != -1)
		tm->tm_year = (r->two_digits ? tm->tm_year % 100 : 0) + (r->century - 19) * 100;
	if (r->date && !r->week_day && !(r->month && r->month_day) && r->year_day)
		set_month(r);
	bool has_month = tm->tm_mon >= 0 && tm->tm_mon < 12;
	if (r->date && !r->week_day && has_month)
		tm->tm_wday = day_of_week(tm, day_of_year(tm));
	if (r->date && !r->year_day && has_month)
		tm->tm_yday = day_of_year(tm);
	if (r->week_kind == NO_WEEK || !r->week_day)
		return;
	int first = r->week_kind == FROM_MONDAY;
	if (!r->year_day)
		tm->tm_yday =
			(7 - (day_of_week(tm, 0) - first)) % 7 + (r->week - 1) * 7 + (tm->tm_wday - first + 7) % 7;
	if (!r->month || !r->month_day)
		set_month(r);
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict tm)
{
	struct reading r = {.tm = tm, .century = -1};
	text = read_format(text, format, &r);
	if (text)
		complete(&r);
	return (char *)(unsigned long)text;
}

char *strptime_l(const char *restrict text, const char *restrict format, struct tm *restrict tm, locale_t)
{
	return strptime(text, format, tm);
}
