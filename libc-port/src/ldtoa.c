/* SPDX-License-Identifier: MIT */
/* Digits of a floating-point number for printf. newlib's printf makes every double a long double and converts that in
 * emulated arithmetic, which takes 5 us; nearly all are doubles still, and dtoa is exact and 20 times as fast.
 *
 * eremite-cc links with --wrap=_ldtoa_r, so that newlib's calls come here and __real__ldtoa_r is its own function. */
#include <reent.h>

#define INTERFACE(name) \
	char *name(struct _reent *reent, long double value, int mode, int digits, int *point, int *negative, char **end)

char *_dtoa_r(struct _reent *reent, double value, int mode, int digits, int *point, int *negative, char **end);
INTERFACE(__real__ldtoa_r);
INTERFACE(__wrap__ldtoa_r);

INTERFACE(__wrap__ldtoa_r)
{
	double narrow = (double)value;
	if ((long double)narrow == value)
		return _dtoa_r(reent, narrow, mode, digits, point, negative, end);
	return __real__ldtoa_r(reent, value, mode, digits, point, negative, end);
}
