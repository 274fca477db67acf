/* SPDX-License-Identifier: MIT */
/* fma and fmaf, correctly rounded without FMA instructions (the guest's processor model has none). Replaces newlib's,
 * which round twice.
 *
 * The sum is computed in 128-bit integers; lost bits are kept as a sticky bit. One conversion then rounds in the
 * current mode. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 wide;

/* A finite, nonzero number: (-1)^negative * fraction * 2^exponent. */
struct number {
	bool negative;
	int exponent;
	wide fraction;
};

#define TOP 125        /* bit in which the larger fractions begin: a carry still fits */
#define RESULT_BITS 62 /* of the fraction handed to the conversion, the last one sticky */

static struct number decompose(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof(bits));
	int exponent = (int)(bits >> 52 & 0x7ff);
	uint64_t fraction = bits & 0xfffffffffffffUL;
	if (exponent == 0) {
		int shift = __builtin_clzl(fraction) - 11;
		fraction <<= shift;
		exponent = 1 - shift;
	} else {
		fraction |= 1UL << 52;
	}
	return (struct number){bits >> 63, exponent - 1075, fraction};
}

static wide shift_right_sticky(wide x, int n)
{
	if (n == 0)
		return x;
	if (n >= 128)
		return x != 0;
	return x >> n | ((x & (((wide)1 << n) - 1)) != 0);
}

static int top_bit(wide x)
{
	uint64_t high = (uint64_t)(x >> 64);
	return high ? 127 - __builtin_clzl(high) : 63 - __builtin_clzl((uint64_t)x);
}

/* x * y + z for finite, nonzero numbers: a fraction of RESULT_BITS bits, or 0 for an exact zero. */
static struct number multiply_add(double x, double y, double z)
{
	struct number a = decompose(x), b = decompose(y), c = decompose(z);
	struct number product = {a.negative != b.negative, a.exponent + b.exponent - (TOP - 105),
	                         a.fraction * b.fraction << (TOP - 105)};
	c.fraction <<= TOP - 52;
	c.exponent -= TOP - 52;
	struct number big = product, small = c;
	if (c.exponent > product.exponent) {
		big = c;
		small = product;
	}
	small.fraction = shift_right_sticky(small.fraction, big.exponent - small.exponent);
	if (big.negative == small.negative) {
		big.fraction += small.fraction;
	} else if (big.fraction >= small.fraction) {
		big.fraction -= small.fraction;
	} else {
		big.fraction = small.fraction - big.fraction;
		big.negative = small.negative;
	}
	if (big.fraction == 0)
		return big;
	int shift = top_bit(big.fraction) - (RESULT_BITS - 1);
	big.fraction = shift > 0 ? shift_right_sticky(big.fraction, shift) : big.fraction << -shift;
	big.exponent += shift;
	return big;
}

/* Rounds fraction / 2^shift to an integer in the current mode. Sets *inexact if that changed it. */
static uint64_t round_shift(uint64_t fraction, int shift, bool negative, bool *inexact)
{
	if (shift > 63)
		shift = 63;
	uint64_t quotient = fraction >> shift, rest = fraction & ((1UL << shift) - 1), half = 1UL << (shift - 1);
	*inexact = rest != 0;
	switch (fegetround()) {
	case FE_TONEAREST:
		return quotient + (rest > half || (rest == half && (quotient & 1)));
	case FE_UPWARD:
		return quotient + (rest && !negative);
	case FE_DOWNWARD:
		return quotient + (rest && negative);
	default:
		return quotient;
	}
}

static double power_of_two(int exponent)
{
	uint64_t bits = (uint64_t)(exponent + 1023) << 52;
	double x;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

static double zero_sum(void)
{
	return fegetround() == FE_DOWNWARD ? -0.0 : 0.0;
}

static void raise_underflow(void)
{
	volatile double tiny = 0x1p-1022;
	tiny = tiny * tiny;
}

double fma(double x, double y, double z)
{
	if (!isfinite(x) || !isfinite(y))
		return x * y + z;
	if (!isfinite(z))
		return z + z;
	if (x == 0 || y == 0)
		return x * y + z;
	if (z == 0)
		return x * y;

	struct number sum = multiply_add(x, y, z);
	if (sum.fraction == 0)
		return zero_sum();
	if (sum.exponent + RESULT_BITS - 1 < -1022) { /* subnormal: the bit pattern counts units of 2^-1074 */
		bool inexact;
		uint64_t bits = round_shift((uint64_t)sum.fraction, -1074 - sum.exponent, sum.negative, &inexact);
		bits |= (uint64_t)sum.negative << 63;
		if (inexact)
			raise_underflow();
		double result;
		memcpy(&result, &bits, sizeof(result));
		return result;
	}
	int64_t fraction = (int64_t)(uint64_t)sum.fraction;
	double rounded = (double)(sum.negative ? -fraction : fraction);
	if (sum.exponent > 1023)
		return rounded * 0x1p1023 * power_of_two(sum.exponent > 2046 ? 1023 : sum.exponent - 1023);
	if (sum.exponent < -1022)
		return rounded * 0x1p-100 * power_of_two(sum.exponent + 100);
	return rounded * power_of_two(sum.exponent);
}

/* Products of floats are exact in double, and no double sum of them overflows or is subnormal. */
float fmaf(float x, float y, float z)
{
	if (!isfinite(x) || !isfinite(y) || !isfinite(z) || x == 0 || y == 0 || z == 0)
		return (float)((double)x * y + z);

	struct number sum = multiply_add(x, y, z);
	if (sum.fraction == 0)
		return (float)zero_sum();
	if (sum.exponent + RESULT_BITS - 1 < -126) { /* subnormal: the bit pattern counts units of 2^-149 */
		bool inexact;
		uint64_t units = round_shift((uint64_t)sum.fraction, -149 - sum.exponent, sum.negative, &inexact);
		uint32_t bits = (uint32_t)units | (uint32_t)sum.negative << 31;
		if (inexact)
			raise_underflow();
		float result;
		memcpy(&result, &bits, sizeof(result));
		return result;
	}
	int64_t fraction = (int64_t)(uint64_t)sum.fraction;
	float rounded = (float)(sum.negative ? -fraction : fraction);
	return (float)(rounded * power_of_two(sum.exponent));
}
