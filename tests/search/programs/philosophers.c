/* SPDX-License-Identifier: MIT */
/* Bug: dining philosophers. Each takes the fork on the left, then the one on the right; if all have the left one, all
 * wait for ever. Bites: a deadlock. Fixed: each takes the fork with the lower number first. */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

#define SEATS 4

static pthread_mutex_t forks[SEATS];
static int meals[SEATS];

static void *dine(void *arg)
{
	const long seat = (long)arg;
	long first = seat, second = (seat + 1) % SEATS;
	if (FIXED && first > second) {
		first = second;
		second = seat;
	}
	pthread_mutex_lock(&forks[first]);
	pthread_mutex_lock(&forks[second]);
	meals[seat]++;
	pthread_mutex_unlock(&forks[second]);
	pthread_mutex_unlock(&forks[first]);
	return NULL;
}

int main(void)
{
	pthread_t threads[SEATS];
	for (long i = 0; i < SEATS; i++)
		pthread_mutex_init(&forks[i], NULL);
	for (long i = 0; i < SEATS; i++)
		pthread_create(&threads[i], NULL, dine, (void *)i);
	for (int i = 0; i < SEATS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
