/* SPDX-License-Identifier: MIT */
/* strftime in the C locale, with glibc's flags (%-d, %_H, %^a) and widths, which newlib's lacks. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "libc-port/src/time/calendar.h"

static const char *const days[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

struct output {
	char *at; /* NULL to count only */
	size_t length, limit;
};

/* The format of one conversion. */
struct format {
	char pad; /* of the flags - _ 0, the last one; 0 for none */
	bool upper, swap;
	int width; /* -1 for none */
};

static size_t format_time(struct output *out, const char *format, const struct tm *tm, bool upper);

static void put(struct output *out, char c)
{
	if (out->at && out->length < out->limit)
		out->at[out->length] = c;
	out->length++;
}

static void put_padding(struct output *out, const struct format *f, size_t length)
{
	for (; f->width >= 0 && length < (size_t)f->width; length++)
		put(out, f->pad == '0' ? '0' : ' ');
}

enum letters { AS_IT_IS, UPPER, LOWER };

static void put_letters(struct output *out, const struct format *f, const char *text, int length, enum letters letters)
{
	put_padding(out, f, (size_t)length);
	for (; length--; text++)
		put(out, (char)(letters == UPPER   ? toupper((unsigned char)*text)
		                : letters == LOWER ? tolower((unsigned char)*text)
		                                   : *text));
}

/* Prints the first LENGTH letters of a name in a table, or ?. */
static void put_name(struct output *out, const struct format *f, const char *const *names, int count, int index,
                     int length)
{
	const char *name = index >= 0 && index < count ? names[index] : "?";
	if (length > (int)strlen(name))
		length = (int)strlen(name);
	put_letters(out, f, name, length, f->upper || f->swap ? UPPER : AS_IT_IS);
}

/* Prints a number of at least DIGITS digits, padded with PAD unless a flag says otherwise. */
static void put_padded_number(struct output *out, const struct format *f, long value, int digits, char pad)
{
	char text[24];
	int count = 0, sign = value < 0;
	unsigned long rest = value < 0 ? -(unsigned long)value : (unsigned long)value;
	do
		text[count++] = (char)('0' + rest % 10);
	while (rest /= 10);
	if (f->pad)
		pad = f->pad;
	if (digits < f->width)
		digits = f->width;
	int fill = digits - count - sign;
	if (pad != '0')
		for (; fill > 0; fill--)
			if (pad == '_' || f->width > 0)
				put(out, ' ');
	if (sign)
		put(out, '-');
	for (; fill > 0; fill--)
		put(out, '0');
	while (count--)
		put(out, text[count]);
}

static void put_time_format(struct output *out, const struct format *f, const char *format, const struct tm *tm)
{
	struct output count = {NULL, 0, SIZE_MAX};
	put_padding(out, f, f->width > 0 ? format_time(&count, format, tm, false) : 0);
	format_time(out, format, tm, f->upper);
}

/* Returns the week of ISO 8601, and sets *year to its year. Week 1 contains the year's first Thursday. */
static int iso_week(const struct tm *tm, long *year)
{
	*year = tm->tm_year + 1900L;
	long thursday = tm->tm_yday + 3 - modulo(tm->tm_wday - 1, 7);
	if (thursday < 0)
		thursday += 365 + is_leap(--*year);
	else if (thursday >= 365 + is_leap(*year))
		thursday -= 365 + is_leap((*year)++);
	return (int)(thursday / 7 + 1);
}

static void put_zone_offset(struct output *out, const struct format *f, const struct tm *tm)
{
	if (tm->tm_isdst < 0)
		return;
	long minutes = (tm->tm_gmtoff < 0 ? -tm->tm_gmtoff : tm->tm_gmtoff) / 60;
	put(out, tm->tm_gmtoff < 0 ? '-' : '+');
	put_padded_number(out, f, minutes / 60 * 100 + minutes % 60, 4, '0');
}

static void put_week_year(struct output *out, const struct format *f, const struct tm *tm, char letter)
{
	long year;
	int week = iso_week(tm, &year);
	if (letter == 'V')
		put_padded_number(out, f, week, 2, '0');
	else if (letter == 'g')
		put_padded_number(out, f, modulo(year, 100), 2, '0');
	else
		put_padded_number(out, f, year, 1, '0');
}

