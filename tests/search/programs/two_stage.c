/* SPDX-License-Identifier: MIT */
/* Bug: writers set one variable under its lock, then the other, which depends on it, under another lock. A reader takes
 * both locks in turn and can come between the two stages. Arguments: the number of writers (1) and of readers (10).
 * Bites: "stage 1 is 1 and stage 2 is 0", status 1. Fixed: the first lock is held during both stages. After the program
 * twostage of SCTBench (Thomson et al., 2014). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

#define THREADS_MAX 1000

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static int wrong_first, wrong_second;

static void *write_both(void *unused)
{
	pthread_mutex_lock(&first_lock);
	first = 1;
	if (!FIXED)
		pthread_mutex_unlock(&first_lock);
	pthread_mutex_lock(&second_lock);
	second = first + 1;
	pthread_mutex_unlock(&second_lock);
	if (FIXED)
		pthread_mutex_unlock(&first_lock);
	return unused;
}

static void *read_both(void *unused)
{
	pthread_mutex_lock(&first_lock);
	const int one = first;
	pthread_mutex_unlock(&first_lock);
	if (!one)
		return unused;
	pthread_mutex_lock(&second_lock);
	if (second != one + 1) {
		wrong_first = one;
		wrong_second = second;
	}
	pthread_mutex_unlock(&second_lock);
	return unused;
}

int main(int argc, char **argv)
{
	static pthread_t threads[2 * THREADS_MAX];
	const int writers = argc > 1 ? atoi(argv[1]) : 1, readers = argc > 2 ? atoi(argv[2]) : 10;
	if (writers < 1 || writers > THREADS_MAX || readers < 1 || readers > THREADS_MAX)
		return 2;
	for (int i = 0; i < writers + readers; i++)
		pthread_create(&threads[i], NULL, i < writers ? write_both : read_both, NULL);
	for (int i = 0; i < writers + readers; i++)
		pthread_join(threads[i], NULL);
	if (!wrong_first)
		return 0;
	printf("stage 1 is %d and stage 2 is %d\n", wrong_first, wrong_second);
	return 1;
}
