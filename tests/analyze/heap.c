/* SPDX-License-Identifier: MIT */
/* Two threads that count in memory of the heap without a lock, by one instruction each, and end. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *memory)
{
	int *counts = memory;
	counts[1]++;
	return NULL;
}

int main(void)
{
	int *counts = calloc(4, sizeof(*counts));
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, counts);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return counts[1] != 2;
}
