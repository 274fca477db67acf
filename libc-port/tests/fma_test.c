/* SPDX-License-Identifier: MIT */
/* Host test of src/fma.c: the host C library's fma and fmaf are the reference, in all rounding modes. Prints TAP.
 *
 * Built with src/fma.c renamed by -Dfma=port_fma -Dfmaf=port_fmaf; see libc-port.mk. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double port_fma(double x, double y, double z);
float port_fmaf(float x, float y, float z);

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x2545f4914f6cdd1dUL;
}

static const uint64_t edges[] = {
	0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
	0x0020000000000000, 0x3ca0000000000000, 0x3ff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
	0x4340000000000000, 0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
	0x3fe0000000000000, 0x4000000000000000, 0x0350000000000000, 0x1ff0000000000000, 0x1fffffffffffffff,
	0x5fe0000000000000, 0x5fefffffffffffff, 0x3c90000000000000, 0x3cb0000000000001,
};

static double from_bits(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static float from_bits_float(uint32_t bits)
{
	float x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static int same(double a, double b)
{
	return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0;
}

static int same_float(float a, float b)
{
	return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0;
}

static int tests, failures;

static void report(int ok, const char *what)
{
	printf("%s %d - %s\n", ok ? "ok" : "not ok", ++tests, what);
	failures += !ok;
}

static int check(double x, double y, double z)
{
	double got = port_fma(x, y, z), want = fma(x, y, z);
	if (same(got, want))
		return 1;
	printf("# fma(%a, %a, %a) = %a, not %a\n", x, y, z, got, want);
	return 0;
}

static int check_float(float x, float y, float z)
{
	float got = port_fmaf(x, y, z), want = fmaf(x, y, z);
	if (same_float(got, want))
		return 1;
	printf("# fmaf(%a, %a, %a) = %a, not %a\n", x, y, z, got, want);
	return 0;
}

static int check_edges(void)
{
	size_t n = sizeof(edges) / sizeof(edges[0]);
	int ok = 1;
	for (size_t i = 0; i < 2 * n && ok; i++)
		for (size_t j = 0; j < 2 * n && ok; j++)
			for (size_t k = 0; k < 2 * n && ok; k++) {
				double x = from_bits(edges[i / 2] | (uint64_t)(i & 1) << 63);
				double y = from_bits(edges[j / 2] | (uint64_t)(j & 1) << 63);
				double z = from_bits(edges[k / 2] | (uint64_t)(k & 1) << 63);
				ok = check(x, y, z) && check_float((float)x, (float)y, (float)z);
			}
	return ok;
}

static int check_any(long count)
{
	while (count-- > 0) {
		uint64_t a = next(), b = next(), c = next();
		if (!check(from_bits(a), from_bits(b), from_bits(c)) ||
		    !check_float(from_bits_float((uint32_t)a), from_bits_float((uint32_t)b),
		                 from_bits_float((uint32_t)c)))
			return 0;
	}
	return 1;
}

/* z close to -x*y: cancellation, and every distance at which only a sticky bit is left. */
static int check_close(long count)
{
	while (count-- > 0) {
		double x = from_bits((next() & 0x800fffffffffffff) | (0x3ff - 500 + next() % 1000) << 52);
		double y = from_bits((next() & 0x800fffffffffffff) | (0x3ff - 500 + next() % 1000) << 52);
		double z = -x * y;
		z = ldexp(z, (int)(next() % 240) - 120);
		z = next() & 1 ? z : nextafter(-x * y, (double)(int64_t)next());
		if (!check(x, y, z))
			return 0;
		float fx = from_bits_float((uint32_t)((next() & 0x807fffff) | (97 + next() % 60) << 23));
		float fy = from_bits_float((uint32_t)((next() & 0x807fffff) | (97 + next() % 60) << 23));
		if (!check_float(fx, fy, ldexpf(-fx * fy, (int)(next() % 120) - 60)))
			return 0;
	}
	return 1;
}

/* Results around and below the smallest normal number. */
static int check_subnormal(long count)
{
	while (count-- > 0) {
		int exponent = (int)(next() % 400) + 300;
		double x = from_bits((next() & 0x800fffffffffffff) | (uint64_t)exponent << 52);
		double y = from_bits((next() & 0x800fffffffffffff) |
		                     (uint64_t)(1023 - exponent + (int)(next() % 120) - 80) << 52);
		double z = from_bits(next() & 0x801fffffffffffff);
		if (!check(x, y, z))
			return 0;
		float fx = from_bits_float((uint32_t)((next() & 0x807fffff) | (20 + next() % 50) << 23));
		float fy = from_bits_float((uint32_t)((next() & 0x807fffff) | (40 + next() % 50) << 23));
		if (!check_float(fx, fy, from_bits_float((uint32_t)next() & 0x80ffffff)))
			return 0;
	}
	return 1;
}

int main(void)
{
	static const struct {
		int mode;
		const char *name;
	} modes[] = {{FE_TONEAREST, "to nearest"},
	             {FE_UPWARD, "upward"},
	             {FE_DOWNWARD, "downward"},
	             {FE_TOWARDZERO, "toward zero"}};
	const long count = 500000;
	char what[80];
	for (size_t i = 0; i < 4; i++) {
		fesetround(modes[i].mode);
		snprintf(what, sizeof(what), "edge values, rounding %s", modes[i].name);
		report(check_edges(), what);
		snprintf(what, sizeof(what), "any bit patterns, rounding %s", modes[i].name);
		report(check_any(count), what);
		snprintf(what, sizeof(what), "close sums, rounding %s", modes[i].name);
		report(check_close(count), what);
		snprintf(what, sizeof(what), "subnormal results, rounding %s", modes[i].name);
		report(check_subnormal(count), what);
	}
	printf("1..%d\n", tests);
	return failures != 0;
}
