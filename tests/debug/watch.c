/* SPDX-License-Identifier: MIT */
/* For others.test: stores by a thread, to the stack, and by a system call. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int counter;
static long other;
static char buffer[8];

static void *work(void *argument)
{
	for (int i = 0; i < 1000; i++)
		other++;
	counter += 5;
	return argument;
}

int main(void)
{
	int local = 1, ends[2];
	pthread_t thread;
	counter = 7;
	counter = 7;
	for (int i = 0; i < 100; i++)
		other += i;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	local += 2;
	if (pipe(ends) || write(ends[1], "abc", 3) != 3 || read(ends[0], buffer, 3) != 3)
		return 1;
	printf("%d %s %d\n", counter, buffer, local);
	return 0;
}
