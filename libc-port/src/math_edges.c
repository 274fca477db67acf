/* SPDX-License-Identifier: MIT */
/* Mathematics at its edges, where newlib's differ from ISO C (annex F) and Linux: fdim, nextafter, tgamma. */
#include <errno.h>
#include <math.h>

/* newlib's own, renamed when its archive is put together (newlib.mk). */
double __newlib_nextafter(double x, double y);
float __newlib_nextafterf(float x, float y);
double __newlib_tgamma(double x);
float __newlib_tgammaf(float x);

double fdim(double x, double y)
{
	if (islessequal(x, y))
		return 0;
	double difference = x - y;
	if (isinf(difference) && isfinite(x) && isfinite(y))
		errno = ERANGE;
	return difference;
}

float fdimf(float x, float y)
{
	if (islessequal(x, y))
		return 0;
	float difference = x - y;
	if (isinf(difference) && isfinite(x) && isfinite(y))
		errno = ERANGE;
	return difference;
}

double nextafter(double x, double y)
{
	return x == y ? y : __newlib_nextafter(x, y);
}

float nextafterf(float x, float y)
{
	return x == y ? y : __newlib_nextafterf(x, y);
}

double tgamma(double x)
{
	if (x == 0) {
		errno = ERANGE;
		return 1 / x;
	}
	if (x < 0 && floor(x) == x) {
		errno = EDOM;
		return (x - x) / (x - x);
	}
	return __newlib_tgamma(x);
}

float tgammaf(float x)
{
	if (x == 0) {
		errno = ERANGE;
		return 1 / x;
	}
	if (x < 0 && floorf(x) == x) {
		errno = EDOM;
		return (x - x) / (x - x);
	}
	return __newlib_tgammaf(x);
}
