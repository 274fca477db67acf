/* SPDX-License-Identifier: MIT */
/* printf's %a as in glibc: subnormals with the smallest exponent, long double with all 64 bits. */
#include <stdint.h>

#include "libc-port/src/math/long_double.h"
#include "libc-port/src/text/printf.h"

/* A number as digits: the first one, the rest from the top of 64 bits down. */
struct digits {
	unsigned first;
	uint64_t rest;
	int count; /* number of digits in `rest` */
	int exponent;
};

static struct digits digits_of_double(double value)
{
	union {
		double value;
		uint64_t bits;
	} u = {.value = value};
	int exponent = (int)(u.bits >> 52 & 0x7ff);
	struct digits d = {.first = exponent != 0, .rest = u.bits << 12, .count = 13};
	if (value != 0)
		d.exponent = exponent ? exponent - 1023 : -1022;
	return d;
}

static struct digits digits_of_long_double(long double value)
{
	union long_double u = {.value = value};
	int exponent = u.sign_exponent & 0x7fff;
	struct digits d = {.first = (unsigned)(u.fraction >> 60), .rest = u.fraction << 4, .count = 15};
	if (value != 0)
		d.exponent = (exponent ? exponent - 16383 : -16382) - 3;
	return d;
}

/* Rounds to COUNT digits after the point, to nearest, halves to even. */
static void round_to(struct digits *d, int count)
{
	uint64_t below = count ? d->rest << (4 * count) : d->rest, half = 1UL << 63;
	bool odd = count ? d->rest >> (64 - 4 * count) & 1 : d->first & 1;
	d->rest = count ? d->rest >> (64 - 4 * count) << (64 - 4 * count) : 0;
	d->count = count;
	if (below < half || (below == half && !odd))
		return;
	uint64_t unit = count ? 1UL << (64 - 4 * count) : 0;
	d->rest += unit;
	if (d->rest == 0)
		d->first++;
	if (d->first == 16) {
		d->first = 1;
		d->exponent += 4;
	}
}

int hex_float_digits(long double value, bool wide, int precision, bool point, char *out)
{
	static const char names[] = "0123456789abcdef";
	struct digits d = wide ? digits_of_long_double(value) : digits_of_double((double)value);
	if (precision >= 0 && precision < d.count)
		round_to(&d, precision);
	if (precision < 0)
		for (; d.count && (d.rest >> (64 - 4 * d.count) & 15) == 0; d.count--)
			;
	int at = 0;
	out[at++] = '0';
	out[at++] = 'x';
	out[at++] = names[d.first];
	if (d.count || point || precision > 0)
		out[at++] = '.';
	for (int i = 1; i <= d.count; i++)
		out[at++] = names[d.rest >> (64 - 4 * i) & 15];
	int exponent_at = at;
	out[at++] = 'p';
	out[at++] = d.exponent < 0 ? '-' : '+';
	unsigned size = (unsigned)(d.exponent < 0 ? -d.exponent : d.exponent), power = 1;
	while (size / power >= 10)
		power *= 10;
	for (; power; power /= 10)
		out[at++] = (char)('0' + size / power % 10);
	out[at] = 0;
	return exponent_at;
}
