/* SPDX-License-Identifier: MIT */
/* Host test of src/long_double.c and src/long_double_math.c: the host C library is the reference. Prints TAP.
 *
 * The port's functions are linked under the prefix port_; see libc-port.mk. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define UNARY(X) \
	X(floorl, 0) X(ceill, 0) X(truncl, 0) X(roundl, 0) X(rintl, 0) X(nearbyintl, 0) X(fabsl, 0) X(sqrtl, 0) \
	X(logbl, 0) X(expl, 3) X(exp2l, 3) X(expm1l, 4) X(logl, 3) X(log2l, 4) X(log10l, 4) X(log1pl, 4) \
	X(sinl, 4) X(cosl, 4) X(tanl, 6) X(asinl, 4) X(acosl, 4) X(atanl, 4) X(sinhl, 6) X(coshl, 5) X(tanhl, 6) \
	X(asinhl, 6) X(acoshl, 6) X(atanhl, 6) X(cbrtl, 3)
/* clang-format on */
#define BINARY(X) \
	X(fmodl, 0) \
	X(remainderl, 0) X(copysignl, 0) X(nextafterl, 0) X(fmaxl, 0) X(fminl, 0) X(fdiml, 0) X(hypotl, 3) X(atan2l, 5)

#define DECLARE1(name, ulps) long double port_##name(long double);
#define DECLARE2(name, ulps) long double port_##name(long double, long double);
UNARY(DECLARE1)
BINARY(DECLARE2)
long double port_powl(long double, long double);
long double port_frexpl(long double, int *);
long double port_scalbnl(long double, int);
long port_lrintl(long double);
long port_lroundl(long double);
double port_nexttoward(double, long double);

/* What the port's code asks newlib for. */
int __ieee754_rem_pio2(double x, double *rest);

int __ieee754_rem_pio2(double x, double *rest)
{
	_Float128 half_pi = 1.57079632679489661923132169163975144209858469968755Q; /* enough for the range tested */
	_Float128 value = x;
	long n = lrint((double)(value / half_pi));
	value -= n * half_pi;
	rest[0] = (double)value;
	rest[1] = (double)(value - rest[0]);
	return (int)(n & 7);
}

static uint64_t state = 0x853c49e6748fea9b;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dUL;
}

/* A number of either sign whose exponent lies within +-range. */
static long double any(int range)
{
	long double x =
		ldexpl((long double)(next() | 1UL << 63), -63 + (int)(next() % (2 * (unsigned)range + 1)) - range);
	switch (next() % 16) {
	case 0:
		x = (long double)(int64_t)(next() % 2001) - 1000;
		break;
	case 1:
		x = (long double)(int64_t)(next() % 2001) / 2 - 500;
		break;
	}
	return next() & 1 ? -x : x;
}

static long double distance(long double got, long double want)
{
	int exponent;
	if ((isnan(got) && isnan(want)) || got == want)
		return signbit(got) == signbit(want) || isnan(want) ? 0 : 1e9L;
	if (!isfinite(got) || !isfinite(want))
		return 1e9L;
	frexpl(want, &exponent);
	return fabsl(got - want) / ldexpl(1, (exponent < -16381 ? -16381 : exponent) - 64);
}

static int tests, failures;

static void report(const char *name, long double worst, long double allowed, long double x, long double y)
{
	printf("%s %d - %s, off by %.2Lf units at most\n", worst <= allowed ? "ok" : "not ok", ++tests, name, worst);
	if (worst > allowed) {
		printf("# allowed %.0Lf; worst at %La %La\n", allowed, x, y);
		failures++;
	}
}

static const long double special[] = {0.0L,        -0.0L,       1,        -1,        0.5L,
                                      -0.5L,       2,           INFINITY, -INFINITY, NAN,
                                      0x1p-16445L, 0x1p-16382L, 1e-30L,   -1e-30L,   0x1.fffffffffffffffep16383L};
#define SPECIALS (sizeof(special) / sizeof(special[0]))
#define ROUNDS 60000

static void check_unary(const char *name, long double (*got)(long double), long double (*want)(long double),
                        long double allowed)
{
	long double worst = 0, where = 0;
	for (size_t i = 0; i < ROUNDS + SPECIALS; i++) {
		long double x = i < SPECIALS ? special[i] : any(i % 3 == 0 ? 40 : 6);
		if (i < SPECIALS && fabsl(x) > 0x1p1023L && isfinite(x))
			continue; /* angles beyond double are not supported */
		long double off = distance(got(x), want(x));
		if (off > worst) {
			worst = off;
			where = x;
		}
	}
	report(name, worst, allowed, where, 0);
}

static void check_binary(const char *name, long double (*got)(long double, long double),
                         long double (*want)(long double, long double), long double allowed)
{
	long double worst = 0, at_x = 0, at_y = 0;
	for (size_t i = 0; i < ROUNDS + SPECIALS * SPECIALS; i++) {
		long double x = i < SPECIALS * SPECIALS ? special[i / SPECIALS] : any(30);
		long double y = i < SPECIALS * SPECIALS ? special[i % SPECIALS] : any(i & 1 ? 3 : 30);
		if (x == 0 && y == 0 && signbit(x) != signbit(y) && want != copysignl && want != nextafterl &&
		    want != atan2l)
			continue; /* fmaxl and fminl may return either zero */
		long double off = distance(got(x, y), want(x, y));
		if (off > worst) {
			worst = off;
			at_x = x;
			at_y = y;
		}
	}
	report(name, worst, allowed, at_x, at_y);
}

static void check_integers(void)
{
	long double off = 0;
	for (int i = 0; i < ROUNDS; i++) {
		int got_exponent, want_exponent;
		long double x = any(61);
		off += port_lrintl(x) != lrintl(x);
		off += port_lroundl(x) != lroundl(x);
		off += port_frexpl(x, &got_exponent) != frexpl(x, &want_exponent) || got_exponent != want_exponent;
		off += port_scalbnl(x, (int)i - 16400) != scalbnl(x, (int)i - 16400);
		off += port_nexttoward((double)x, x) != nexttoward((double)x, x);
	}
	report("lrintl, lroundl, frexpl, scalbnl, nexttoward", off, 0, 0, 0);
}

int main(void)
{
#define CHECK1(name, ulps) check_unary(#name, port_##name, name, ulps);
#define CHECK2(name, ulps) check_binary(#name, port_##name, name, ulps);
	UNARY(CHECK1)
	BINARY(CHECK2)
	check_binary("powl", port_powl, powl, 130); /* where the result nears the ends of the range */
	check_integers();
	printf("1..%d\n", tests);
	return failures != 0;
}
