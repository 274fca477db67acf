/* SPDX-License-Identifier: MIT */
/* Three threads count under a spin lock, and are preempted while they hold it. */
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t lock;
static long count;

static void *counts(void *no)
{
	for (int i = 0; i < 30000; i++) {
		pthread_spin_lock(&lock);
		count++;
		for (volatile int work = 0; work < 20; work++)
			;
		pthread_spin_unlock(&lock);
	}
	return no;
}

int main(void)
{
	pthread_t threads[3];
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, counts, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("counted %ld\n", count);
	return 0;
}
