/* SPDX-License-Identifier: MIT */
/* Over newlib's <math.h>, which declares long double functions only where long double is double. */
#ifndef EREMITE_MATH_H
#define EREMITE_MATH_H

#include_next <math.h>

/* newlib's is a macro, log(x) / ln 2, that hides the exact function. */
#undef log2

#if __ISO_C_VISIBLE >= 1999
__BEGIN_DECLS
long double acosl(long double __x);
long double asinl(long double __x);
long double atanl(long double __x);
long double cosl(long double __x);
long double sinl(long double __x);
long double tanl(long double __x);
long double coshl(long double __x);
long double sinhl(long double __x);
long double tanhl(long double __x);
long double acoshl(long double __x);
long double asinhl(long double __x);
long double atanhl(long double __x);
long double expl(long double __x);
long double exp2l(long double __x);
long double expm1l(long double __x);
long double logl(long double __x);
long double log10l(long double __x);
long double log2l(long double __x);
long double log1pl(long double __x);
long double logbl(long double __x);
long double sqrtl(long double __x);
long double cbrtl(long double __x);
long double fabsl(long double __x);
long double ceill(long double __x);
long double floorl(long double __x);
long double truncl(long double __x);
long double roundl(long double __x);
long double rintl(long double __x);
long double nearbyintl(long double __x);
long double erfl(long double __x);
long double erfcl(long double __x);
long double lgammal(long double __x);
long double tgammal(long double __x);
long double atan2l(long double __x, long double __y);
long double powl(long double __x, long double __y);
long double fmodl(long double __x, long double __y);
long double remainderl(long double __x, long double __y);
long double hypotl(long double __x, long double __y);
long double copysignl(long double __x, long double __y);
long double nextafterl(long double __x, long double __y);
long double nexttowardl(long double __x, long double __y);
long double fdiml(long double __x, long double __y);
long double fmaxl(long double __x, long double __y);
long double fminl(long double __x, long double __y);
double nexttoward(double __x, long double __y);
float nexttowardf(float __x, long double __y);
long double frexpl(long double __x, int *__exponent);
long double ldexpl(long double __x, int __exponent);
long double scalbnl(long double __x, int __exponent);
long double scalblnl(long double __x, long __exponent);
long double modfl(long double __x, long double *__whole);
long double remquol(long double __x, long double __y, int *__quotient);
long double nanl(const char *__tag);
int ilogbl(long double __x);
long lrintl(long double __x);
long lroundl(long double __x);
long long llrintl(long double __x);
long long llroundl(long double __x);
#if __GNU_VISIBLE
void sincosl(long double __x, long double *__sine, long double *__cosine);
#define M_El 2.718281828459045235360287471352662498L
#define M_PIl 3.141592653589793238462643383279502884L
#define M_PI_2l 1.570796326794896619231321691639751442L
#define M_LN2l 0.693147180559945309417232121458176568L
#define M_SQRT2l 1.414213562373095048801688724209698079L
#endif
__END_DECLS
#endif

#endif
