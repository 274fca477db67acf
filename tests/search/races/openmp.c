/* SPDX-License-Identifier: MIT */
/* Threads that OpenMP orders: loops, a reduction, a critical section, a barrier, a single block, an atomic operation.
 */
#include <stdio.h>

int main(void)
{
	static double values[1000];
	double sum = 0;
	long count = 0;
#pragma omp parallel for num_threads(3)
	for (int i = 0; i < 1000; i++)
		values[i] = i;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
	for (int i = 0; i < 1000; i++)
		sum += values[i];
#pragma omp parallel num_threads(3)
	{
#pragma omp critical
		count++;
#pragma omp barrier
#pragma omp single
		count *= 2;
#pragma omp atomic
		count += 1;
	}
	return sum != 499500 || count != 9;
}
