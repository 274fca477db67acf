/* SPDX-License-Identifier: MIT */
/* Bug: order violation. The new thread uses what main sets up only after having created it.
 * Bites: SIGSEGV, status 139. */
#include <pthread.h>
#include <stddef.h>

#ifndef FIXED
#define FIXED 0
#endif

struct settings {
	long size;
};

static struct settings settings = {.size = 4096};
static struct settings *volatile current;

static void *serve(void *unused)
{
	(void)unused;
	return (void *)current->size;
}

int main(void)
{
	pthread_t server;
	if (FIXED)
		current = &settings;
	pthread_create(&server, NULL, serve, NULL);
	current = &settings;
	pthread_join(server, NULL);
	return 0;
}