/* Describes a conversion that is a plain number. Returns false for other letters. */
static bool plain_number(const struct tm *tm, char letter, long *value, int *digits, char *pad)
{
	long year = tm->tm_year + 1900L, hour = tm->tm_hour;
	long half_day = hour > 12 ? hour - 12 : hour == 0 ? 12 : hour;
	struct tm copy = *tm;
	*digits = 2;
	*pad = '0';
	switch (letter) {
	case 'C':
		return *digits = 1, *value = quotient(year, 100), true;
	case 'd':
		return *value = tm->tm_mday, true;
	case 'e':
		return *pad = '_', *value = tm->tm_mday, true;
	case 'H':
		return *value = hour, true;
	case 'I':
		return *value = half_day, true;
	case 'j':
		return *digits = 3, *value = tm->tm_yday + 1L, true;
	case 'k':
		return *pad = '_', *value = hour, true;
	case 'l':
		return *pad = '_', *value = half_day, true;
	case 'm':
		return *value = tm->tm_mon + 1L, true;
	case 'M':
		return *value = tm->tm_min, true;
	case 's':
		return *digits = 1, *value = mktime(&copy), true;
	case 'S':
		return *value = tm->tm_sec, true;
	case 'u':
		return *digits = 1, *value = modulo(tm->tm_wday - 1, 7) + 1, true;
	case 'U':
		return *value = (tm->tm_yday - tm->tm_wday + 7) / 7, true;
	case 'w':
		return *digits = 1, *value = tm->tm_wday, true;
	case 'W':
		return *value = (tm->tm_yday - modulo(tm->tm_wday - 1, 7) + 7) / 7, true;
	case 'y':
		return *value = modulo(year, 100), true;
	case 'Y':
		return *digits = 1, *value = year, true;
	default:
		return false;
	}
}

/* Prints one conversion. Returns false if the letter has none. */
static bool put_time_conversion(struct output *out, const struct format *f, const struct tm *tm, char letter)
{
	long value;
	int digits;
	char pad;
	const char *noon = tm->tm_hour > 11 ? "PM" : "AM";
	if (plain_number(tm, letter, &value, &digits, &pad))
		return put_padded_number(out, f, value, digits, pad), true;
	if (composite_format(letter))
		return put_time_format(out, f, composite_format(letter), tm), true;
	switch (letter) {
	case 'a':
		return put_name(out, f, days, 7, tm->tm_wday, 3), true;
	case 'A':
		return put_name(out, f, days, 7, tm->tm_wday, 9), true;
	case 'b':
	case 'h':
		return put_name(out, f, months, 12, tm->tm_mon, 3), true;
	case 'B':
		return put_name(out, f, months, 12, tm->tm_mon, 9), true;
	case 'p':
		return put_letters(out, f, noon, 2, f->swap ? LOWER : AS_IT_IS), true;
	case 'P':
		return put_letters(out, f, noon, 2, LOWER), true;
	case 'g':
	case 'G':
	case 'V':
		return put_week_year(out, f, tm, letter), true;
	case 'z':
		return put_zone_offset(out, f, tm), true;
	case 'Z': {
		const char *zone = tm->tm_zone ? tm->tm_zone : "";
		return put_letters(out, f, zone, (int)strlen(zone),
		                   f->swap    ? LOWER
		                   : f->upper ? UPPER
		                              : AS_IT_IS),
		       true;
	}
	case 'n':
		return put_letters(out, f, "\n", 1, AS_IT_IS), true;
	case 't':
		return put_letters(out, f, "\t", 1, AS_IT_IS), true;
	case '%':
		return put_letters(out, f, "%", 1, AS_IT_IS), true;
	default:
		return false;
	}
}

/* Reads flags and width after the %. */
static const char *read_flags(const char *at, struct format *f)
{
	for (;; at++) {
		if (*at == '_' || *at == '-' || *at == '0')
			f->pad = *at;
		else if (*at == '^')
			f->upper = true;
		else if (*at == '#')
			f->swap = true;
		else
			break;
	}
	for (; isdigit((unsigned char)*at); at++)
		if (f->width < 100000000)
			f->width = (f->width < 0 ? 0 : f->width) * 10 + (*at - '0');
	return at;
}

static size_t format_time(struct output *out, const char *format, const struct tm *tm, bool upper)
{
	for (; *format; format++) {
		struct format f = {.upper = upper, .width = -1};
		if (*format != '%') {
			put(out, *format);
			continue;
		}
		const char *at = read_flags(format + 1, &f);
		bool known = (*at != 'E' || (at[1] && strchr("cCxXyYz", at[1]))) &&
		             (*at != 'O' || (at[1] && strchr("deHImMSuUVwWybBZ", at[1])));
		at += known && (*at == 'E' || *at == 'O');
		if (!known || !put_time_conversion(out, &f, tm, *at)) {
			/* Not a conversion: prints it as it is. */
			put(out, '%');
			at = format;
		}
		format = at;
	}
	return out->length;
}

size_t strftime(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict tm)
{
	struct output out = {text, 0, size};
	if (format_time(&out, format, tm, false) >= size)
		return 0;
	text[out.length] = 0;
	return out.length;
}

size_t strftime_l(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict tm, locale_t)
{
	return strftime(text, size, format, tm);
}
