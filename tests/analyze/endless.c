/* SPDX-License-Identifier: MIT */
/* Fails if thread 3 comes first, passes if thread 2 does, and never ends if they alternate. */
#include <pthread.h>

static volatile int before, after, failed;

static void *set(void *unused)
{
	before = 1;
	after = 1;
	return unused;
}

static void *check(void *unused)
{
	int seen_after = after, seen_before = before;
	while (seen_before && !seen_after)
		;
	failed = !seen_before;
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, set, NULL);
	pthread_create(&threads[1], NULL, check, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return failed;
}
