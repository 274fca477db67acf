/* SPDX-License-Identifier: MIT */
/* Work for the processor alone: floating point over arrays, integer hashing, and branches that cannot be predicted. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 192
#define WORDS (1 << 17)
#define LIMIT 20000

static __attribute__((noinline)) double matmul(unsigned long count)
{
	static double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			a[i][j] = i + 2 * j;
			b[i][j] = i - j;
		}
	for (unsigned long n = 0; n < count; n++) {
		for (int i = 0; i < SIDE; i++)
			for (int k = 0; k < SIDE; k++)
				for (int j = 0; j < SIDE; j++)
					c[i][j] += a[i][k] * b[k][j];
		a[n % SIDE][0] += 1;
	}
	return c[SIDE / 2][SIDE / 3];
}

static __attribute__((noinline)) double hash(unsigned long count)
{
	static uint64_t words[WORDS];
	uint64_t state = 0x9e3779b97f4a7c15;
	for (unsigned long n = 0; n < count; n++)
		for (unsigned i = 0; i < WORDS; i++) {
			state ^= words[(state >> 20) % WORDS] + i;
			state *= 0xff51afd7ed558ccd;
			state ^= state >> 32;
			words[i] = state;
		}
	return (double)(state >> 11);
}

static __attribute__((noinline)) double branch(unsigned long count)
{
	unsigned long steps = 0;
	for (unsigned long n = 0; n < count; n++)
		for (uint64_t start = 1; start < LIMIT; start++)
			for (uint64_t x = start + n; x != 1; steps++) {
				if (x & 1)
					x = 3 * x + 1;
				else
					x /= 2;
			}
	return (double)steps;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	unsigned long count = strtoul(argv[2], NULL, 0);
	double result = !strcmp(argv[1], "matmul") ? matmul(count)
	                : !strcmp(argv[1], "hash") ? hash(count)
	                                           : branch(count);
	printf("%.17g\n", result);
	return 0;
}
