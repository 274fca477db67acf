/* SPDX-License-Identifier: MIT */
/* fork(2) with the handlers of pthread_atfork(3): prepare in the reverse order of their registration, the others in
 * that order. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

struct handlers {
	struct handlers *older, *newer;
	void (*prepare)(void), (*parent)(void), (*child)(void);
};

static struct handlers *oldest, *newest;

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	struct handlers *handlers = malloc(sizeof(*handlers));
	if (!handlers)
		return ENOMEM;
	*handlers = (struct handlers){newest, NULL, prepare, parent, child};
	if (newest)
		newest->newer = handlers;
	else
		oldest = handlers;
	newest = handlers;
	return 0;
}

pid_t fork(void)
{
	for (struct handlers *h = newest; h; h = h->older)
		if (h->prepare)
			h->prepare();
	long result = kcall_fork();
	for (struct handlers *h = oldest; h; h = h->newer) {
		void (*after)(void) = result == 0 ? h->child : h->parent;
		if (after)
			after();
	}
	return (pid_t)kernel_result(result);
}
