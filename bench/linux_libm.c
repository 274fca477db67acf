/* SPDX-License-Identifier: MIT */
/* Calls of libm, a quarter of each function: linux_libm COUNT. The linker binds them lazily, so the dynamic linker
 * saves and restores the vector state at the first call of each. Code after it shows in which condition that state was
 * left. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const long count = (argc > 1 ? atol(argv[1]) : 0) / 4;
	double sum = 0;
	for (long i = 1; i <= count; i++)
		sum += sin((double)i * 1e-3);
	for (long i = 1; i <= count; i++)
		sum += exp((double)(i & 1023) * 1e-3);
	for (long i = 1; i <= count; i++)
		sum += log((double)i);
	for (long i = 1; i <= count; i++)
		sum += pow((double)(i & 1023) * 1e-3, 1.25);
	return printf("%.9g\n", sum) < 0;
}
