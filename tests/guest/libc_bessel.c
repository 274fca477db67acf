/* SPDX-License-Identifier: MIT */
/* Bessel functions and angles at their edges: results and errno for zeros, infinities, poles and what is too large. */
#include <fenv.h>
#include <math.h>

#include "say.h"

static const double values[] = {0.0,   -0.0,   1,      -1,     0.5,    2.5,   -2.5,     10,        100, 1e17,
                                1e300, -1e300, 5e-324, 1e-310, 1e-200, 1e-10, INFINITY, -INFINITY, NAN};

static const float floats[] = {0.0F, -0.0F, 1, -1, 0.5F, 2.5F, 1e-45F, 1e-40F, 1e-30F, 1e-3F, INFINITY, -INFINITY, NAN};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void show(const char *name, double result, int digits)
{
	int raised = fetestexcept(FE_INVALID | FE_DIVBYZERO);
	printf(" %s=", name);
	if (isnan(result))
		printf("nan");
	else
		printf("%.*g", digits, result);
	printf(",%s,%s%s", errno_name(errno), raised & FE_INVALID ? "i" : "", raised & FE_DIVBYZERO ? "z" : "");
}

#define CALL(digits, name, ...) \
	(errno = 0, feclearexcept(FE_ALL_EXCEPT), show(#name, (double)name(__VA_ARGS__), digits))

int main(void)
{
	static const int orders[] = {-3, -2, -1, 0, 1, 2, 3, 50, 300};
	for (size_t i = 0; i < COUNT(values); i++) {
		volatile double x = values[i];
		volatile long double wide = x;
		printf("%g:", x);
		CALL(9, j0, x);
		CALL(9, j1, x);
		CALL(9, y0, x);
		CALL(9, y1, x);
		CALL(9, sin, x);
		CALL(9, cos, x);
		CALL(9, tan, x);
		CALL(9, sinl, wide);
		CALL(9, cosl, wide);
		CALL(9, tanl, wide);
		for (size_t j = 0; j < COUNT(orders); j++) {
			CALL(9, jn, orders[j], x);
			CALL(9, yn, orders[j], x);
		}
		printf("\n");
	}
	for (size_t i = 0; i < COUNT(floats); i++) {
		volatile float x = floats[i];
		printf("%g:", (double)x);
		CALL(4, j0f, x);
		CALL(4, j1f, x);
		CALL(4, y0f, x);
		CALL(4, y1f, x);
		CALL(4, sinf, x);
		CALL(4, cosf, x);
		CALL(4, tanf, x);
		for (size_t j = 0; j < COUNT(orders); j++) {
			CALL(4, jnf, orders[j], x);
			CALL(4, ynf, orders[j], x);
		}
		printf("\n");
	}
	return 0;
}
