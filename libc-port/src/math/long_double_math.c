/* SPDX-License-Identifier: MIT */
/* Elementary functions in long double, which newlib lacks. Errors are a few units in the last place; some hundred for
 * powl near the ends of the range.
 *
 * They use only addition, multiplication, division and square root, which every processor rounds alike. The x87's
 * transcendental instructions differ between makers. Constants of more than 64 bits have two parts. */
#include "libc-port/src/math/long_double.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#define LN2_HIGH 0x1.62e42fefp-1L /* 32 bits: its multiples by exponents are exact */
#define LN2_LOW 0x1.473de6af278ece600fcbp-34L
#define LOG2_E 1.4426950408889634073599246810018921374L
#define LOG10_E 0.43429448190325182765112891891660508229L
#define LOG10_2_HIGH 0x1.34413508p-2L
#define LOG10_2_LOW 0x1.f79fef311f12b35816f9p-34L
#define PI 3.14159265358979323846264338327950288L
#define HALF_PI 1.57079632679489661923132169163975144L
#define HALF_PI_LOW (-2.508278806334166011778663540165e-20L)

/* newlib's: the remainder of x by pi/2 in two parts, and the quotient's low bits. */
int __ieee754_rem_pio2(double x, double *remainder);

static long double overflow(bool negative)
{
	errno = ERANGE;
	return negative ? -INFINITY : INFINITY;
}

static long double invalid(long double x)
{
	if (!isnan(x))
		errno = EDOM;
	return (x - x) / (x - x);
}

/* exp(x) - 1 for |x| <= 0.36, by its Taylor series. */
static long double small_expm1(long double x)
{
	long double sum = 1;
	for (int n = 22; n >= 2; n--)
		sum = 1 + x / n * sum;
	return x * sum;
}

/* exp(x + low), low small beside x. */
static long double exp_of(long double x, long double low)
{
	if (x > 11357)
		return overflow(false);
	if (x < -11515) {
		errno = ERANGE;
		return 0;
	}
	long double n = rintl(x * LOG2_E);
	long double rest = x - n * LN2_HIGH - (n * LN2_LOW - low);
	return scalbnl(1 + small_expm1(rest), (int)n);
}

long double expl(long double x)
{
	if (!isfinite(x))
		return isnan(x) || x > 0 ? x : 0;
	return exp_of(x, 0);
}

long double exp2l(long double x)
{
	if (!isfinite(x))
		return isnan(x) || x > 0 ? x : 0;
	if (x >= 16384)
		return overflow(false);
	if (x < -16500) {
		errno = ERANGE;
		return 0;
	}
	long double n = rintl(x), rest = x - n;
	return scalbnl(1 + small_expm1(rest * LN2_HIGH + rest * LN2_LOW), (int)n);
}

long double expm1l(long double x)
{
	if (fabsl(x) <= 0.36L)
		return x == 0 ? x : small_expm1(x);
	return expl(x) - 1;
}

/* 2 * atanh(s) - 2 * s for |s| <= 0.172: log((1 + s) / (1 - s)) without its first term. */
static long double atanh_tail(long double s)
{
	long double square = s * s, sum = 0;
	for (int n = 31; n >= 3; n -= 2)
		sum = sum * square + 2.0L / n;
	return sum * square * s;
}

/* Splits x into a significand near 1, between sqrt(1/2) and sqrt(2), and a power of two. */
static long double split_exponent(long double x, int *exponent)
{
	long double m = frexpl(x, exponent);
	if (m < 0.70710678118654752440L) {
		m *= 2;
		--*exponent;
	}
	return m;
}

/* log(x) for arguments without a logarithm, or with a special one. */
static long double log_special(long double x)
{
	if (x == 0) {
		errno = ERANGE;
		return -1 / fabsl(x);
	}
	return x < 0 ? invalid(x) : x;
}

static bool has_log(long double x)
{
	return x > 0 && isfinite(x);
}

