/* SPDX-License-Identifier: MIT */
/* To be compiled in the guest: time, addresses, and a sum. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef NAME
#define NAME "program"
#endif
#ifndef TIME
#define TIME __FILE__
#endif

static void *work(void *sum)
{
	for (int i = 1; i < 1000; i++)
		*(double *)sum += sin(i) / i;
	return malloc(100);
}

int main(void)
{
	pthread_t thread;
	double sum = 0;
	void *end;

	if (pthread_create(&thread, NULL, work, &sum) || pthread_join(thread, &end))
		return 1;
	printf("%s, compiled at %s: %.17g, %p, %p\n", NAME, TIME, sum, end, (void *)&sum);
	return 0;
}
