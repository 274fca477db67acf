/* SPDX-License-Identifier: MIT */
/* A lock that each who tries it counts himself in and out of: who looks while another is counted in fails, too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS 16

static atomic_int inside;
static int guarded;

__attribute__((noinline, optimize("O2"))) static void *count_in(void *argument)
{
	for (int round = 0; round < ROUNDS; round++) {
		while (atomic_fetch_add(&inside, 1))
			atomic_fetch_sub(&inside, 1);
		guarded++;
		usleep(100);
		atomic_fetch_sub(&inside, 1);
	}
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_in, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d times in\n", guarded);
	return 0;
}
