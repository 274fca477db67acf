/* SPDX-License-Identifier: MIT */
/* long double functions whose results are exact or correctly rounded, which newlib lacks.
 *
 * Uses only x87 instructions whose results are defined to the last bit on every processor, so none of the
 * transcendental ones. */
#include "libc-port/src/math/long_double.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

#define ROUND_DOWN 0x400U
#define ROUND_UP 0x800U
#define ROUND_TOWARD_ZERO 0xc00U
#define ROUND_MASK 0xc00U

static long double round_in_mode(long double x, unsigned mode)
{
	uint16_t before, during;
	__asm__ volatile("fnstcw %0" : "=m"(before));
	during = (uint16_t)((before & ~ROUND_MASK) | mode);
	__asm__ volatile("fldcw %0" : : "m"(during));
	__asm__ volatile("frndint" : "+t"(x));
	__asm__ volatile("fldcw %0" : : "m"(before));
	return x;
}

long double floorl(long double x)
{
	return round_in_mode(x, ROUND_DOWN);
}

long double ceill(long double x)
{
	return round_in_mode(x, ROUND_UP);
}

long double truncl(long double x)
{
	return round_in_mode(x, ROUND_TOWARD_ZERO);
}

long double rintl(long double x)
{
	__asm__ volatile("frndint" : "+t"(x));
	return x;
}

/* Like rintl, but never raises inexact: it restores the environment. */
long double nearbyintl(long double x)
{
	struct {
		uint32_t word[7];
	} environment;
	uint16_t status;
	__asm__ volatile("fnstsw %0" : "=m"(status));
	x = rintl(x);
	if (!(status & 0x20)) {
		__asm__ volatile("fnstenv %0" : "=m"(environment));
		environment.word[1] &= ~0x20U;
		__asm__ volatile("fldenv %0" : : "m"(environment));
	}
	return x;
}

long double roundl(long double x)
{
	long double whole = truncl(x);
	if (fabsl(x - whole) >= 0.5L)
		whole += copysignl(1, x);
	return copysignl(whole, x);
}

/* Values out of range give LONG_MIN and raise invalid, as the processor does. */
static long to_long(long double whole)
{
	long result;
	__asm__ volatile("fistpll %0" : "=m"(result) : "t"(whole) : "st");
	return result;
}

long lrintl(long double x)
{
	return to_long(x);
}

long long llrintl(long double x)
{
	return to_long(x);
}

long lroundl(long double x)
{
	return to_long(roundl(x));
}

long long llroundl(long double x)
{
	return to_long(roundl(x));
}

long double fabsl(long double x)
{
	__asm__("fabs" : "+t"(x));
	return x;
}

long double copysignl(long double x, long double y)
{
	union long_double u = {.value = x};
	u.sign_exponent = (uint16_t)((u.sign_exponent & 0x7fff) | long_double_negative(y) << 15);
	return u.value;
}

long double sqrtl(long double x)
{
	if (x < 0)
		errno = EDOM;
	__asm__("fsqrt" : "+t"(x));
	return x;
}

