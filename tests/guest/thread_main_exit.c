/* SPDX-License-Identifier: MIT */
/* The main thread ends before others: they go on, the last one's end is exit(0), with handlers and buffers. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static pthread_t first;
static FILE *unflushed;

static void last_words(void)
{
	puts("exit handler");
}

static void *finish(void *name)
{
	printf("%s ends\n", (char *)name);
	return NULL;
}

static void *join_first(void *unused)
{
	void *result;
	pthread_t next;
	(void)unused;
	SAY_ERROR(pthread_join(first, &result));
	printf("main gave %s\n", (char *)result);
	pthread_create(&next, NULL, finish, "a thread of the thread");
	pthread_join(next, NULL);
	printf("this stays in the buffer until exit");
	return NULL;
}

static void cleanup(void *text)
{
	puts(text);
}

int main(void)
{
	pthread_t thread;
	first = pthread_self();
	atexit(last_words);
	unflushed = stdout;
	if (pthread_create(&thread, NULL, join_first, NULL))
		return 1;
	pthread_cleanup_push(cleanup, "main's cleanup");
	pthread_exit("its value");
	pthread_cleanup_pop(0);
}