static long double log_near_one(long double m)
{
	long double s = (m - 1) / (m + 1);
	return 2 * s + atanh_tail(s);
}

long double logl(long double x)
{
	int n;
	if (!has_log(x))
		return log_special(x);
	long double m = split_exponent(x, &n);
	return n * LN2_HIGH + (log_near_one(m) + n * LN2_LOW);
}

long double log2l(long double x)
{
	int n;
	if (!has_log(x))
		return log_special(x);
	long double m = split_exponent(x, &n);
	return n + log_near_one(m) * LOG2_E;
}

long double log10l(long double x)
{
	int n;
	if (!has_log(x))
		return log_special(x);
	long double m = split_exponent(x, &n);
	return n * LOG10_2_HIGH + (log_near_one(m) * LOG10_E + n * LOG10_2_LOW);
}

long double log1pl(long double x)
{
	if (fabsl(x) > 0.4L || isnan(x))
		return isnan(x) ? x : logl(1 + x);
	if (x == 0)
		return x;
	long double s = x / (2 + x);
	return 2 * s + atanh_tail(s);
}

/* An unevaluated sum of two numbers, for logarithms to multiply. */
struct pair {
	long double high, low;
};

static struct pair two_sum(long double a, long double b)
{
	long double sum = a + b, part = sum - a;
	return (struct pair){sum, (a - (sum - part)) + (b - part)};
}

/* The upper 32 bits of x: products of such halves are exact. */
static long double upper(long double x)
{
	union long_double u = {.value = x};
	u.fraction &= 0xffffffff00000000UL;
	return u.value;
}

