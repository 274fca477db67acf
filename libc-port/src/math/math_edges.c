/* SPDX-License-Identifier: MIT */
/* Special cases in which newlib's mathematics differs from ISO C (annex F), POSIX and Linux, mostly in errno. Also
 * functions that newlib computes too coarsely. */
#include <errno.h>
#include <math.h>

/* newlib's own are renamed when its archive is put together (newlib.mk). */
#define NEWLIB(type, name, ...) type __newlib_##name(__VA_ARGS__)

#define EDGES(type, suffix) \
	NEWLIB(type, nextafter##suffix, type x, type y); \
	NEWLIB(type, lgamma##suffix, type x); \
	NEWLIB(type, atanh##suffix, type x); \
	NEWLIB(type, cosh##suffix, type x); \
	NEWLIB(type, atan2##suffix, type y, type x); \
	NEWLIB(type, fmod##suffix, type x, type y); \
	NEWLIB(type, remainder##suffix, type x, type y); \
\
	type fdim##suffix(type x, type y) \
	{ \
		if (islessequal(x, y)) \
			return 0; \
		type difference = x - y; \
		if (isinf(difference) && isfinite(x) && isfinite(y)) \
			errno = ERANGE; \
		return difference; \
	} \
\
	type nextafter##suffix(type x, type y) \
	{ \
		if (x == y) \
			return y; \
		type next = __newlib_nextafter##suffix(x, y); \
		if (isfinite(x) && x != 0 && (fpclassify(next) == FP_SUBNORMAL || next == 0 || isinf(next))) \
			errno = ERANGE; \
		return next; \
	} \
\
	/* A pole is a range error, not a domain error. */ \
	type lgamma##suffix(type x) \
	{ \
		type result = __newlib_lgamma##suffix(x); \
		if (isinf(result) && isfinite(x)) \
			errno = ERANGE; \
		return result; \
	} \
\
	type atanh##suffix(type x) \
	{ \
		type result = __newlib_atanh##suffix(x); \
		if (isinf(result)) \
			errno = ERANGE; \
		return result; \
	} \
\
	type cosh##suffix(type x) \
	{ \
		return isinf(x) ? x * x : __newlib_cosh##suffix(x); \
	} \
\
	type atan2##suffix(type y, type x) \
	{ \
		type result = __newlib_atan2##suffix(y, x); \
		if (result == 0 && y != 0 && isfinite(x)) \
			errno = ERANGE; \
		return result; \
	} \
\
	type fmod##suffix(type x, type y) \
	{ \
		if (isnan(x) || isnan(y)) \
			return x + y; \
		if (isinf(x)) \
			errno = EDOM; \
		return __newlib_fmod##suffix(x, y); \
	} \
\
	type remainder##suffix(type x, type y) \
	{ \
		if (isnan(x) || isnan(y)) \
			return x + y; \
		if (isinf(x)) \
			errno = EDOM; \
		return __newlib_remainder##suffix(x, y); \
	}

EDGES(double, )
EDGES(float, f)

/* newlib's sinf and cosf set errno themselves. */
#define ANGLE(type, name) \
	NEWLIB(type, name, type x); \
\
	type name(type x) \
	{ \
		if (isinf(x)) \
			errno = EDOM; \
		return __newlib_##name(x); \
	}

ANGLE(double, sin)
ANGLE(double, cos)
ANGLE(double, tan)
ANGLE(float, tanf)

double __newlib_erfc(double x);

double erfc(double x)
{
	double result = __newlib_erfc(x);
	if (result == 0 && isfinite(x))
		errno = ERANGE;
	return result;
}

/* newlib's erfcf and cbrtf are wrong by up to 63 and 3 units in the last place; these by half a unit. */
float erfcf(float x)
{
	volatile float result = (float)erfc(x);
	if (result == 0 && isfinite(x))
		errno = ERANGE;
	return result;
}

float cbrtf(float x)
{
	return (float)cbrt(x);
}
