/* SPDX-License-Identifier: MIT */
/* Handlers of fork: their order. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static char order[32];

#define HANDLER(name, letter) \
	static void name(void) \
	{ \
		strcat(order, letter); \
	}
HANDLER(prepare_first, "a")
HANDLER(parent_first, "b")
HANDLER(child_first, "-")
HANDLER(prepare_second, "A")
HANDLER(parent_second, "B")

/* Where there is no fork, its handlers are called all the same. */
static void handlers(void)
{
	puts("handlers of fork");
	SAY_ERROR(pthread_atfork(prepare_first, parent_first, child_first));
	SAY_ERROR(pthread_atfork(prepare_second, parent_second, NULL));
	SAY_ERROR(pthread_atfork(NULL, NULL, NULL));
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	if (child > 0)
		waitpid(child, NULL, 0);
	printf("order %s\n", order);
}

int main(void)
{
	handlers();
	return 0;
}
