/* SPDX-License-Identifier: MIT */
/* Never ends if thread 2 comes before the value is set. */
#include <pthread.h>

static volatile int value;

static void *wait_if_early(void *unused)
{
	if (!value)
		for (;;)
			;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_if_early, NULL);
	value = 1;
	pthread_join(thread, NULL);
	return 0;
}
