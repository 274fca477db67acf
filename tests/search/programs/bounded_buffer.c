/* SPDX-License-Identifier: MIT */
/* Bug: a producer and two consumers share one condition, and each change signals it once. The signal of a consumer can
 * wake the other one, which finds nothing and waits again, while the producer that could go on sleeps.
 * Bites: a deadlock. Fixed by a broadcast. */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROOM 1
#define CONSUMERS 2
#define ITEMS 1 /* of each consumer */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int filled;

static void change(int by)
{
	pthread_mutex_lock(&lock);
	while (filled + by < 0 || filled + by > ROOM)
		pthread_cond_wait(&changed, &lock);
	filled += by;
	if (FIXED)
		pthread_cond_broadcast(&changed);
	else
		pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *produce(void *unused)
{
	for (int i = 0; i < CONSUMERS * ITEMS; i++)
		change(1);
	return unused;
}

static void *consume(void *unused)
{
	for (int i = 0; i < ITEMS; i++)
		change(-1);
	return unused;
}

int main(void)
{
	pthread_t threads[1 + CONSUMERS];
	for (int i = 0; i <= CONSUMERS; i++)
		pthread_create(&threads[i], NULL, i == 0 ? produce : consume, NULL);
	for (int i = 0; i <= CONSUMERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
