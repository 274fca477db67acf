/* SPDX-License-Identifier: MIT */
/* For gdb.test: a variable, a call to step into, a second thread. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int counter = 41;

static void *work(void *argument)
{
	int *value = argument;
	for (int i = 0; i < 3; i++)
		(*value)++;
	return value;
}

static int add(int a, int b)
{
	int sum = a + b;
	return sum;
}

int main(void)
{
	pthread_t thread;
	counter = add(counter, 1);
	printf("counter %d of %d\n", counter, getpid());
	pthread_create(&thread, NULL, work, &counter);
	pthread_join(thread, NULL);
	printf("end %d\n", counter);
	return 3;
}
