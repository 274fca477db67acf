/* SPDX-License-Identifier: MIT */
/* A thread is made before the variable that it reads is set. It makes a few calls before it reads. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define CALLS 4

static int *volatile shared;
static int number;

static void *use(void *unused)
{
	for (int i = 0; i < CALLS; i++)
		getppid();
	if (!shared)
		puts("looked too early");
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, use, NULL);
	getppid();
	shared = &number;
	pthread_join(thread, NULL);
	return 0;
}
