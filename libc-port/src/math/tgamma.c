/* SPDX-License-Identifier: MIT */
/* The gamma function, in long double for all three types. newlib's is exp(lgamma(x)), which loses ten bits.
 *
 * Stirling's series (DLMF 5.11.1) is evaluated only in [20, 21); the recurrence reaches every other argument. */
#include <errno.h>
#include <math.h>

#define PI 3.14159265358979323846264338327950288L
#define HALF_LOG_2PI 0.91893853320467274178032973640561764L

/* B(2k) / (2k (2k - 1)), k = 1 to 10. */
static const long double stirling[] = {
	1 / 12.0L,        -1 / 360.0L, 1 / 1260.0L,       -1 / 1680.0L,      1 / 1188.0L,
	-691 / 360360.0L, 1 / 156.0L,  -3617 / 122400.0L, 43867 / 244188.0L, -174611 / 125400.0L,
};

/* gamma(x) for x >= 1, by steps of one from [20, 21). */
static long double positive(long double x)
{
	long double z = x, up = 1, down = 1, sum = 0;
	for (; z < 20; z++)
		down *= z;
	while (z >= 21)
		up *= --z;
	long double square = 1 / (z * z);
	for (int k = 9; k >= 0; k--)
		sum = sum * square + stirling[k];
	return expl((z - 0.5L) * logl(z) - z + HALF_LOG_2PI + sum / z) * up / down;
}

/* sin(pi x), its argument reduced without error. */
static long double sin_pi(long double x)
{
	long double whole = rintl(x), rest = x - whole;
	long double sine = fabsl(rest) <= 0.25L ? sinl(PI * rest) : copysignl(cosl(PI * (0.5L - fabsl(rest))), rest);
	return fmodl(whole, 2) == 0 ? sine : -sine;
}

/* gamma(x) for arguments that are no poles and have a result in long double's range. */
static long double gamma_of(long double x)
{
	if (x >= 1)
		return positive(x);
	if (x > -1) /* two steps up; near 0 this is 1 / x */
		return positive(x + 2) / (x * (x + 1));
	return PI / (sin_pi(x) * positive(1 - x));
}

/* Handles special arguments. Returns 1 for others. */
static int special(long double x, long double *result)
{
	if (isnan(x) || (isinf(x) && x > 0)) {
		*result = x;
	} else if (x == 0) {
		errno = ERANGE;
		*result = 1 / x;
	} else if (x < 0 && floorl(x) == x) {
		errno = EDOM;
		*result = (x - x) / (x - x);
		if (isfinite(x)) {
			volatile long double zero = 0;
			*result = zero / zero;
		}
	} else {
		return 1;
	}
	return 0;
}

long double tgammal(long double x)
{
	long double result;
	if (!special(x, &result))
		return result;
	if (x > 1756 || (x < 0 && x > -0x1p-16384L)) {
		errno = ERANGE;
		return copysignl(HUGE_VALL, x);
	}
	if (x < -1760) {
		errno = ERANGE;
		return fmodl(floorl(x), 2) == 0 ? 0.0L : -0.0L;
	}
	result = gamma_of(x);
	if (isinf(result) || result == 0)
		errno = ERANGE;
	return result;
}

/* gamma(x) for a narrower type. Outside of the limits, returns a value of the right sign that overflows or underflows
 * in that type. */
static long double gamma_within(long double x, long double low, long double high)
{
	if (x > high)
		return 0x1p2000L;
	if (x < low)
		return fmodl(floorl(x), 2) == 0 ? 0x1p-2000L : -0x1p-2000L;
	return gamma_of(x);
}

double tgamma(double x)
{
	long double result;
	if (!special(x, &result))
		return (double)result;
	result = gamma_within(x, -186, 172);
	volatile double rounded = (double)result; /* raises overflow or underflow */
	if (isinf(rounded) || rounded == 0)
		errno = ERANGE;
	return rounded;
}

float tgammaf(float x)
{
	long double result;
	if (!special(x, &result))
		return (float)result;
	result = gamma_within(x, -44, 37);
	volatile float rounded = (float)result;
	if (isinf(rounded) || rounded == 0)
		errno = ERANGE;
	return rounded;
}
