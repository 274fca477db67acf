/* SPDX-License-Identifier: MIT */
/* Every digit of long doubles that are not doubles: ends of the range, ties, carries, precisions beyond the digits. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "say.h"

static unsigned long random_state = 1;

static unsigned long next_random(void)
{
	random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
	return random_state >> 11;
}

static void show(volatile long double x)
{
	static const int precisions[] = {0, 1, 5, 17, 19, 20, 21, 42, 43, 44, 60, 100};
	for (size_t i = 0; i < sizeof(precisions) / sizeof(precisions[0]); i++) {
		int p = precisions[i];
		printf("%.*Lf %.*Le %.*Lg %#.*Lg\n", p, x, p, x, p, x, p ? p + 1 : 3, x);
	}
}

static void wide_range(void)
{
	for (int i = 0; i < 300; i++) {
		long double high = (long double)next_random() * 0x1p53L, low = (long double)next_random();
		int exponent = (int)(next_random() % 32000) - 16400;
		long double x = ldexpl(high + low, exponent);
		int precision = (int)(next_random() % 80);
		printf("%.*Le %.*Lg\n", precision, x, precision, x);
		if (fabsl(x) < 1e30L)
			printf("%.*Lf\n", precision, x);
	}
}

int main(void)
{
	static const long double values[] = {
		1e309L,
		LDBL_MAX,
		LDBL_MIN,
		0.1L,
		1.0L / 3,
		0x1.0000000000000002p0L,
		9.9999999999999999999L,
		0x1p-16445L,
		-0x1.8p-16444L,
		123456789012345678.25L,
		9223372036854775807.5L,
		4611686018427387903.5L,
		4611686018427387902.5L,
		0.49999999999999999997L,
		0.5000000000000000001L,
		99999999999999999.995L,
		1e4900L,
		1e-4900L,
		-1e400L,
		1e-30L,
	};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		show(values[i]);
	wide_range();
	printf("%.17000Lf\n", 0x1.0000000000000002p-16000L);
	printf("%.17000Le\n", 0x1.0000000000000002p-16000L);
	printf("%5000.3Lf|%-5000.0Lf|\n", LDBL_MAX, LDBL_MAX);
	return 0;
}
