/* SPDX-License-Identifier: MIT */
/* For found.test: two threads lose an update if one stores between the other's load and store. */
#include <pthread.h>

static long counter;

static void *work(void *argument)
{
	for (int i = 0; i < 3; i++)
		counter = counter + 1;
	return argument;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return counter != 6;
}
