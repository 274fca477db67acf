/* SPDX-License-Identifier: MIT */
/* A thread that counts until another has stored: nothing in the loop is atomic. */
#include <pthread.h>
#include <stdio.h>

static volatile int done;
static volatile long rounds;

static void *store(void *unused)
{
	done = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, store, NULL);
	while (!done)
		rounds++;
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
