/* SPDX-License-Identifier: MIT */
/* For places.test: each of two threads waits for the other. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
	pthread_mutex_lock(&mutex);
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	return 0;
}