/* fprem and fprem1 reduce the exponent by at most 63 at a time, and set C2 until they are done. */
long double fmodl(long double x, long double y)
{
	uint16_t status;
	if ((y == 0 && !isnan(x)) || (isinf(x) && !isnan(y)))
		errno = EDOM;
	do
		__asm__ volatile("fprem\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y));
	while (status & 0x400);
	return x;
}

long double remquol(long double x, long double y, int *quotient)
{
	uint16_t status;
	int negative = long_double_negative(x) != long_double_negative(y);
	do
		__asm__ volatile("fprem1\n\tfnstsw %1" : "+t"(x), "=a"(status) : "u"(y));
	while (status & 0x400);
	int low = (status >> 8 & 1) << 2 | (status >> 14 & 1) << 1 | (status >> 9 & 1);
	*quotient = negative ? -low : low;
	return x;
}

long double remainderl(long double x, long double y)
{
	int quotient;
	if ((y == 0 && !isnan(x)) || (isinf(x) && !isnan(y)))
		errno = EDOM;
	return remquol(x, y, &quotient);
}

long double frexpl(long double x, int *exponent)
{
	union long_double u = {.value = x};
	int biased = u.sign_exponent & 0x7fff;
	*exponent = 0;
	if (x == 0 || biased == LONG_DOUBLE_SPECIAL)
		return x;
	if (biased == 0) {
		x = frexpl(x * 0x1p64L, exponent);
		*exponent -= 64;
		return x;
	}
	*exponent = biased - (LONG_DOUBLE_BIAS - 1);
	u.sign_exponent = (uint16_t)((u.sign_exponent & 0x8000) | (LONG_DOUBLE_BIAS - 1));
	return u.value;
}

long double scalblnl(long double x, long n)
{
	long double by = n > 50000 ? 50000 : n < -50000 ? -50000 : n, result = x;
	__asm__("fscale" : "+t"(result) : "u"(by));
	if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
		errno = ERANGE;
	return result;
}

long double scalbnl(long double x, int n)
{
	return scalblnl(x, n);
}

long double ldexpl(long double x, int n)
{
	return scalblnl(x, n);
}

int ilogbl(long double x)
{
	int exponent;
	if (x == 0)
		return FP_ILOGB0;
	if (isnan(x))
		return FP_ILOGBNAN;
	if (isinf(x))
		return INT_MAX;
	frexpl(x, &exponent);
	return exponent - 1;
}

long double logbl(long double x)
{
	if (x == 0)
		return -1 / fabsl(x);
	if (!isfinite(x))
		return x * x;
	return ilogbl(x);
}

long double modfl(long double x, long double *whole)
{
	*whole = truncl(x);
	return copysignl(isinf(x) ? 0 : x - *whole, x);
}

/* Makes one step in the order of all values, away from zero or toward it. */
long double nextafterl(long double x, long double y)
{
	union long_double u = {.value = x};
	if (isnan(x) || isnan(y))
		return x + y;
	if (x == y)
		return y;
	if (x == 0) {
		u.fraction = 1;
		u.sign_exponent = (uint16_t)(long_double_negative(y) << 15);
		return u.value;
	}
	if ((x < y) == (x > 0)) {
		if (++u.fraction << 1 == 0) { /* the leading bit moved up: 0 to the first normal, or a new binade */
			u.fraction = 1UL << 63;
			u.sign_exponent++;
		}
	} else {
		if (u.fraction << 1 == 0 && (u.sign_exponent & 0x7fff) > 0) {
			u.sign_exponent--;
			u.fraction = u.sign_exponent & 0x7fff ? ~0UL : ~0UL >> 1;
		} else {
			u.fraction--;
		}
	}
	if (isinf(u.value))
		errno = ERANGE;
	return u.value;
}

long double nexttowardl(long double x, long double y)
{
	return nextafterl(x, y);
}

double nexttoward(double x, long double y)
{
	if (isnan(x) || isnan(y))
		return (double)(x + y);
	return x == y ? (double)y : nextafter(x, x < y ? INFINITY : -INFINITY);
}

float nexttowardf(float x, long double y)
{
	if (isnan(x) || isnan(y))
		return (float)(x + y);
	return x == y ? (float)y : nextafterf(x, x < y ? INFINITY : -INFINITY);
}

long double fmaxl(long double x, long double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) ? y : x;
	if (x == y)
		return long_double_negative(x) ? y : x;
	return x < y ? y : x;
}

long double fminl(long double x, long double y)
{
	if (isnan(x) || isnan(y))
		return isnan(x) ? y : x;
	if (x == y)
		return long_double_negative(x) ? x : y;
	return x < y ? x : y;
}

long double fdiml(long double x, long double y)
{
	if (isnan(x) || isnan(y))
		return x + y;
	return x > y ? x - y : 0;
}
