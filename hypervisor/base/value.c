/* SPDX-License-Identifier: MIT */
/* Values of command-line options. A value is accepted only if all of it is understood. */
#include "base/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1000000000L
#define DURATION_MAX_S 1000000000UL

int value_number(const char *text, uint64_t *value)
{
	char *end;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	if (!isxdigit((unsigned char)text[hex ? 2 : 0]))
		return -EINVAL;
	errno = 0;
	unsigned long long parsed = strtoull(text, &end, hex ? 16 : 10);
	if (*end)
		return -EINVAL;
	if (errno == ERANGE)
		return -ERANGE;
	*value = parsed;
	return 0;
}

int value_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	char *end;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	unsigned long long count = strtoull(text, &end, 10);
	if (errno == ERANGE)
		return -ERANGE;
	unsigned shift = 0;
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit) {
		shift = 10 * (unsigned)(unit - units + 1);
		end++;
		if (*end == 'i')
			end++;
	}
	if (*end == 'B')
		end++;
	if (*end)
		return -EINVAL;
	if (count > UINT64_MAX >> shift)
		return -ERANGE;
	*bytes = (uint64_t)count << shift;
	return 0;
}

int value_seconds(const char *text, double *seconds)
{
	char *end;
	if (!isdigit((unsigned char)*text) && *text != '.')
		return -EINVAL;
	errno = 0;
	double parsed = strtod(text, &end);
	if (*end)
		return -EINVAL;
	if (!(parsed > 0) || parsed > 1e9)
		return -ERANGE;
	*seconds = parsed;
	return 0;
}

int value_duration(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", NS_PER_S}};
	const char *number = text;
	size_t whole = strspn(text, "0123456789"), unit = 0;
	text += whole;
	size_t digits = *text == '.' ? strspn(text + 1, "0123456789") : 0;
	const char *name = text + (*text == '.') + digits;
	while (unit < sizeof(units) / sizeof(*units) && strcmp(units[unit].name, name))
		unit++;
	if (!whole || (*text == '.' && !digits) || unit == sizeof(units) / sizeof(*units))
		return -EINVAL;
	uint64_t part = units[unit].ns, sum = 0, most = DURATION_MAX_S * NS_PER_S;
	for (; number < text; number++) {
		sum = sum * 10 + (uint64_t)(*number - '0');
		if (sum > most / part)
			return -ERANGE;
	}
	sum *= part;
	for (number = text + 1; number <= text + digits; number++, part /= 10) {
		if (part == 1)
			return -EINVAL; /* less than a nanosecond */
		sum += (uint64_t)(*number - '0') * (part / 10);
	}
	if (sum > most)
		return -ERANGE;
	*ns = sum;
	return 0;
}

/* Reads exactly `digits` digits within [low, high] and moves *at. */
static int read_field(const char **at, int digits, int low, int high, int *value)
{
	*value = 0;
	for (int i = 0; i < digits; i++) {
		if (!isdigit((unsigned char)**at))
			return -EINVAL;
		*value = *value * 10 + (*(*at)++ - '0');
	}
	return *value < low || *value > high ? -ERANGE : 0;
}

static int expect_char(const char **at, const char *any_of)
{
	if (!**at || !strchr(any_of, **at))
		return -EINVAL;
	(*at)++;
	return 0;
}

/* Days since 1970 of a date in the Gregorian calendar (Fliegel and Van Flandern's method of March-based years). */
static int64_t days_since_1970(int year, int month, int day)
{
	int64_t y = month <= 2 ? year - 1 : year;
	int64_t m = (month + 9) % 12;
	return 365 * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719468;
}

static int days_in_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month == 2 && leap ? 29 : days[month - 1];
}

/* Reads a fraction of a second, if there is one. */
static int read_fraction(const char **at, int64_t *ns)
{
	int64_t unit = NS_PER_S / 10;
	*ns = 0;
	if (**at != '.')
		return 0;
	(*at)++;
	if (!isdigit((unsigned char)**at))
		return -EINVAL;
	for (; isdigit((unsigned char)**at); (*at)++, unit /= 10)
		*ns += (**at - '0') * unit;
	return 0;
}

static int read_offset(const char **at, int64_t *seconds)
{
	int hours, minutes;
	*seconds = 0;
	if (**at == 'Z' || **at == 'z') {
		(*at)++;
		return 0;
	}
	int sign = **at == '-' ? -1 : 1;
	if (expect_char(at, "+-") || read_field(at, 2, 0, 23, &hours) || expect_char(at, ":") ||
	    read_field(at, 2, 0, 59, &minutes))
		return -EINVAL;
	*seconds = sign * (hours * 3600 + minutes * 60);
	return 0;
}

/* Reads the time of day after a date; without one it is midnight UTC. */
static int read_day_time(const char **at, int64_t *ns)
{
	int hour, minute, second;
	int64_t fraction, offset;
	*ns = 0;
	if (!**at)
		return 0;
	if (expect_char(at, "Tt ") || read_field(at, 2, 0, 23, &hour) || expect_char(at, ":") ||
	    read_field(at, 2, 0, 59, &minute) || expect_char(at, ":") || read_field(at, 2, 0, 59, &second) ||
	    read_fraction(at, &fraction) || read_offset(at, &offset) || **at)
		return -EINVAL;
	*ns = (hour * 3600 + minute * 60 + second - offset) * NS_PER_S + fraction;
	return 0;
}

int value_time(const char *text, int64_t *ns)
{
	const char *at = text;
	int year, month, day;
	int64_t day_time;
	if (read_field(&at, 4, 1678, 2261, &year) || expect_char(&at, "-") || read_field(&at, 2, 1, 12, &month) ||
	    expect_char(&at, "-") || read_field(&at, 2, 1, 31, &day) || read_day_time(&at, &day_time))
		return -EINVAL;
	if (day > days_in_month(year, month))
		return -ERANGE;
	*ns = days_since_1970(year, month, day) * 86400 * NS_PER_S + day_time;
	return 0;
}

/* Edit distance (Levenshtein 1966) of two words; SIZE_MAX for long ones. */
static size_t distance(const char *a, const char *b)
{
	enum { MAX = 32 };
	size_t row[MAX + 1], length = strlen(b);
	if (length > MAX || strlen(a) > MAX)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[length];
}

const char *value_nearest(const char *text, const char *const *candidates)
{
	const char *nearest = NULL;
	size_t best =
		strlen(text) > 3 ? strlen(text) / 2 : 1; /* so that few letters do not match all of another word */
	for (; *candidates; candidates++) {
		size_t d = distance(text, *candidates);
		if (d <= best && (!nearest || d < best)) {
			best = d;
			nearest = *candidates;
		}
	}
	return nearest;
}
