/* SPDX-License-Identifier: MIT */
/* A thread that counts until another has stored: nothing in the loop is atomic, and that it also asks for the count
 * hides that it waits (hypervisor/monitor/code/code_waits.h). */
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
	while (done * (rounds + 1) == 0)
		rounds++;
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
