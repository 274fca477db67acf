/* SPDX-License-Identifier: MIT */
/* Special cases of Bessel functions, as in POSIX and Linux: infinity is no error, a pole is a range error with an
 * infinite result, and the second kind is undefined below 0. Replaces newlib's wrappers, which follow System V. */
#include <errno.h>
#include <math.h>

/* newlib's functions under the wrappers. */
#define IEEE(type, name, suffix, ...) type __ieee754_##name##suffix(__VA_ARGS__)

/* A result of 0 for a finite argument other than 0 has underflowed. */
#define FIRST_KIND(type, x, call) \
	{ \
		type result = call; \
		if (result == 0 && (x) != 0 && isfinite(x)) \
			errno = ERANGE; \
		return result; \
	}

/* POLE is -1 or 1, the sign of the infinity at 0. */
#define SECOND_KIND(type, x, pole, call) \
	{ \
		volatile type zero = 0; \
		if (isless(x, 0)) { \
			errno = EDOM; \
			return zero / zero; \
		} \
		if ((x) == 0) { \
			errno = ERANGE; \
			return (pole) / zero; \
		} \
		type result = call; \
		if (isinf(result)) \
			errno = ERANGE; \
		return result; \
	}

#define BESSEL(type, suffix) \
	IEEE(type, j0, suffix, type x); \
	IEEE(type, j1, suffix, type x); \
	IEEE(type, jn, suffix, int n, type x); \
	IEEE(type, y0, suffix, type x); \
	IEEE(type, y1, suffix, type x); \
	IEEE(type, yn, suffix, int n, type x); \
\
	type j0##suffix(type x) FIRST_KIND(type, x, __ieee754_j0##suffix(x)) \
\
		type j1##suffix(type x) FIRST_KIND(type, x, __ieee754_j1##suffix(x)) \
\
			type jn##suffix(int n, type x) FIRST_KIND(type, x, __ieee754_jn##suffix(n, x)) \
\
				type y0##suffix(type x) SECOND_KIND(type, x, -1, __ieee754_y0##suffix(x)) \
\
					type y1##suffix(type x) SECOND_KIND(type, x, -1, __ieee754_y1##suffix(x)) \
\
						type yn##suffix(int n, type x) SECOND_KIND( \
							type, x, n < 0 && n % 2 ? 1 : -1, __ieee754_yn##suffix(n, x))

BESSEL(double, )
BESSEL(float, f)
