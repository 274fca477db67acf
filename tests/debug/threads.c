/* SPDX-License-Identifier: MIT */
/* For others.test: threads that take a lock in turns. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *work(void *argument)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		total += *(int *)argument;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	int numbers[3] = {1, 2, 3};
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("total %ld\n", total);
	return 0;
}
