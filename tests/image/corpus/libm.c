/* SPDX-License-Identifier: MIT */
/* Functions of libm to the last bit, computed by several threads; as a Linux program, also what CPUID says. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#ifdef __linux__
#include <cpuid.h>
#endif

#define THREADS 4
#define ROUNDS 2000

struct sum {
	double of[8];
};

static void *work(void *argument)
{
	struct sum *sum = argument;
	for (unsigned i = 1; i <= ROUNDS; i++) {
		const double x = i * 0.37;
		const double values[] = {
			sin(x),      cos(x) * tan(x / 7),        exp(-x / 100),       log(x) * log1p(x),
			pow(x, 0.3), atan2(x, 3) + tanh(x / 50), fma(x, x, -1.0 / i), cbrt(x) + hypot(x, 5)};
		for (unsigned k = 0; k < 8; k++)
			sum->of[k] += values[k];
	}
	return NULL;
}

int main(void)
{
	struct sum sums[THREADS] = {0};
	pthread_t threads[THREADS];
	for (unsigned i = 0; i < THREADS; i++) {
		sums[i].of[0] = i;
		if (pthread_create(&threads[i], NULL, work, &sums[i]))
			return 1;
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		for (unsigned k = 0; k < 8; k++)
			printf("%a%c", sums[i].of[k], k < 7 ? ' ' : '\n');
	}
#ifdef __linux__
	static const unsigned leaves[] = {0, 1, 2, 4, 7, 0xb, 0xd, 0x80000000, 0x80000001, 0x80000002, 0x80000008};
	for (unsigned i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++) {
		unsigned a = 0, b = 0, c = 0, d = 0;
		__cpuid_count(leaves[i], 0, a, b, c, d);
		printf("cpuid %08x: %08x %08x %08x %08x\n", leaves[i], a, b, c, d);
	}
#endif
	return 0;
}
