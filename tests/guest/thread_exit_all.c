/* SPDX-License-Identifier: MIT */
/* exit ends all threads, from whichever it is called: others that wait, also for input, do not matter. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static FILE *input;
static int ready[2];

static void *read_for_ever(void *unused)
{
	(void)unused;
	if (write(ready[1], "x", 1) != 1)
		abort();
#ifdef __NEWLIB__
	fgetc(input); /* with the stream's lock, for which exit of glibc 2.41 waits */
#else
	char byte;
	while (read(fileno(input), &byte, 1) == 1)
		;
#endif
	puts("not reached");
	return NULL;
}

static void *wait_for_ever(void *unused)
{
	(void)unused;
	if (write(ready[1], "x", 1) != 1)
		abort();
	for (;;)
		pause();
}

static void *end(void *unused)
{
	(void)unused;
	printf("no line's end");
	exit(0);
}

static void handler(void)
{
	printf("handler, ");
}

int main(void)
{
	pthread_t thread;
	int fds[2];
	char bytes[2];
	if (pipe(fds) < 0 || pipe(ready) < 0)
		return 1;
	input = fdopen(fds[0], "r");
	atexit(handler);
	pthread_create(&thread, NULL, read_for_ever, NULL);
	pthread_create(&thread, NULL, wait_for_ever, NULL);
	for (int i = 0; i < 2; i++)
		if (read(ready[0], &bytes[i], 1) != 1)
			return 1;
	pthread_create(&thread, NULL, end, NULL);
	pthread_join(thread, NULL);
	puts("not reached");
	return 0;
}
