/* SPDX-License-Identifier: MIT */
/* Bug: missed signal. A thread waits on a condition variable without asking whether what it waits for has happened; a
 * signal that came before is lost.
 * Bites: deadlock, status 120 (natively it hangs). */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool here;

static void *wait_for_it(void *unused)
{
	pthread_mutex_lock(&lock);
	if (!FIXED)
		pthread_cond_wait(&arrived, &lock);
	while (!here)
		pthread_cond_wait(&arrived, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *arrive(void *unused)
{
	pthread_mutex_lock(&lock);
	here = true;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, wait_for_it, NULL);
	pthread_create(&threads[1], NULL, arrive, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
