/* SPDX-License-Identifier: MIT */
/* Mathematics at its edges: results, errno and exceptions of functions for zeros, infinities, NaN and limits. */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "say.h"

static const double values[] = {0.0,    -0.0,    1,        -1,        0.5,     -0.5,     1.5,     2,
                                -2,     3,       -3,       10,        170,     171,      172,     -170.5,
                                -171.5, -200.5,  1e-310,   -1e-310,   DBL_MIN, -DBL_MIN, DBL_MAX, -DBL_MAX,
                                5e-324, -5e-324, INFINITY, -INFINITY, NAN,     709.5,    710,     -745,
                                -746,   1e15,    1e300,    -1e300,    0x1p53,  0x1p-1074};

static const float floats[] = {0.0F,    -0.0F,    1,   -1,     0.5F,   -0.5F,  2,      -2,       3,
                               -3,      34,       35,  36,     -33.5F, -36.5F, -50.5F, FLT_MIN,  -FLT_MIN,
                               FLT_MAX, -FLT_MAX, NAN, 1e-45F, 1e10F,  1e30F,  -1e30F, INFINITY, -INFINITY};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A result of special value is exact; of any other, some digits do: the last ones may differ. */
static int digits;

static void show(const char *name, double result)
{
	int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
	printf(" %s=", name);
	if (isnan(result))
		printf("nan");
	else
		printf("%.*g", digits, result);
	printf(",%s,%s%s%s", errno_name(errno), raised & FE_INVALID ? "i" : "", raised & FE_DIVBYZERO ? "z" : "",
	       raised & FE_OVERFLOW ? "o" : "");
}

#define CALL(name, ...) (errno = 0, feclearexcept(FE_ALL_EXCEPT), show(#name, name(__VA_ARGS__)))

static void one_argument(volatile double x)
{
	printf("%.17g:", x);
	CALL(tgamma, x);
	CALL(lgamma, x);
	CALL(exp, x);
	CALL(exp2, x);
	CALL(expm1, x);
	CALL(log, x);
	CALL(log2, x);
	CALL(log10, x);
	CALL(log1p, x);
	CALL(sqrt, x);
	CALL(cbrt, x);
	CALL(acos, x);
	CALL(asin, x);
	CALL(atanh, x);
	CALL(acosh, x);
	CALL(sinh, x);
	CALL(cosh, x);
	CALL(tanh, x);
	CALL(erf, x);
	CALL(erfc, x);
	printf("\n");
}

static void two_arguments(volatile double x, volatile double y)
{
	printf("%.17g %.17g:", x, y);
	CALL(fdim, x, y);
	CALL(fmin, x, y);
	CALL(fmax, x, y);
	CALL(fmod, x, y);
	CALL(remainder, x, y);
	CALL(pow, x, y);
	CALL(hypot, x, y);
	CALL(atan2, x, y);
	CALL(nextafter, x, y);
	CALL(copysign, x, y);
	printf("\n");
}

static void float_arguments(volatile float x, volatile float y)
{
	printf("%.9g %.9g:", (double)x, (double)y);
	CALL(tgammaf, x);
	CALL(fdimf, x, y);
	CALL(fmodf, x, y);
	CALL(powf, x, y);
	CALL(nextafterf, x, y);
	printf("\n");
}

/* What newlib alone gets wrong by many units of the last place: here within less than a millionth. */
static void coarse(void)
{
	int wrong = 0;
	for (volatile int i = -1074; i < 1024; i++)
		wrong += log2(ldexp(1, i)) != i;
	printf("%d powers of two have another logarithm\n", wrong);
	for (volatile float x = -2.9F; x < 9; x += 0.37F)
		printf("%.5g %.5g %.5g\n", (double)erfcf(x), (double)cbrtf(x), (double)tgammaf(x));
	for (volatile double x = -20.75; x < 171; x += 1.37)
		printf("%.12g\n", tgamma(x));
}

int main(void)
{
	coarse();
	digits = 10;
	for (size_t i = 0; i < COUNT(values); i++) {
		one_argument(values[i]);
		for (size_t j = 0; j < COUNT(values); j++)
			two_arguments(values[i], values[j]);
	}
	digits = 6;
	for (size_t i = 0; i < COUNT(floats); i++)
		for (size_t j = 0; j < COUNT(floats); j++)
			float_arguments(floats[i], floats[j]);
	return 0;
}