static struct pair two_product(long double a, long double b)
{
	long double product = a * b, a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
	return (struct pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* log(x) to some 70 bits. */
static struct pair log_pair(long double x)
{
	int n;
	long double m = split_exponent(x, &n), s = (m - 1) / (m + 1);
	struct pair back = two_product(s, m + 1), sum = two_sum(m, 1);
	long double correction = ((m - 1) - back.high - back.low - s * sum.low) / (m + 1);
	struct pair main = two_sum(n * LN2_HIGH, 2 * s);
	return two_sum(main.high, main.low + (2 * correction + atanh_tail(s) + n * LN2_LOW));
}

/* Repeated squaring, which is exact if the result is. */
static long double power_integer(long double x, int n)
{
	long double result = 1;
	for (unsigned left = (unsigned)(n < 0 ? -n : n); left; left >>= 1) {
		if (left & 1)
			result *= x;
		x *= x;
	}
	return n < 0 ? 1 / result : result;
}

static bool is_integer(long double x)
{
	return isfinite(x) && truncl(x) == x;
}

static bool is_odd(long double x)
{
	return is_integer(x) && fabsl(x) < 0x1p64L && fmodl(x, 2) != 0;
}

/* Powers of zero, of infinity, and to infinite exponents (C17 F.10.4.4). */
static long double power_special(long double x, long double y)
{
	bool negative = long_double_negative(x) && is_odd(y);
	if (isinf(y)) {
		if (x == -1)
			return 1;
		return (fabsl(x) > 1) == (y > 0) ? INFINITY : 0;
	}
	if ((x == 0) == (y > 0))
		return negative ? -0.0L : 0;
	if (x == 0)
		errno = ERANGE;
	return negative ? -INFINITY : INFINITY;
}

long double powl(long double x, long double y)
{
	if (x == 1 || y == 0)
		return 1;
	if (isnan(x) || isnan(y))
		return x + y;
	if (x == 0 || isinf(x) || isinf(y))
		return power_special(x, y);
	if (x < 0 && !is_integer(y))
		return invalid(x);
	if (is_integer(y) && fabsl(y) <= 64) {
		long double exact = power_integer(x, (int)y);
		if (isfinite(exact) && exact != 0)
			return exact;
	}
	bool negative = x < 0 && is_odd(y);
	struct pair logarithm = log_pair(fabsl(x)), product = two_product(logarithm.high, y);
	product.low += logarithm.low * y;
	long double result;
	if (!isfinite(product.high) || fabsl(product.high) > 20000)
		result = exp_of(product.high > 0 ? 20000 : -20000, 0);
	else
		result = exp_of(product.high, product.low);
	return negative ? -result : result;
}

static long double sin_series(long double x)
{
	long double square = x * x, sum = 1;
	for (int n = 26; n >= 2; n -= 2)
		sum = 1 - square / (n * (n + 1)) * sum;
	return x * sum;
}

static long double cos_series(long double x)
{
	long double square = x * x, sum = 1;
	for (int n = 25; n >= 3; n -= 2)
		sum = 1 - square / (n * (n + 1)) * sum;
	return 1 - square / 2 * sum;
}

/* The remainder of x by pi/2, and the quotient modulo 4. x is split into doubles, whose remainders are exact enough. */
static int reduce(long double x, long double *rest)
{
	double high, part[2];
	int quadrant = 0;
	if (fabsl(x) <= 0.78539816339744830961L) {
		*rest = x;
		return 0;
	}
	high = (double)x;
	quadrant = __ieee754_rem_pio2(high, part);
	*rest = (long double)part[0] + ((long double)part[1] + (x - high));
	return quadrant & 3;
}

static bool has_angle(long double x)
{
	return isfinite(x) && fabsl(x) < 0x1p1023L;
}

long double sinl(long double x)
{
	long double rest;
	if (!has_angle(x))
		return invalid(x);
	switch (reduce(x, &rest)) {
	case 0:
		return sin_series(rest);
	case 1:
		return cos_series(rest);
	case 2:
		return -sin_series(rest);
	default:
		return -cos_series(rest);
	}
}

long double cosl(long double x)
{
	long double rest;
	if (!has_angle(x))
		return invalid(x);
	switch (reduce(x, &rest)) {
	case 0:
		return cos_series(rest);
	case 1:
		return -sin_series(rest);
	case 2:
		return -cos_series(rest);
	default:
		return sin_series(rest);
	}
}

long double tanl(long double x)
{
	long double rest;
	if (!has_angle(x))
		return invalid(x);
	int quadrant = reduce(x, &rest);
	long double sine = sin_series(rest), cosine = cos_series(rest);
	return quadrant & 1 ? -cosine / sine : sine / cosine;
}

void sincosl(long double x, long double *sine, long double *cosine)
{
	*sine = sinl(x);
	*cosine = cosl(x);
}

/* newlib's double result, corrected once: atan(x) = a + atan((x - tan a) / (1 + x tan a)). */
long double atanl(long double x)
{
	if (isnan(x) || x == 0 || fabsl(x) < 0x1p-40L)
		return x;
	if (fabsl(x) > 1)
		return copysignl(HALF_PI - (atanl(1 / fabsl(x)) - HALF_PI_LOW), x);
	long double first = atan((double)x), tangent = sin_series(first) / cos_series(first);
	return first + (x - tangent) / (1 + x * tangent);
}

long double atan2l(long double y, long double x)
{
	if (isnan(x) || isnan(y))
		return x + y;
	long double angle;
	if (y == 0 || isinf(x))
		angle = isinf(x) && isinf(y) ? PI / 4 : 0;
	else if (x == 0 || isinf(y))
		return copysignl(HALF_PI, y);
	else
		angle = atanl(fabsl(y / x));
	if (long_double_negative(x))
		angle = PI - (angle - 2 * HALF_PI_LOW);
	return copysignl(angle, y);
}

/* For |x| <= 1/2, newlib's double result corrected once. */
static long double asin_small(long double x)
{
	if (fabsl(x) < 0x1p-40L)
		return x;
	long double first = asin((double)x);
	return first + (x - sin_series(first)) / cos_series(first);
}

long double asinl(long double x)
{
	if (isnan(x) || fabsl(x) > 1)
		return invalid(x);
	if (fabsl(x) <= 0.5L)
		return asin_small(x);
	return copysignl(HALF_PI - (2 * asin_small(sqrtl((1 - fabsl(x)) / 2)) - HALF_PI_LOW), x);
}

long double acosl(long double x)
{
	if (isnan(x) || fabsl(x) > 1)
		return invalid(x);
	if (fabsl(x) <= 0.5L)
		return HALF_PI - (asin_small(x) - HALF_PI_LOW);
	long double half = asin_small(sqrtl((1 - fabsl(x)) / 2));
	return x > 0 ? 2 * half : PI - 2 * (half - HALF_PI_LOW);
}

long double sinhl(long double x)
{
	if (!isfinite(x) || x == 0)
		return x;
	long double size = fabsl(x), e;
	if (size > 11000) {
		e = exp_of(size / 2, 0);
		return copysignl(e / 2 * e, x);
	}
	e = expm1l(size);
	return copysignl((e + e / (e + 1)) / 2, x);
}

long double coshl(long double x)
{
	if (!isfinite(x))
		return x * x;
	long double size = fabsl(x), e;
	if (size > 11000) {
		e = exp_of(size / 2, 0);
		return e / 2 * e;
	}
	e = expl(size);
	return (e + 1 / e) / 2;
}

long double tanhl(long double x)
{
	if (isnan(x) || x == 0)
		return x;
	if (fabsl(x) > 40)
		return copysignl(1, x);
	long double e = expm1l(2 * fabsl(x));
	return copysignl(e / (e + 2), x);
}

long double asinhl(long double x)
{
	long double size = fabsl(x);
	if (!isfinite(x) || x == 0)
		return x;
	if (size > 0x1p40L)
		return copysignl(logl(size) + (LN2_HIGH + LN2_LOW), x);
	return copysignl(log1pl(size + size * size / (1 + sqrtl(size * size + 1))), x);
}

long double acoshl(long double x)
{
	if (isnan(x) || x < 1)
		return invalid(x);
	if (x > 0x1p40L)
		return logl(x) + (LN2_HIGH + LN2_LOW);
	long double above = x - 1;
	return log1pl(above + sqrtl(2 * above + above * above));
}

long double atanhl(long double x)
{
	if (isnan(x) || fabsl(x) > 1)
		return invalid(x);
	if (fabsl(x) == 1) {
		errno = ERANGE;
		return x / 0.0L;
	}
	return x == 0 ? x : copysignl(log1pl(2 * fabsl(x) / (1 - fabsl(x))) / 2, x);
}

long double cbrtl(long double x)
{
	int exponent;
	if (!isfinite(x) || x == 0)
		return x;
	long double m = frexpl(x, &exponent);
	int third = exponent / 3;
	m = scalbnl(m, exponent - 3 * third);
	long double root = cbrt((double)m);
	root -= (root - m / (root * root)) / 3; /* Newton's step doubles the 53 bits of the double result */
	return scalbnl(root, third);
}

long double hypotl(long double x, long double y)
{
	if (isinf(x) || isinf(y))
		return INFINITY;
	x = fabsl(x);
	y = fabsl(y);
	long double big = fmaxl(x, y), small = fminl(x, y);
	int exponent;
	if (isnan(x + y) || small == 0)
		return x + y;
	frexpl(big, &exponent);
	big = scalbnl(big, -exponent);
	small = scalbnl(small, -exponent);
	return scalbnl(sqrtl(big * big + small * small), exponent);
}

/* These three are as precise as newlib's double functions. */
long double erfl(long double x)
{
	return erf((double)x);
}

long double erfcl(long double x)
{
	return erfc((double)x);
}

long double lgammal(long double x)
{
	return lgamma((double)x);
}
