/* SPDX-License-Identifier: MIT */
/* Three modes of failure, by the order of two threads' increments. The program writes the mode to standard output, as
 * test runners do, and all end by the same signal at the same place. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned number;

static void *change(void *unused)
{
	for (int i = 0; i < 4; i++)
		number = number * 3 + 1;
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, change, NULL);
	for (int i = 0; i < 4; i++)
		number = number * 7 + 2;
	pthread_join(other, NULL);
	printf("FAILED t.py::mode %c\n", "abc"[number % 3]);
	fflush(stdout);
	abort();
}
