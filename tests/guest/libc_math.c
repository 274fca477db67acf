/* SPDX-License-Identifier: MIT */
/* Mathematics: exact and correctly rounded functions to the last bit, the others to 13 digits; the environment. */
#include <complex.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double half = 0.5, zero = 0.0, third = 1.0 / 3, large = 1e300;
static volatile float third_f = 1.0f / 3;
static volatile long double third_l = 1.0L / 3;

static void exact(void)
{
	int exponent, quotient;
	double whole;
	printf("%a %a %a %a\n", sqrt(2 * half * 2), sqrt(third), sqrt(large), (double)sqrtf(third_f));
	printf("%a %a\n", fma(third, 3, -1), fma(0x1.0000000000001p0 + zero, 0x1.fffffffffffffp-1, -1));
	printf("%a %a\n", (double)fmaf(third_f, 3, -1), fma(large, large, -INFINITY));
	printf("%a %a %a %a\n", floor(-half), ceil(-half), trunc(-1.5 * half), round(2.5 + zero));
	printf("%a %a %ld %ld\n", rint(2.5 + zero), nearbyint(3.5 + zero), lrint(2.5 + zero), lround(-2.5 + zero));
	printf("%a %a %a\n", fmod(5.3 + zero, 2), remainder(5.3 + zero, 2), remquo(29 + zero, 3, &quotient));
	printf("%d\n", quotient & 7);
	printf("%a", frexp(48 + zero, &exponent));
	printf(" %d %a %a %d\n", exponent, ldexp(third, 10), scalbn(third, -1060) * 0x1p500, ilogb(large));
	printf("%a", modf(-3.75 + zero, &whole));
	printf(" %a %a %a %a\n", whole, copysign(1, -zero), nextafter(1 + zero, 2), nextafter(zero, 1) * 0x1p500);
	printf("%a %a %a %a\n", fmax(NAN + zero, 1), fmin(1 + zero, 2), fdim(3 + zero, 1), hypot(3 + zero, 4));
	printf("%.20Lg %.20Lg %.20Lg %.20Lg\n", sqrtl(third_l), floorl(-third_l), fmodl(7 * third_l, 2),
	       fabsl(-third_l));
	printf("%.4Lf %.4Lf %.4Lf\n", expl(third_l), powl(2, third_l), sinl(third_l));
	printf("%d %d %d %d %d\n", isnan(zero / zero) != 0, isinf(1 / zero) != 0, signbit(-zero) != 0,
	       fpclassify(DBL_MIN * half) == FP_SUBNORMAL, isnormal(third) != 0);
}

static void close_enough(void)
{
	printf("%.13g %.13g %.13g %.13g\n", exp(third), exp2(third), expm1(third), exp(-700 * third));
	printf("%.13g %.13g %.13g %.13g\n", log(third), log2(third), log10(third), log1p(third));
	printf("%.13g %.13g %.13g %.13g\n", sin(third), cos(third), tan(third), sin(1e22 + zero));
	printf("%.13g %.13g %.13g %.13g\n", asin(third), acos(third), atan(third), atan2(-1 + zero, -third));
	printf("%.13g %.13g %.13g\n", sinh(third), cosh(third), tanh(third));
	printf("%.13g %.13g %.13g\n", asinh(third), acosh(1 + third), atanh(third));
	printf("%.13g %.13g %.13g %.13g\n", pow(third, 5), pow(2 + zero, 0.5), cbrt(third), pow(-8 + zero, 3));
	printf("%.13g %.13g %.13g %.13g\n", erf(third), erfc(third), tgamma(third), lgamma(third));
	printf("%.6g %.6g %.6g\n", (double)sinf(third_f), (double)expf(third_f), (double)powf(third_f, 2.5f));
	printf("%.12g %.12g\n", creal(cexp(third * I)), cimag(csqrt(-2 + third * I)));
}

static void environment(void)
{
	volatile double one = 1, three = 3;
	const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (int i = 0; i < 4; i++) {
		fesetround(modes[i]);
		volatile double up = one / three, down = -one / three;
		printf("%a %a %.0f\n", up, down, rint(half));
	}
	fesetround(FE_TONEAREST);
	feclearexcept(FE_ALL_EXCEPT);
	volatile double sink = one / zero;
	printf("%d", fetestexcept(FE_DIVBYZERO) != 0);
	sink = zero / zero;
	printf(" %d", fetestexcept(FE_INVALID) != 0);
	sink = large * large;
	printf(" %d", fetestexcept(FE_OVERFLOW) != 0);
	sink = one / three;
	printf(" %d\n", fetestexcept(FE_INEXACT) != 0);
	(void)sink;
	errno = 0;
	sink = log(-one);
	printf("%d", errno == EDOM);
	errno = 0;
	sink = exp(1000 * one);
	printf(" %d", errno == ERANGE);
	errno = 0;
	sink = sqrt(-one);
	printf(" %d\n", errno == EDOM);
	printf("%d %g %g %d %Lg\n", FLT_EVAL_METHOD, DBL_EPSILON, DBL_MAX, LDBL_MANT_DIG, LDBL_MAX);
}

int main(void)
{
	exact();
	close_enough();
	environment();
	div_t parts = div(-7, 2);
	ldiv_t long_parts = ldiv(LONG_MIN, 10);
	printf("%d %d %ld %ld %d\n", parts.quot, parts.rem, long_parts.quot, long_parts.rem, abs(-3));
	return 0;
}
